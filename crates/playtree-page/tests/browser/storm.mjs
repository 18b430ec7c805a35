// Presses keys and buttons as they come, also while an engine thinks: the page and the server must
// agree afterwards.

import assert from "node:assert/strict";

import { busy, quick, until, view as viewOf } from "./open.mjs";

const KEYS = [
  "u",
  "ArrowLeft",
  "ArrowRight",
  "g",
  "x",
  "h",
  "f",
  "m",
  "Home",
  "End",
  "a",
  "n",
  "2",
  "1",
];
const PRESSES = 80;

export async function storm({ open }) {
  for (const [game, ponder] of [
    ["othello", true],
    ["xiangqi", false],
  ]) {
    // A move or a hint may come too late for the position: the server says so.
    const { page, done } = await open({
      hash: `#game=${game}`,
      prefs: quick(0.15, { engines: [{ seconds: 0.15, ponder }, {}] }),
      refusals: "some",
    });
    let state = 5;
    const random = (below) => (state = (state * 16807) % 2147483647) % below;
    for (let at = 0; at < PRESSES; at++) {
      const cells = await page.locator(".cell.can").count();
      if (random(3) > 0 && cells > 0) {
        const cell = page.locator(".cell.can").nth(random(cells));
        // It may be gone by now.
        await cell.press("Enter", { timeout: 300 }).catch(() => null);
      } else {
        await page.keyboard.press(KEYS[random(KEYS.length)]);
      }
      await page.waitForTimeout(random(60));
    }
    await until(() => agree(page));
    await page.locator('.setup [data-value="play"]').click();
    await page.waitForSelector('.setup [data-value="play"][aria-pressed="true"]');
    await until(() => agree(page));
    // And it can still be played on.
    await page.locator('.setup [data-action="new"]').click();
    await page.locator(".cell.can").first().waitFor();
    await busy(page, ponder);
    await until(() => agree(page, 0));
    await done();
  }
}

/** The page shows what the server has; and this number of moves, if one is given. */
async function agree(page, plies) {
  const view = await viewOf(page);
  if (plies !== undefined) assert.equal(view.played.length, plies);
  const listed = await page.locator(".moves [data-ply]:not(.undone)").allTextContents();
  assert.deepEqual(listed, view.played);
  const stones = await page.locator(".grid .pieces > g").count();
  assert.equal(
    stones,
    view.board.cells.filter((code) => code !== "").length,
    "pieces on the board",
  );
}
