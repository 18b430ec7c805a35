/** Where the cells of a board lie: squares, points and hexagons; a cell is 100 wide. */

/** @import {GridBoard} from "../types.js" */

/** The width of a square, the distance of two lines or hexagons. */
export const UNIT = 100;
/** From the centre of a hexagon to its corner, where its flat sides are `UNIT` apart. */
export const HEX_RADIUS = UNIT / Math.sqrt(3);

/**
 * @typedef {{columns: number, rows: number, wrap: GridBoard["wrap"], width: number, height: number,
 *   center: (cell: number) => [number, number], shape: (cell: number, inset?: number) => string,
 *   step: (cell: number, right: number, down: number) => number}} Geometry
 */

/**
 * @param {GridBoard} board
 * @param {boolean} flipped whether the board is seen from the other side
 * @returns {Geometry}
 */
export function geometryOf(board, flipped) {
  const { columns, rows, wrap } = board;
  const count = columns * rows;
  const down = wrap === "hex" ? 1.5 * HEX_RADIUS : UNIT;
  const width = wrap === "hex" ? UNIT * (columns + (rows - 1) / 2) : UNIT * columns;
  const height = wrap === "hex" ? down * (rows - 1) + 2 * HEX_RADIUS : UNIT * rows;

  /** @param {number} cell @returns {[number, number]} */
  const center = (cell) => {
    const shown = flipped ? count - 1 - cell : cell;
    const row = Math.floor(shown / columns);
    const column = shown % columns;
    if (wrap !== "hex") return [UNIT * (column + 0.5), UNIT * (row + 0.5)];
    return [UNIT * (column + row / 2 + 0.5), HEX_RADIUS + down * row];
  };

  /** @param {number} cell */
  const shape = (cell, inset = 0) => {
    const [x, y] = center(cell);
    if (wrap === "hex") return hexagon(x, y, HEX_RADIUS - inset);
    const half = UNIT / 2 - inset;
    return `M${x - half} ${y - half}h${2 * half}v${2 * half}h${-2 * half}z`;
  };

  /**
   * The cell beside another one, as it is seen; the same where the board ends.
   * @param {number} cell @param {number} right @param {number} below
   */
  const step = (cell, right, below) => {
    const sign = flipped ? -1 : 1;
    const column = (cell % columns) + sign * right;
    const row = Math.floor(cell / columns) + sign * below;
    const inside = column >= 0 && column < columns && row >= 0 && row < rows;
    return inside ? row * columns + column : cell;
  };

  return { columns, rows, wrap, width, height, center, shape, step };
}

/** @param {number} x @param {number} y @param {number} radius */
export function hexagon(x, y, radius) {
  const corners = [0, 1, 2, 3, 4, 5].map((at) => {
    const angle = (Math.PI / 3) * at - Math.PI / 2;
    return `${(x + radius * Math.cos(angle)).toFixed(2)} ${(y + radius * Math.sin(angle)).toFixed(2)}`;
  });
  return `M${corners.join("L")}z`;
}
