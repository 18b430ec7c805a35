/** Tic-tac-toe: strokes of a pen. */

import { s } from "../../lib/dom.js";
import { UNIT } from "../geometry.js";

/** @import {Skin} from "../skins.js" */

/** @type {Skin} */
export const tictactoe = {
  margin: 12,
  enter: "draw",
  flips: false,
  ink: "var(--muted)",
  ground({ columns, rows, width, height }) {
    let lines = "";
    for (let at = 1; at < columns; at++) lines += `M${UNIT * at} 8V${height - 8}`;
    for (let at = 1; at < rows; at++) lines += `M8 ${UNIT * at}H${width - 8}`;
    return [
      s("rect", { class: "paper", x: -12, y: -12, width: width + 24, height: height + 24, rx: 12 }),
      s("path", { class: "pen", d: lines, "stroke-width": 3.5, "stroke-linecap": "round" }),
    ];
  },
  piece(code) {
    const stroke = { fill: "none", "stroke-width": 11, "stroke-linecap": "round", pathLength: 1 };
    return code === "0"
      ? s(
          "g",
          { class: "cross" },
          s("path", { d: "M-25 -25L25 25", ...stroke }),
          s("path", { d: "M25 -25L-25 25", ...stroke }),
        )
      : s("g", { class: "nought" }, s("circle", { r: 27, transform: "rotate(-90)", ...stroke }));
  },
};
