// Presses keys and buttons as they come, also while an engine thinks: the page and the server must
// agree afterwards.

import assert from "node:assert/strict";

import { busy, quick } from "./open.mjs";

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
    if ((await page.locator('[data-value="analyse"][aria-pressed="true"]').count()) > 0) {
      await page.locator("h1").click();
      await page.keyboard.press("a");
    }
    await page.waitForTimeout(1500);
    await agree(page);
    // And it can still be played on.
    await page.locator('.setup [data-action="new"]').click();
    await page.locator(".cell.can").first().waitFor({ timeout: 5000 });
    await busy(page, ponder);
    // Pieces that were taken away fade.
    await page.waitForTimeout(400);
    await agree(page);
    await done();
  }
}

async function agree(page) {
  const view = await page.evaluate(async () => {
    const id = document.getElementById("app").dataset.session;
    return (await fetch(`api/sessions/${id}`)).json();
  });
  const listed = await page.locator(".moves [data-ply]:not(.undone)").allTextContents();
  assert.deepEqual(listed, view.played);
  const stones = await page.locator(".grid .pieces > g").count();
  assert.equal(
    stones,
    view.board.cells.filter((code) => code !== "").length,
    "pieces on the board",
  );
}
