/** An offer of a draw, and what the engine makes of it. */

import { prefs } from "../prefs.js";

/** @import {Search} from "../types.js" */
/** @import {Table} from "./table.js" */

/** Games that can be drawn and are not over before the engine may agree. */
const DRAWN = ["connect4", "othello", "gomoku", "xiangqi"];
/** Before this number of moves there is a game to be played. */
export const PLIES_BEFORE_DRAW = 20;
/** The engine agrees if it expects at most this score, in [0, 1], for itself. */
const MOST_EXPECTED = 0.5;

/** Whether the person can offer a draw at all. @param {Table} table */
export function canBeDrawn({ mode, view }) {
  return mode === "play" && DRAWN.includes(view.game);
}

/**
 * The score that a search expects for the side to move; `null` if it does not say. Of a score of
 * alpha-beta only the sign counts: its points are no share of wins.
 * @param {Search} search
 */
function expected({ report }) {
  const word = report.proven ?? report.value ?? report.score?.proven;
  if (word) return { win: 1, draw: 0.5, loss: 0 }[word];
  if (report.win_rate != null) return report.win_rate;
  const points = report.score?.value;
  return points == null ? null : (1 + Math.sign(points)) / 2;
}

/** What the engine expects for itself. @param {Table} table @returns {number | null} */
function expectedByEngine({ sessions, view }) {
  const last = sessions[0].last;
  const rate = last && expected(last.search);
  if (!last || rate === null) return null;
  const searcher = (view.mover + last.since.length) % view.players;
  return searcher === prefs.side ? 1 - rate : rate;
}

/** Offers a draw to the engine, which takes it or not. @param {Table} table */
export function offerDraw(table) {
  if (!canBeDrawn(table) || !table.yours) return;
  const rate = expectedByEngine(table);
  const late = table.view.played.length >= PLIES_BEFORE_DRAW;
  if (late && rate !== null && rate <= MOST_EXPECTED) {
    void table.change(async () => {
      table.ending = { how: "agreed", player: prefs.side };
    });
  } else {
    table.declined = { rate };
    table.news();
  }
}
