// A clock for both sides: it runs, comes back with the moves, and ends the game.

import assert from "node:assert/strict";
import { join } from "node:path";

import { busy, counted, plies, press, quick, says, seen, until, unseen } from "./open.mjs";

/** 9.6 seconds a side, shown with tenths, and nothing back for a move. */
const SHORT = { on: true, minutes: 0.16, increment: 0 };

const face = (page, side) => page.getByRole("timer", { name: `Clock of ${side}` });

/** @param {string} text as 1:02:03, 4:59 or 0:07.3 */
function seconds(text) {
  return text.split(":").reduce((sum, part) => 60 * sum + Number(part), 0);
}

/** Waits until the clock of a side shows this. */
const shows = (page, side, text) =>
  until(async () => assert.equal(await face(page, side).textContent(), text));

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
  await unseen(page, ".clock");
  await page.getByLabel("Strength").selectOption("clock");
  await shows(page, "Black", "5:00");
  await shows(page, "White", "5:00");
  await page.getByLabel("Minutes").fill("0.2");
  await page.getByLabel("Minutes").press("Enter");
  await page.getByLabel("More, seconds").fill("20");
  await page.getByLabel("More, seconds").press("Enter");
  await shows(page, "Black", "0:12");
  await page.waitForTimeout(1200);
  await shows(page, "Black", "0:12"); // It waits for the first move.
  await page.locator('[data-cell="19"]').click();
  await plies(page, 2);
  await page.waitForSelector(".clock.runs");
  const engine = await left(page, "White");
  // It has a quarter of 11.7 seconds for its move, and gets twenty back.
  assert.ok(engine > 12 && engine <= 30, `${engine} s after the first move`);
  const outer = Date.now();
  const before = await left(page, "Black");
  const inner = Date.now();
  await page.waitForTimeout(2200);
  const least = (Date.now() - inner) / 1000;
  const after = await left(page, "Black");
  const most = (Date.now() - outer) / 1000;
  // Whole seconds are shown.
  const gone = before - after;
  assert.ok(gone > least - 1.2 && gone < most + 1.2, `from ${before} to ${after} in ${most} s`);
  if (folder) await page.screenshot({ path: join(folder, "clock-desk.png") });
  await press(page, "Take back");
  await plies(page, 0);
  const back = (Date.now() - outer) / 1000;
  await page.waitForSelector(".clock:not(.runs)");
  await shows(page, "Black", "0:12");
  await shows(page, "White", "0:12");
  await press(page, "To the end");
  await plies(page, 2);
  const again = await left(page, "Black");
  assert.ok(again <= after && again > before - back - 1.2, `${again} of ${after} after that`);
  assert.equal(await left(page, "White"), engine);
  await page.getByLabel("Strength").selectOption("seconds");
  await page.waitForSelector(".clock", { state: "hidden" });
  await page.reload();
  await page.getByLabel("Strength").selectOption("clock");
  // It is kept.
  await until(async () => assert.equal(await page.getByLabel("Minutes").inputValue(), "0.2"));
  await done();
}

/** Who has no time left has lost, and there is nothing more to play. */
async function runsOut(open) {
  const { page, done } = await open({ hash: "#game=connect4", prefs: { clock: SHORT } });
  await page.locator('[data-cell="38"]').click();
  await plies(page, 2);
  await says(page, ".result:not([hidden])", "Red has run out of time. Yellow wins.");
  await shows(page, "Red", "0:00.0");
  await counted(page, ".cell.can", 0);
  await until(async () =>
    assert.deepEqual(await page.locator(".strip .state").allTextContents(), ["won", "out of time"]),
  );
  const engine = await left(page, "Yellow");
  assert.ok(engine > 2 && engine < 9.6, `the engine has used its part: ${engine}`);
  await page.locator('[data-cell="38"]').click();
  await plies(page, 2);
  await press(page, "To the start");
  await plies(page, 0);
  await shows(page, "Red", "0:09.6");
  await unseen(page, ".result");
  await press(page, "To the end");
  await seen(page, ".result");
  await press(page, "Take back");
  await page.locator('[data-cell="38"]').click();
  await plies(page, 2);
  await unseen(page, ".result");
  await done();
}

/** Two engines play on it, and it stands while they pause. */
async function engines(open) {
  const { page, done } = await open({
    hash: "#game=othello",
    prefs: { mode: "watch", clock: SHORT },
  });
  await page.waitForFunction(() => document.querySelectorAll(".moves [data-ply]").length >= 8);
  await press(page, "Pause");
  await page.waitForSelector('.controls [aria-label="Pause"]:disabled');
  await busy(page, false);
  await page.waitForFunction(() => !document.querySelector(".clock.runs"));
  const sides = ["Black", "White"];
  const before = await Promise.all(sides.map((side) => left(page, side)));
  await page.waitForTimeout(500);
  assert.deepEqual(await Promise.all(sides.map((side) => left(page, side))), before);
  for (const rest of before) assert.ok(rest > 2 && rest < 9, `${before}`);
  await press(page, "Engine, move now");
  await page.waitForSelector(".clock.runs");
  await done();
}
