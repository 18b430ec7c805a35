// Positions set up by hand arrive on the server as they stand on the board.

import assert from "node:assert/strict";
import { join } from "node:path";

import { counted, press, quick, says, seen, until, unseen, view } from "./open.mjs";

const use = (page) => press(page, "Use this position");
const cell = (page, at) => page.locator(`.by-hand [data-cell="${at}"]`);

/** A move into each game, so that the second side is to move too. */
const GAMES = {
  tictactoe: "5",
  othello: "d3",
  breakthrough: "d2d3",
  xiangqi: "h2e2",
  nim: "4-2",
  "nim-misere": "",
};

async function begin(open, game, moves = "", more = {}) {
  const hash = `#game=${game}${moves && `&moves=${moves}`}`;
  const opened = await open({ hash, prefs: quick(0.1, { mode: "analyse" }), ...more });
  await opened.page.click("#tab-text");
  await opened.page.click(".by-hand-card summary");
  return opened;
}

/** Waits until a cell is read out so. */
const named = (page, at, label) =>
  until(async () => assert.equal(await cell(page, at).getAttribute("aria-label"), label));

/** Waits until the game has begun anew from another position. */
const begun = (page) => counted(page, ".moves [data-ply]", 0);

export async function byHand({ open, folder }) {
  await asItStands(open);
  await pieces(open, folder);
  await refusedAndKeys(open, folder);
  await piles(open);
  await others(open);
}

/** What is not changed comes back as it was. */
async function asItStands(open) {
  for (const [game, moves] of Object.entries(GAMES)) {
    const { page, done } = await begin(open, game, moves);
    const before = await view(page);
    await use(page);
    await begun(page);
    const after = await until(async () => {
      const now = await view(page);
      assert.ok(now.version > before.version, `${game}: nothing has come`);
      return now;
    });
    const cells = ({ board }) => board.cells ?? board.piles;
    assert.deepEqual(cells(after), cells(before));
    assert.equal(after.mover, before.mover, game);
    assert.deepEqual(after.played, []);
    await done();
  }
}

async function pieces(open, folder) {
  const { page, done } = await begin(open, "othello", "d3");
  await press(page, "Clear");
  await press(page, "Black");
  for (const at of [0, 9, 10]) await cell(page, at).click();
  await cell(page, 9).click();
  await press(page, "White");
  await cell(page, 1).click();
  await press(page, "Black to move");
  if (folder) await page.screenshot({ path: join(folder, "by-hand-desk.png") });
  await use(page);
  await begun(page);
  const { position, moves } = await view(page);
  assert.equal(position, `XO--------X${"-".repeat(53)} X`);
  assert.deepEqual(
    moves.map((move) => move.text),
    ["c1"],
  );
  // Pieces that were taken away fade.
  await counted(page, ".board-place .pieces > g", 3);
  await done();
}

/** The server has the last word; and the keys are enough. */
async function refusedAndKeys(open, folder) {
  const { page, done } = await begin(open, "xiangqi", "", { refusals: 1, size: [360, 740] });
  await press(page, "Take a piece away");
  await cell(page, 85).click();
  await named(page, 85, "e0, empty");
  const before = (await view(page)).position;
  await use(page);
  await seen(page, ".refusal");
  await says(page, ".refusal", /refused: expected/);
  assert.equal((await view(page)).position, before);
  if (folder) await page.screenshot({ path: join(folder, "by-hand-phone.png"), fullPage: true });
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  assert.ok(width <= 360, `${width} pixels wide on 360`);
  await page.locator(`.palette [data-piece="K"]`).focus();
  await page.keyboard.press("Enter");
  await cell(page, 76).focus();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await named(page, 85, "e0, Red general");
  await page.getByRole("button", { name: "Black to move", exact: true }).focus();
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Use this position" }).focus();
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => location.hash.includes("position="));
  assert.match((await view(page)).position, /^rnbakabnr\/.*\/RNBAKABNR b /);
  await unseen(page, ".refusal");
  await done();
}

async function piles(open) {
  const { page, done } = await begin(open, "nim");
  for (const [pile, count] of [9, 0, 4, 0].entries()) {
    const field = page.getByLabel(`Pile ${pile + 1}`, { exact: true });
    await field.fill(String(count));
    await field.press("Enter");
  }
  await press(page, "Second to move");
  await use(page);
  await page.waitForFunction(() => location.hash.includes("position="));
  assert.equal((await view(page)).position, "9,4 2");
  await done();
}

/** Where the text does not follow from the board, the panel says which games have it. */
async function others(open) {
  const { page, done } = await begin(open, "connect4");
  await says(page, ".by-hand", /By hand: Tic-tac-toe, Othello/);
  await counted(page, ".by-hand button", 0);
  await page.getByLabel("Game", { exact: true }).first().selectOption("tictactoe");
  await page.waitForSelector(".by-hand .palette");
  await done();
}
