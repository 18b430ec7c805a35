/** Positions that are set up by hand: the pieces that there are, and the texts of the boards. */

/** @import {Board, GridBoard} from "../types.js" */

/** The pieces of each game whose text follows from the board; piles have none. */
const PIECES = /** @type {Record<string, string[]>} */ ({
  tictactoe: ["0", "1"],
  othello: ["0", "1"],
  breakthrough: ["0", "1"],
  xiangqi: [..."KABNRCPkabnrcp"],
  nim: [],
  "nim-misere": [],
});

export const BY_HAND = Object.keys(PIECES);
/** The most piles that Nim has, and the most in one. */
export const MOST_PILES = 8;
export const MOST_IN_PILE = 127;

/** @param {string} game @returns {string[] | null} */
export function piecesOf(game) {
  return PIECES[game] ?? null;
}

/** Whether a side to move is to be chosen: in tic-tac-toe the marks say it. @param {string} game */
export function choosesMover(game) {
  return game !== "tictactoe";
}

/** @param {string} game @param {Board} board @param {number} mover */
export function positionText(game, board, mover) {
  if (board.kind === "piles") {
    const piles = board.piles.filter((count) => count > 0);
    return `${piles.length ? piles.join(",") : "0"}${mover === 1 ? " 2" : ""}`;
  }
  if (board.kind !== "grid") return "";
  /** @param {string} codes the signs of nothing, the first and the second player */
  const signs = (codes) =>
    board.cells.map((code) => codes[code === "" ? 0 : Number(code) + 1]).join("");
  if (game === "tictactoe") return signs(".XO");
  if (game === "othello") return `${signs("-XO")} ${"XO"[mover]}`;
  if (game === "breakthrough") {
    const pieces = board.cells.map((code) => (code === "" ? "" : "Pp"[Number(code)]));
    return `${rows(board, pieces)} ${"wb"[mover]}`;
  }
  return `${rows(board, board.cells)} ${"wb"[mover]} - - 0 1`;
}

/** The rows as in FEN: letters, and numbers for what is empty. */
function rows(/** @type {GridBoard} */ board, /** @type {string[]} */ pieces) {
  return Array.from({ length: board.rows }, (_, row) =>
    pieces
      .slice(row * board.columns, (row + 1) * board.columns)
      .map((code) => code || ".")
      .join("")
      .replace(/\.+/g, (free) => String(free.length)),
  ).join("/");
}
