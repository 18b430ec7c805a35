/** What the board is to show: the game or a line, and what the search thinks of it. */

import { prefs } from "./prefs.js";
import { foundMoves, markTexts } from "./panels/search/found.js";

/** @import {Mark, Scene} from "./boards/board.js" */
/** @import {Table} from "./table/table.js" */

/** Moves with a smaller share of the visits are not marked. */
const LEAST_SHARE = 0.004;
const MOST_MARKS = { set: 24, moved: 5 };

/** @param {Table} table @param {boolean} flipped @param {boolean} heat @returns {Scene} */
export function sceneOf(table, flipped, heat) {
  const { view, preview } = table;
  const moves = table.yours && !preview ? view.moves : [];
  return {
    game: view.game,
    board: preview?.board ?? view.board,
    mover: view.mover,
    moves,
    marks: heat && !preview ? marksOf(table) : [],
    hint: preview ? null : (view.moves.find((move) => move.text === table.hint) ?? null),
    flipped,
    letters: prefs.letters,
    preview: preview !== null,
    step: preview ? null : table.step,
  };
}

/** @param {Table} table @returns {Mark[]} */
function marksOf(table) {
  const { view } = table;
  const search = table.sessions.map((one) => one.found).find(Boolean);
  if (!search || view.outcome) return [];
  const found = foundMoves(search.report);
  const best = search.report.best_move ?? search.report.best_moves?.[0];
  const most = Math.max(...found.map((one) => one.share), 1e-9);
  const moved = view.moves.some((move) => move.from !== null);
  const marks = [];
  for (const one of found) {
    const move = view.moves.find((legal) => legal.text === one.move);
    if (!move || (one.share < LEAST_SHARE && one.move !== best)) continue;
    marks.push({ move, share: one.share / most, best: one.move === best, ...markTexts(one) });
  }
  return marks.slice(0, moved ? MOST_MARKS.moved : MOST_MARKS.set);
}
