/** One form for what the three searchers say of a move. */

import { percent, short } from "../../lib/numbers.js";
import { t } from "../../words.js";

/** @import {MoveReport, Proven, Report, Score} from "../../types.js" */

/**
 * @typedef {{move: string, share: number, visits: number | null, rate: number | null,
 *   prior: number | null,
 *   worth: string, proven: string, pv: string[]}} Found
 */

/** @param {Proven | null | undefined} proven @param {number | null | undefined} plies */
export function provenText(proven, plies) {
  if (!proven) return "";
  const word = t(`proven.${proven}`);
  return plies == null ? word : t("proven.in", { word, plies });
}

/** @param {Score | null | undefined} score */
export function scoreText(score) {
  if (!score) return "-";
  if (score.proven) return provenText(score.proven, score.plies);
  return score.value === null ? "-" : (score.value > 0 ? "+" : "") + String(score.value);
}

/** The moves of a report, best first. @param {Report} report @returns {Found[]} */
export function foundMoves(report) {
  const visits = report.moves.reduce((sum, one) => sum + (one.visits ?? one.nodes ?? 0), 0);
  return report.moves.map((one) => ({
    move: one.move,
    share: shareOf(report, one, visits),
    visits: one.visits ?? one.nodes ?? null,
    rate: one.win_rate ?? null,
    prior: one.prior ?? null,
    worth: worthOf(one),
    proven: provenText(
      one.proven ?? one.value,
      one.proven_plies ?? one.score?.plies ?? one.distance,
    ),
    pv: one.pv?.length ? one.pv : [one.move],
  }));
}

/** @param {Report} report @param {MoveReport} one @param {number} visits of all moves */
function shareOf(report, one, visits) {
  if (report.best_moves) return report.best_moves.includes(one.move) ? 1 : 0;
  const best = one.move === report.best_move;
  if (one.visits === undefined) return best ? 1 : 0;
  return visits > 0 ? one.visits / visits : 0;
}

/** @param {MoveReport} one */
function worthOf(one) {
  if (one.win_rate !== undefined) return percent(one.win_rate);
  if (one.score !== undefined) return scoreText(one.score);
  return provenText(one.value, one.distance) || "-";
}

/**
 * The two texts of a move on the board.
 * @param {Found} found
 * @returns {{text: string, sub: string}}
 */
export function markTexts(found) {
  const text = found.rate !== null ? (100 * found.rate).toFixed(0) : found.worth;
  return { text, sub: found.visits === null ? "" : short(found.visits) };
}
