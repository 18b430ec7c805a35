/** Xiangqi: round pieces with characters on the lines of a board with river and palaces. */

import { s } from "../../lib/dom.js";
import { UNIT } from "../geometry.js";
import { grain, linear, radial, shadow, slab } from "./paint.js";

/** @import {Skin} from "../skins.js" */

const LINE = "#6b4423";

/** The characters of the pieces: upper case letters are Red's. @type {Record<string, string>} */
const CHARACTERS = {
  K: "帥",
  A: "仕",
  B: "相",
  N: "傌",
  R: "俥",
  C: "炮",
  P: "兵",
  k: "將",
  a: "士",
  b: "象",
  n: "馬",
  r: "車",
  c: "砲",
  p: "卒",
};

/** The marks of the points of cannons and soldiers. */
function corners() {
  const points = [
    [1, 2],
    [7, 2],
    [1, 7],
    [7, 7],
  ];
  for (let column = 0; column < 9; column += 2) points.push([column, 3], [column, 6]);
  let d = "";
  for (const [column, row] of points) {
    const [x, y] = [UNIT * (column + 0.5), UNIT * (row + 0.5)];
    for (const [right, down] of [
      [-1, -1],
      [1, -1],
      [-1, 1],
      [1, 1],
    ]) {
      if ((column === 0 && right < 0) || (column === 8 && right > 0)) continue;
      d += `M${x + 7 * right} ${y + 22 * down}v${-15 * down}h${15 * right}`;
    }
  }
  return d;
}

/** @param {string} text @param {number} x @param {number} y */
function riverText(text, x, y) {
  return s(
    "text",
    {
      x,
      y,
      class: "river",
      fill: LINE,
      "text-anchor": "middle",
      "dominant-baseline": "central",
      "aria-hidden": "true",
    },
    text,
  );
}

/** @type {Skin} */
export const xiangqi = {
  margin: 44,
  enter: "pop",
  flips: true,
  labels: true,
  ink: "#7d552c",
  ground({ width, height }) {
    const margin = this.margin;
    const half = UNIT / 2;
    const [right, bottom] = [width - half, height - half];
    let lines = "";
    for (let row = 1; row < 9; row++) lines += `M${half} ${UNIT * row + half}H${right}`;
    for (let column = 1; column < 8; column++) {
      const x = UNIT * column + half;
      lines += `M${x} ${half}V${UNIT * 4 + half}M${x} ${UNIT * 5 + half}V${bottom}`;
    }
    for (const top of [half, UNIT * 7 + half]) {
      const [left, wide] = [UNIT * 3 + half, 2 * UNIT];
      lines += `M${left} ${top}l${wide} ${wide}M${left + wide} ${top}l${-wide} ${wide}`;
    }
    return [
      s(
        "defs",
        {},
        linear(
          "xiangqi-wood",
          [
            [0, "#f4dcae"],
            [60, "#ecce97"],
            [100, "#e4c185"],
          ],
          0.3,
          1,
        ),
        radial(
          "piece-face",
          [
            [0, "#fffaf0"],
            [60, "#f8e8c8"],
            [100, "#e6cb98"],
          ],
          0.4,
          0.32,
          0.8,
        ),
        linear("piece-edge", [
          [0, "#d9b273"],
          [100, "#a87a3d"],
        ]),
      ),
      slab(-margin, -margin, width + 2 * margin, height + 2 * margin, "url(#xiangqi-wood)"),
      grain(-margin, -margin, width + 2 * margin, height + 2 * margin, "#a0702e"),
      s("rect", {
        x: half - 10,
        y: half - 10,
        width: right - half + 20,
        height: bottom - half + 20,
        fill: "none",
        stroke: LINE,
        "stroke-width": 5,
      }),
      s("rect", {
        x: half,
        y: half,
        width: right - half,
        height: bottom - half,
        fill: "none",
        stroke: LINE,
        "stroke-width": 2.5,
      }),
      s("path", { d: lines, fill: "none", stroke: LINE, "stroke-width": 2.5 }),
      s("path", { d: corners(), fill: "none", stroke: LINE, "stroke-width": 2.5 }),
      riverText("楚 河", UNIT * 2.5, UNIT * 5),
      riverText("漢 界", UNIT * 6.5, UNIT * 5),
    ];
  },
  piece(code, letters) {
    const red = code === code.toUpperCase();
    const colour = red ? "#b3231a" : "#1d2b26";
    return s(
      "g",
      {},
      shadow(43, 0.3),
      s("circle", { r: 44.5, fill: "url(#piece-edge)" }),
      s("circle", { cy: -1.5, r: 42.5, fill: "url(#piece-face)" }),
      s("circle", { cy: -1.5, r: 36, fill: "none", stroke: colour, "stroke-width": 2.6 }),
      s(
        "text",
        {
          class: letters ? "letter" : "character",
          y: letters ? 0 : -1,
          fill: colour,
          "text-anchor": "middle",
          "dominant-baseline": "central",
          "aria-hidden": "true",
        },
        letters ? code.toUpperCase() : (CHARACTERS[code] ?? code),
      ),
    );
  },
};
