/** Gomoku: stones on the lines of a wooden board. */

import { s } from "../../lib/dom.js";
import { UNIT } from "../geometry.js";
import { grain, linear, radial, shadow, slab } from "./paint.js";

/** @import {Skin} from "../skins.js" */

const LINE = "#5a3b17";

/** The columns or rows of the star points. @param {number} size */
function stars(size) {
  if (size < 9) return [];
  const edge = size < 13 ? 2 : 3;
  return size % 2 ? [edge, (size - 1) / 2, size - 1 - edge] : [edge, size - 1 - edge];
}

/** @type {Skin} */
export const gomoku = {
  margin: 42,
  enter: "pop",
  flips: true,
  labels: true,
  ink: "#6b4a20",
  ground({ columns, rows, width, height, center }) {
    const margin = this.margin;
    const [left, top] = [UNIT / 2, UNIT / 2];
    const [right, bottom] = [width - left, height - top];
    let lines = "";
    for (let at = 1; at < columns - 1; at++) lines += `M${UNIT * (at + 0.5)} ${top}V${bottom}`;
    for (let at = 1; at < rows - 1; at++) lines += `M${left} ${UNIT * (at + 0.5)}H${right}`;
    const dots = stars(columns)
      .flatMap((column) =>
        stars(rows).map((row) => {
          const middle = [column, row].filter(
            (at, of) => at === ([columns, rows][of] - 1) / 2,
          ).length;
          if (middle === 1) return null;
          const [cx, cy] = center(row * columns + column);
          return s("circle", { cx, cy, r: 8, fill: LINE });
        }),
      )
      .filter((dot) => dot !== null);
    return [
      s(
        "defs",
        {},
        linear(
          "wood",
          [
            [0, "#edc98a"],
            [55, "#e3b871"],
            [100, "#dbab60"],
          ],
          0.4,
          1,
        ),
        radial("black-stone", [
          [0, "#6a6a6e"],
          [35, "#2c2c30"],
          [100, "#08080a"],
        ]),
        radial("white-stone", [
          [0, "#ffffff"],
          [55, "#f3f1ec"],
          [100, "#c9c4b8"],
        ]),
      ),
      slab(-margin, -margin, width + 2 * margin, height + 2 * margin, "url(#wood)"),
      grain(-margin, -margin, width + 2 * margin, height + 2 * margin, "#8a5a1e"),
      s("path", { d: lines, fill: "none", stroke: LINE, "stroke-width": 2.4 }),
      s("rect", {
        x: left,
        y: top,
        width: right - left,
        height: bottom - top,
        fill: "none",
        stroke: LINE,
        "stroke-width": 4,
      }),
      ...dots,
    ];
  },
  piece(code) {
    const fill = code === "0" ? "url(#black-stone)" : "url(#white-stone)";
    return s("g", {}, shadow(45, 0.3), s("circle", { r: 46, fill }));
  },
};
