/** What the searches have said of each position of the game: the win rate ply by ply. */

/** @import {Search, View} from "../types.js" */

/** @typedef {{ply: number, rate: number, proven: boolean, move: string | null}} Point */

/**
 * The win rate of the first player as a search sees it; `null` if it says nothing.
 * @param {Search} search
 * @param {number} mover
 * @returns {{rate: number, proven: boolean} | null}
 */
export function firstPlayersRate(search, mover) {
  const { report } = search;
  const word = report.proven ?? report.value;
  const proven = word ? { win: 1, draw: 0.5, loss: 0 }[word] : null;
  const rate = proven ?? report.win_rate;
  if (rate == null) return null;
  return { rate: mover === 0 ? rate : 1 - rate, proven: proven !== null };
}

export class Curve {
  /** By ply. @type {Map<number, {key: string, rate: number, proven: boolean}>} */
  #points = new Map();

  clear() {
    this.#points.clear();
  }

  /**
   * Takes down what a search says of the position of `view`.
   * @param {View} view
   * @param {Search} search
   */
  note(view, search) {
    const found = firstPlayersRate(search, view.mover);
    if (found) this.#points.set(view.played.length, { key: view.played.join(" "), ...found });
  }

  /** Takes down the end of a game. @param {View} view */
  finish(view) {
    const rate = view.outcome?.scores[0];
    if (rate === undefined) return;
    this.#points.set(view.played.length, { key: view.played.join(" "), rate, proven: true });
  }

  /**
   * The points of this game, without those of moves that were taken back.
   * @param {View} view
   * @returns {Point[]}
   */
  points(view) {
    const game = view.played.join(" ");
    return [...this.#points]
      .filter(
        ([, { key }]) =>
          `${game} `.startsWith(key === "" ? "" : `${key} `) ||
          key.startsWith(game === "" ? "" : `${game} `),
      )
      .map(([ply, { rate, proven }]) => ({ ply, rate, proven, move: view.played[ply - 1] ?? null }))
      .sort((one, other) => one.ply - other.ply);
  }
}
