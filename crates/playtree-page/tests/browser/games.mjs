// Plays whole games against the engine by clicks alone.

import assert from "node:assert/strict";

import { quick, view as viewOf } from "./open.mjs";

const GAMES = ["connect4", "othello", "hex", "xiangqi"];
/** No game takes longer, in moves of the person. */
const MOST_MOVES = 250;

export async function wholeGames({ open }) {
  for (const game of GAMES) {
    const { page, done } = await open({ hash: `#game=${game}`, prefs: quick(0.1) });
    const random = numbers(11);
    let moves = 0;
    while (!(await isOver(page))) {
      assert.ok(moves < MOST_MOVES, `${game} goes on after ${moves} moves`);
      if (await click(page, game, random)) moves += 1;
    }
    const result = await page.locator(".result").textContent();
    const view = await viewOf(page);
    assert.ok(view.outcome, `the server says that ${game} goes on`);
    const winner = view.outcome.scores.indexOf(1);
    assert.match(result, winner < 0 ? /draw/ : / wins\.$/);
    const listed = await page.locator(".moves [data-ply]").allTextContents();
    assert.deepEqual(listed, view.played, "the moves listed are those played");
    assert.ok(moves >= 3, `${game} was over after ${moves} clicks`);
    console.log(`        ${game}: ${view.played.length} plies, ${result}`);
    await done();
  }
}

async function isOver(page) {
  return page.locator(".result:not([hidden])").isVisible();
}

/** Waits for the person's turn and plays a random move; `false` if the game ended meanwhile. */
async function click(page, game, random) {
  await page.waitForSelector(".cell.can, .others button, .result:not([hidden])");
  if (await isOver(page)) return false;
  const before = await page.locator(".moves [data-ply]").count();
  if (await page.locator(".others button").isVisible()) {
    await page.locator(".others button").first().click();
  } else {
    await clickCell(page, ".cell.can", random);
    if (game === "xiangqi")
      await clickCell(page, `.cell.can:not([aria-label*="can move"])`, random);
  }
  await page.waitForFunction(
    ([count]) =>
      document.querySelectorAll(".moves [data-ply]").length > count ||
      !document.querySelector(".result")?.hidden,
    [before],
  );
  return true;
}

/** Clicks with the mouse on the middle of one of the cells. */
async function clickCell(page, selector, random) {
  await page.waitForSelector(selector);
  const cells = await page.locator(selector).all();
  const box = await cells[Math.floor(random() * cells.length)].boundingBox();
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
}

/** The same random numbers each time. */
function numbers(seed) {
  let state = seed;
  return () => (state = (state * 16807) % 2147483647) / 2147483647;
}
