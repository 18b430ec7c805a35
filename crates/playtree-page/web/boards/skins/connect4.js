/** Connect Four: discs that fall behind a blue rack. */

import { s } from "../../lib/dom.js";
import { linear, radial, slab } from "./paint.js";

/** @import {Skin} from "../skins.js" */

const HOLE = 40;

/** @type {Skin} */
export const connect4 = {
  margin: 30,
  enter: "drop",
  columns: true,
  flips: false,
  ink: "#dbe6fb",
  ground({ width, height }) {
    return [
      s(
        "defs",
        {},
        linear("rack", [
          [0, "#3d7be8"],
          [100, "#2257bd"],
        ]),
        radial("red-disc", [
          [0, "#ff8a7a"],
          [55, "#e5473a"],
          [100, "#bf2b22"],
        ]),
        radial("yellow-disc", [
          [0, "#ffedA0"],
          [55, "#f9c932"],
          [100, "#d99f12"],
        ]),
      ),
      slab(0, 0, width, height, "#16264a", 30),
    ];
  },
  front({ columns, rows, width, height, center }) {
    const margin = this.margin;
    let holes =
      `M${-margin + 34} ${-margin}H${width + margin - 34}q34 0 34 34V${height + margin - 34}` +
      `q0 34 -34 34H${-margin + 34}q-34 0 -34 -34V${-margin + 34}q0 -34 34 -34z`;
    const rims = [];
    for (let cell = 0; cell < columns * rows; cell++) {
      const [x, y] = center(cell);
      holes += `M${x - HOLE} ${y}a${HOLE} ${HOLE} 0 1 0 ${2 * HOLE} 0a${HOLE} ${HOLE} 0 1 0 ${-2 * HOLE} 0z`;
      rims.push(s("circle", { cx: x, cy: y, r: HOLE + 1.5 }));
    }
    return [
      s("path", { d: holes, fill: "url(#rack)", "fill-rule": "evenodd" }),
      s("g", { fill: "none", stroke: "#1b479c", "stroke-width": 4, opacity: 0.8 }, ...rims),
    ];
  },
  piece(code) {
    const [fill, ring] =
      code === "0" ? ["url(#red-disc)", "#9f1f18"] : ["url(#yellow-disc)", "#b98406"];
    return s(
      "g",
      {},
      s("circle", { r: 45, fill }),
      s("circle", { r: 29, fill: "none", stroke: ring, "stroke-width": 3, opacity: 0.45 }),
    );
  },
};
