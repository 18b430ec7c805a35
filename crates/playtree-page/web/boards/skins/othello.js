/** Othello: discs of two colours on green felt. */

import { s } from "../../lib/dom.js";
import { UNIT } from "../geometry.js";
import { linear, radial, shadow, slab } from "./paint.js";

/** @import {Skin} from "../skins.js" */

/** @type {Skin} */
export const othello = {
  margin: 46,
  enter: "pop",
  turn: true,
  flips: true,
  labels: true,
  ink: "#d8d3c8",
  ground({ columns, rows, width, height }) {
    const margin = this.margin;
    let lines = "";
    for (let at = 1; at < columns; at++) lines += `M${UNIT * at} 0V${height}`;
    for (let at = 1; at < rows; at++) lines += `M0 ${UNIT * at}H${width}`;
    const edge = columns >= 8 && rows >= 8 ? 2 : 0;
    const dots =
      edge === 0
        ? []
        : [edge, columns - edge].flatMap((column) =>
            [edge, rows - edge].map((row) =>
              s("circle", { cx: UNIT * column, cy: UNIT * row, r: 8 }),
            ),
          );
    return [
      s(
        "defs",
        {},
        linear(
          "felt",
          [
            [0, "#2f9362"],
            [100, "#1f7a4e"],
          ],
          0.5,
          1,
        ),
        linear("frame", [
          [0, "#3a3733"],
          [100, "#262421"],
        ]),
        radial("dark-disc", [
          [0, "#5b5d60"],
          [45, "#27282a"],
          [100, "#0e0f10"],
        ]),
        radial("light-disc", [
          [0, "#ffffff"],
          [60, "#f4f3ef"],
          [100, "#cfccc3"],
        ]),
      ),
      slab(-margin, -margin, width + 2 * margin, height + 2 * margin, "url(#frame)"),
      s("rect", { width, height, rx: 4, fill: "url(#felt)" }),
      s("path", { d: lines, stroke: "#0f5534", "stroke-width": 2.5, fill: "none" }),
      s("g", { fill: "#0f5534" }, ...dots),
    ];
  },
  piece(code) {
    const dark = code === "0";
    return s(
      "g",
      {},
      shadow(41, 0.32),
      s("circle", { cy: 2.5, r: 41, fill: dark ? "#dcdad2" : "#1b1c1d" }),
      s("circle", { cy: -1.5, r: 41, fill: `url(#${dark ? "dark" : "light"}-disc)` }),
    );
  },
};
