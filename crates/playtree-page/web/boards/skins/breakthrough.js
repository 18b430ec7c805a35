/** Breakthrough: pawns on the squares of a chessboard. */

import { s } from "../../lib/dom.js";
import { linear, slab } from "./paint.js";

/** @import {Skin} from "../skins.js" */

const PAWN =
  "M0 -36a15.5 15.5 0 0 1 11 26.5c7 2.5 10 6 10 9.5h-8c1 12 7 20 16 26c4 3 6 7 6 12h-70" +
  "c0 -5 2 -9 6 -12c9 -6 15 -14 16 -26h-8c0 -3.500 3 -7 10 -9.500a15.5 15.5 0 0 1 11 -26.5z";

/** @type {Skin} */
export const breakthrough = {
  margin: 40,
  enter: "pop",
  flips: true,
  labels: true,
  ink: "#e9dcc6",
  ground({ columns, rows, width, height, shape }) {
    const margin = this.margin;
    let dark = "";
    for (let cell = 0; cell < columns * rows; cell++) {
      if ((Math.floor(cell / columns) + (cell % columns)) % 2 === 1) dark += shape(cell);
    }
    return [
      s(
        "defs",
        {},
        linear("board-frame", [
          [0, "#6d4c33"],
          [100, "#54391f"],
        ]),
        linear("white-pawn", [
          [0, "#ffffff"],
          [100, "#e3ddd1"],
        ]),
        linear("black-pawn", [
          [0, "#5a5550"],
          [100, "#24211f"],
        ]),
      ),
      slab(-margin, -margin, width + 2 * margin, height + 2 * margin, "url(#board-frame)"),
      s("rect", { width, height, fill: "#efdcbc" }),
      s("path", { d: dark, fill: "#b68a5f" }),
    ];
  },
  piece(code) {
    const [fill, stroke] =
      code === "0" ? ["url(#white-pawn)", "#3c3630"] : ["url(#black-pawn)", "#0f0e0d"];
    return s(
      "g",
      {},
      s("ellipse", { cy: 36, rx: 35, ry: 8, fill: "#000", opacity: 0.2 }),
      s("path", { d: PAWN, fill, stroke, "stroke-width": 3.5, "stroke-linejoin": "round" }),
    );
  },
};
