/** Hex: a rhombus of hexagons between coloured edges. */

import { s } from "../../lib/dom.js";
import { HEX_RADIUS, UNIT, hexagon } from "../geometry.js";
import { radial } from "./paint.js";

/** @import {Skin} from "../skins.js" */
/** @import {Geometry} from "../geometry.js" */

const RED = "#d9483b";
const BLUE = "#2f6fd6";

/**
 * The outer side of a row of cells as a line of points, `from` and `to` being corners.
 * @param {Geometry} geometry
 * @param {number[]} cells
 * @param {number[]} corners numbered from the top, clockwise
 */
function side({ center }, cells, corners) {
  return cells
    .flatMap((cell) =>
      corners.map((corner) => {
        const [x, y] = center(cell);
        const angle = (Math.PI / 3) * corner - Math.PI / 2;
        return `${(x + HEX_RADIUS * Math.cos(angle)).toFixed(1)} ${(y + HEX_RADIUS * Math.sin(angle)).toFixed(1)}`;
      }),
    )
    .join("L");
}

/** @type {Skin} */
export const hex = {
  margin: 44,
  enter: "pop",
  flips: true,
  labels: true,
  ink: "var(--muted)",
  ground(geometry) {
    const { columns, rows, center } = geometry;
    const all = Array.from({ length: columns * rows }, (_, cell) => cell);
    const order = center(0)[1] > center(all.length - 1)[1] ? [...all].reverse() : all;
    const top = order.slice(0, columns);
    const bottom = order.slice(-columns).reverse();
    const left = order.filter((_, at) => at % columns === 0).reverse();
    const right = order.filter((_, at) => at % columns === columns - 1);
    /** @param {string} points @param {string} stroke */
    const edge = (points, stroke) =>
      s("path", {
        d: `M${points}`,
        fill: "none",
        stroke,
        "stroke-width": 20,
        "stroke-linejoin": "round",
        "stroke-linecap": "round",
      });
    const sides = [
      side(geometry, top, [5, 0, 1]),
      side(geometry, bottom, [2, 3, 4]),
      side(geometry, left, [3, 4, 5]),
      side(geometry, right, [0, 1, 2]),
    ];
    const cells = all.map((cell) => s("path", { d: hexagon(...center(cell), HEX_RADIUS) }));
    return [
      s(
        "defs",
        {},
        radial(
          "red-hex",
          [
            [0, "#f2796b"],
            [60, RED],
            [100, "#bb352a"],
          ],
          0.4,
          0.3,
          0.8,
        ),
        radial(
          "blue-hex",
          [
            [0, "#6a9dee"],
            [60, BLUE],
            [100, "#1f54ad"],
          ],
          0.4,
          0.3,
          0.8,
        ),
      ),
      s("path", { class: "hexes-shadow", d: `M${sides.join("M")}`, transform: "translate(0 8)" }),
      ...sides.map((points, at) => edge(points, at < 2 ? RED : BLUE)),
      s("g", { class: "hexes", "stroke-width": 3, "stroke-linejoin": "round" }, ...cells),
    ];
  },
  piece(code) {
    const fill = code === "0" ? "url(#red-hex)" : "url(#blue-hex)";
    return s(
      "g",
      {},
      s("path", {
        d: hexagon(0, 0, HEX_RADIUS - 3),
        fill,
        stroke: fill,
        "stroke-width": 1,
        "stroke-linejoin": "round",
      }),
      s("circle", { r: UNIT * 0.33, fill: "#fff", opacity: 0.1 }),
    );
  },
};
