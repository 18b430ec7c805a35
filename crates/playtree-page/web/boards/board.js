/** A board of any game: what it is given, and what it does with it. */

import { CardsTable } from "./cards.js";
import { GridView } from "./grid.js";
import { PilesView } from "./piles.js";

/** @import {Board, Move} from "../types.js" */

/**
 * What a search thinks of a move: `share` of the visits in [0, 1], the texts beside the move.
 * @typedef {{move: Move, share: number, text: string, sub: string, best: boolean}} Mark
 */
/**
 * `moves` are those that may be played now; none if it is not a person's turn. `brush` is the
 * piece that a click sets where a position is set up by hand, empty to take one away.
 * @typedef {{game: string, board: Board, mover: number, moves: Move[], marks: Mark[],
 *   hint: Move | null, flipped: boolean, letters: boolean, preview: boolean,
 *   step: {move: Move, back: boolean} | null, brush?: string}} Scene
 */
/**
 * `ratio` is the width over the height.
 * @typedef {{element: Element, ratio: number, show: (scene: Scene) => void,
 *   focus: () => void}} BoardView
 */

/**
 * @param {Board["kind"]} kind
 * @param {(move: string) => void} play
 * @returns {BoardView}
 */
export function boardView(kind, play) {
  if (kind === "grid") return new GridView(play);
  return kind === "piles" ? new PilesView(play) : new CardsTable(play);
}
