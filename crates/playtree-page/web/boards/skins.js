/** How each game's board looks: its ground, its pieces, and how they come and go. */

import { breakthrough } from "./skins/breakthrough.js";
import { connect4 } from "./skins/connect4.js";
import { gomoku } from "./skins/gomoku.js";
import { hex } from "./skins/hex.js";
import { othello } from "./skins/othello.js";
import { tictactoe } from "./skins/tictactoe.js";
import { xiangqi } from "./skins/xiangqi.js";

/** @import {GridBoard} from "../types.js" */
/** @import {Geometry} from "./geometry.js" */

/**
 * Pieces are drawn around the point 0, 0 in a cell that is 100 wide.
 * @typedef {{
 *   margin: number,
 *   ground: (geometry: Geometry, board: GridBoard) => SVGElement[],
 *   front?: (geometry: Geometry) => SVGElement[],
 *   piece: (code: string, letters: boolean) => SVGElement,
 *   enter: "pop" | "drop" | "draw" | "none",
 *   turn?: boolean,
 *   columns?: boolean,
 *   flips: boolean,
 *   ink: string,
 *   labels?: boolean,
 * }} Skin
 */

/** @type {Record<string, Skin>} */
const skins = { breakthrough, connect4, gomoku, hex, othello, tictactoe, xiangqi };

/** @param {string} game @param {GridBoard} board @returns {Skin} */
export function skinOf(game, board) {
  const skin = skins[game];
  if (skin) return skin;
  return { square: othello, hex, points: gomoku }[board.wrap];
}
