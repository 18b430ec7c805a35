// A clock for both sides: it runs, comes back with the moves, and ends the game.

import assert from "node:assert/strict";
import { join } from "node:path";

import { plies, press, quick } from "./open.mjs";

/** Six seconds a side, and nothing back for a move. */
const SHORT = { on: true, minutes: 0.1, increment: 0 };

const face = (page, side) => page.getByRole("timer", { name: `Clock of ${side}` });

/** @param {string} text as 1:02:03, 4:59 or 0:07.3 */
function seconds(text) {
  return text.split(":").reduce((sum, part) => 60 * sum + Number(part), 0);
}

async function left(page, side) {
  return seconds(await face(page, side).textContent());
}

export async function clock({ open, folder }) {
  await allowances(open);
  await chosen(open, folder);
  await runsOut(open);
  await engines(open);
}

/** The time for a move follows from the clock, and no number of moves empties it. */
async function allowances(open) {
  const { page, done } = await open({ prefs: quick(0.1) });
  const found = await page.evaluate(async () => {
    const { allowance } = await import("/web/table/clock.js");
    const rests = [];
    for (const [base, increment, way] of [
      [300, 3, 0.05],
      [60, 0, 0.002],
      [6, 0, 0.002],
      [1, 10, 0.05],
    ]) {
      let rest = base;
      let least = base;
      for (let move = 0; move < 120; move++) {
        rest -= allowance(rest, increment) + way;
        least = Math.min(least, rest);
        rest += increment;
      }
      rests.push(least);
    }
    return { rests, first: allowance(300, 3), little: allowance(1, 10), none: allowance(0.1, 0) };
  });
  assert.ok(Math.abs(found.first - 13) < 0.1, `${found.first} s of 300 s`);
  assert.ok(found.little < 0.25 && found.none < 0.1, JSON.stringify(found));
  for (const least of found.rests) assert.ok(least > 0, JSON.stringify(found.rests));
  await done();
}

/** It is chosen like the other limits, waits for the first move, and comes back with the moves. */
async function chosen(open, folder) {
  const { page, done } = await open({ hash: "#game=othello", prefs: quick(0.1) });
  assert.equal(await page.getByRole("timer").count(), 0);
  await page.getByLabel("Strength").selectOption("clock");
  assert.equal(await face(page, "Black").textContent(), "5:00");
  assert.equal(await face(page, "White").textContent(), "5:00");
  await page.getByLabel("Minutes").fill("0.2");
  await page.getByLabel("Minutes").press("Enter");
  await page.getByLabel("More, seconds").fill("2");
  await page.getByLabel("More, seconds").press("Enter");
  await page.waitForTimeout(700);
  assert.equal(await face(page, "Black").textContent(), "0:12", "it waits for the first move");
  await page.locator('[data-cell="19"]').click();
  await plies(page, 2);
  await page.waitForSelector(".clock.runs");
  const engine = await left(page, "White");
  // It has 11.7 / 30 + 2 seconds for its move, and gets two back.
  assert.ok(engine >= 10 && engine <= 13, `${engine} s after the first move`);
  const before = await left(page, "Black");
  await page.waitForTimeout(2200);
  const after = await left(page, "Black");
  assert.ok(before - after >= 2 && before - after <= 4, `from ${before} to ${after}`);
  if (folder) await page.screenshot({ path: join(folder, "clock-desk.png") });
  await press(page, "Take back");
  await plies(page, 0);
  await page.waitForSelector(".clock:not(.runs)");
  assert.equal(await face(page, "Black").textContent(), "0:12");
  assert.equal(await face(page, "White").textContent(), "0:12");
  await press(page, "To the end");
  await plies(page, 2);
  const again = await left(page, "Black");
  assert.ok(again <= after && again >= after - 2, `looking back makes ${again} of ${after}`);
  assert.equal(await left(page, "White"), engine);
  await page.getByLabel("Strength").selectOption("seconds");
  await page.waitForSelector(".clock", { state: "hidden" });
  await page.reload();
  await page.getByLabel("Strength").selectOption("clock");
  assert.equal(await page.getByLabel("Minutes").inputValue(), "0.2", "it is kept");
  await done();
}

/** Who has no time left has lost, and there is nothing more to play. */
async function runsOut(open) {
  const { page, done } = await open({ hash: "#game=connect4", prefs: { clock: SHORT } });
  await page.locator('[data-cell="38"]').click();
  await plies(page, 2);
  await page.waitForSelector(".result:not([hidden])", { timeout: 8000 });
  assert.equal(
    await page.locator(".result").textContent(),
    "Red has run out of time. Yellow wins.",
  );
  assert.equal(await face(page, "Red").textContent(), "0:00.0");
  assert.equal(await page.locator(".cell.can").count(), 0, "no legal move any more");
  assert.deepEqual(await page.locator(".strip .state").allTextContents(), ["won", "out of time"]);
  const engine = await left(page, "Yellow");
  assert.ok(engine > 5 && engine < 6, `the engine has used its part: ${engine}`);
  await page.locator('[data-cell="38"]').click();
  await plies(page, 2);
  await press(page, "To the start");
  await plies(page, 0);
  assert.equal(await face(page, "Red").textContent(), "0:06.0");
  assert.ok(await page.locator(".result").isHidden());
  await press(page, "To the end");
  await page.waitForSelector(".result:not([hidden])");
  await press(page, "Take back");
  await page.locator('[data-cell="38"]').click();
  await plies(page, 2);
  assert.ok(await page.locator(".result").isHidden());
  await done();
}

/** Two engines play on it, and it stands while they pause. */
async function engines(open) {
  const { page, done } = await open({
    hash: "#game=othello",
    prefs: { mode: "watch", clock: SHORT },
  });
  await page.waitForFunction(
    () => document.querySelectorAll(".moves [data-ply]").length >= 8,
    null,
    { timeout: 20_000 },
  );
  await press(page, "Pause");
  await page.waitForSelector('.controls [aria-label="Pause"]:disabled');
  await page.waitForSelector('#app[data-busy="false"]');
  await page.waitForFunction(() => !document.querySelector(".clock.runs"));
  const sides = ["Black", "White"];
  const before = await Promise.all(sides.map((side) => left(page, side)));
  await page.waitForTimeout(500);
  assert.deepEqual(await Promise.all(sides.map((side) => left(page, side))), before);
  for (const rest of before) assert.ok(rest > 3 && rest < 5.7, `${before}`);
  await press(page, "Engine, move now");
  await page.waitForSelector(".clock.runs");
  await done();
}
