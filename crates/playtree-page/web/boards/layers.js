/** What is drawn over a board of cells: labels, the last move, a search, where to go. */

import { s } from "../lib/dom.js";
import { UNIT } from "./geometry.js";

/** @import {GridBoard} from "../types.js" */
/** @import {Mark, Scene} from "./board.js" */
/** @import {GridView} from "./grid.js" */

/** @param {GridView} view @param {GridBoard} board */
export function drawLabels({ geometry, skin, layers }, board) {
  if (!geometry || !skin) return;
  const { columns, rows, wrap, height, center } = geometry;
  const far = skin.margin * (wrap === "points" ? 0.3 : wrap === "hex" ? 0.66 : 0.52);
  /** @param {number} x @param {number} y @param {string} text */
  const label = (x, y, text) =>
    s(
      "text",
      {
        x,
        y,
        fill: skin.ink,
        "text-anchor": "middle",
        "dominant-baseline": "central",
        "aria-hidden": "true",
      },
      text,
    );
  const first = center(0)[1] < center(columns * rows - 1)[1];
  for (let column = 0; column < columns; column++) {
    const cell = first === (wrap === "hex") ? column : (rows - 1) * columns + column;
    const x = wrap === "hex" ? center(cell)[0] - UNIT * 0.22 : center(cell)[0];
    layers.labels.append(label(x, wrap === "hex" ? -far : height + far, board.files[column] ?? ""));
  }
  for (let row = 0; row < rows; row++) {
    const [x, y] = center(first ? row * columns : row * columns + columns - 1);
    layers.labels.append(
      label(x - UNIT / 2 - far - (wrap === "hex" ? 4 : 0), y, board.ranks[row] ?? ""),
    );
  }
}

/** Marks the cells of the last move. @param {GridView} view @param {GridBoard} board */
export function drawLast({ geometry, layers, skin }, board) {
  if (!geometry || !skin) return;
  const stones = geometry.wrap !== "square" || skin.turn || skin.columns;
  layers.last.replaceChildren();
  layers.front.querySelector(".spot")?.remove();
  const spot = s("g", { class: "spot" });
  for (const cell of board.last) {
    const [x, y] = geometry.center(cell);
    const code = board.cells[cell];
    if (!stones) {
      layers.last.append(s("path", { class: "last-square", d: geometry.shape(cell) }));
    } else if (code === "") {
      layers.last.append(s("circle", { class: "last-left", cx: x, cy: y, r: 16 }));
    } else if (code !== "0" && code !== "1") {
      layers.last.append(s("circle", { class: "last-ring", cx: x, cy: y, r: 49 }));
    } else {
      spot.append(s("circle", { class: `last-spot of-${code}`, cx: x, cy: y, r: 12 }));
    }
  }
  layers.front.append(spot);
}

/**
 * The heat map: what share of the visits each move has.
 * @param {GridView} view @param {Scene} scene
 */
export function drawMarks({ geometry, layers }, scene) {
  const nodes = [];
  for (const mark of geometry ? [...scene.marks].reverse() : []) {
    const { from, to } = mark.move;
    if (to === null || !geometry) continue;
    const [x, y] = geometry.center(to);
    nodes.push(from === null ? disc(mark, x, y, 43) : arrow(mark, geometry.center(from), [x, y]));
  }
  layers.marks.replaceChildren(...nodes);
}

/** @param {Mark} mark @param {number} x @param {number} y @param {number} radius */
function disc(mark, x, y, radius) {
  const strength = Math.sqrt(mark.share);
  const small = mark.share < 0.02;
  const r = small ? 15 : radius * (0.72 + 0.28 * strength);
  return s(
    "g",
    { class: mark.best ? "mark best" : "mark", transform: `translate(${x} ${y})` },
    s("circle", { r, opacity: mark.best ? 0.94 : (0.5 + 0.42 * strength).toFixed(2) }),
    small ? null : s("text", { class: "rate", y: -5 }, mark.text),
    small ? null : s("text", { class: "visits", y: 20 }, mark.sub),
  );
}

/** @param {Mark} mark @param {[number, number]} from @param {[number, number]} to */
function arrow(mark, from, to) {
  const [right, down] = [to[0] - from[0], to[1] - from[1]];
  const length = Math.hypot(right, down);
  const [x, y] = [right / length, down / length];
  const half = 5 + 9 * Math.sqrt(mark.share);
  const end = length - 30;
  const head = half * 2 + 10;
  const d =
    `M22 ${-half}H${end - head}V${-2.1 * half}L${end} 0L${end - head} ${2.1 * half}V${half}H22` +
    `a${half} ${half} 0 0 1 0 ${-2 * half}z`;
  const angle = (Math.atan2(y, x) * 180) / Math.PI;
  return s(
    "g",
    { class: mark.best ? "mark best" : "mark" },
    s("path", {
      d,
      transform: `translate(${from[0]} ${from[1]}) rotate(${angle.toFixed(2)})`,
      opacity: (0.3 + 0.6 * Math.sqrt(mark.share)).toFixed(2),
    }),
    mark.share < 0.04
      ? null
      : s(
          "g",
          { transform: `translate(${to[0]} ${to[1]})` },
          s("circle", { r: 33, opacity: 0.95 }),
          s("text", { class: "rate", y: -4 }, mark.text),
          s("text", { class: "visits", y: 16 }, mark.sub),
        ),
  );
}

/** @param {GridView} view @param {Scene} scene */
export function drawHint({ geometry, layers }, scene) {
  layers.hint.replaceChildren();
  const { hint } = scene;
  if (!geometry || !hint || hint.to === null) return;
  for (const cell of [hint.from, hint.to]) {
    if (cell === null) continue;
    const [cx, cy] = geometry.center(cell);
    layers.hint.append(s("circle", { cx, cy, r: 45, class: "hint-ring" }));
  }
}

/** Dots where the selected piece, or the next stone, may go. @param {GridView} view */
export function drawDots({ geometry, layers, scene, input, skin }) {
  layers.dots.replaceChildren();
  if (!geometry || !scene || !skin) return;
  const board = /** @type {GridBoard} */ (scene.board);
  const empty = board.cells.filter((code) => code === "").length;
  const setting = scene.moves.filter((move) => move.from === null && move.to !== null);
  const shown =
    input.selected !== null
      ? scene.moves.filter((move) => move.from === input.selected)
      : setting.length < empty && !skin.columns
        ? setting
        : [];
  if (input.selected !== null) {
    layers.dots.append(
      geometry.wrap === "square"
        ? s("path", { class: "selected", d: geometry.shape(input.selected) })
        : s("circle", {
            class: "selected-ring",
            cx: geometry.center(input.selected)[0],
            cy: geometry.center(input.selected)[1],
            r: 48,
          }),
    );
  }
  for (const { to } of shown) {
    if (to === null) continue;
    const [cx, cy] = geometry.center(to);
    layers.dots.append(
      board.cells[to] === ""
        ? s("circle", { class: "dot", cx, cy, r: 14 })
        : s("circle", { class: "dot-ring", cx, cy, r: 45 }),
    );
  }
}

/** The stone that a click would set. @param {GridView} view */
export function drawGhost({ geometry, layers, scene, input, skin }) {
  layers.hint.querySelector(".ghost")?.remove();
  const move = input.pointed;
  if (!move || move.to === null || move.from !== null || !scene || !geometry || !skin) return;
  const code = scene.brush ?? String(scene.mover);
  if (code === "") return;
  const [x, y] = geometry.center(move.to);
  layers.hint.append(
    s(
      "g",
      { class: "ghost", transform: `translate(${x} ${y})` },
      skin.piece(code, scene.letters),
    ),
  );
}
