/** Names of cells, pieces and sides, for those who listen to the page. */

import { maybe, t } from "../words.js";

/** @import {GridBoard} from "../types.js" */
/** @import {Scene} from "./board.js" */

/** @param {string} game @param {number} player */
export function sideName(game, player) {
  return maybe(`side.${game}.${player}`) ?? maybe(`side.${player}`) ?? String(player + 1);
}

/** @param {string} game @param {string} code */
export function pieceName(game, code) {
  if (code === "0" || code === "1") return sideName(game, Number(code));
  const player = code === code.toUpperCase() ? 0 : 1;
  return `${sideName(game, player)} ${maybe(`piece.${code.toUpperCase()}`) ?? code}`;
}

/** @param {GridBoard} board @param {number} cell */
export function cellName(board, cell) {
  const column = cell % board.columns;
  const row = Math.floor(cell / board.columns);
  if (board.files.length === 0) return String(cell + 1);
  return `${board.files[column]}${board.ranks[row] ?? board.rows - row}`;
}

/** @param {Scene} scene @param {GridBoard} board @param {number} cell */
export function cellLabel(scene, board, cell) {
  const code = board.cells[cell];
  const parts = [
    cellName(board, cell),
    code === "" ? t("cell.empty") : pieceName(scene.game, code),
  ];
  const legal = scene.moves.some((move) => move.to === cell && move.from === null);
  if (legal && scene.brush === undefined) parts.push(t("cell.legal"));
  if (scene.moves.some((move) => move.from === cell)) parts.push(t("cell.movable"));
  if (board.last.includes(cell)) parts.push(t("cell.last"));
  const mark = scene.marks.find((one) => one.move.to === cell);
  if (mark) parts.push(t("cell.mark", { rate: mark.text, visits: mark.sub }));
  return parts.join(", ");
}
