/** Gradients and grounds that several boards share. */

import { s } from "../../lib/dom.js";

/**
 * @param {string} id
 * @param {[number, string][]} stops offset in percent and colour
 */
export function radial(id, stops, cx = 0.36, cy = 0.3, r = 0.78) {
  return s("radialGradient", { id, cx, cy, r }, ...stops.map(stop));
}

/** @param {string} id @param {[number, string][]} stops */
export function linear(id, stops, x2 = 0, y2 = 1) {
  return s("linearGradient", { id, x1: 0, y1: 0, x2, y2 }, ...stops.map(stop));
}

/** @param {[number, string]} at */
const stop = ([offset, colour]) => s("stop", { offset: `${offset}%`, "stop-color": colour });

/**
 * A slab with a soft edge.
 * @param {number} x @param {number} y @param {number} width @param {number} height
 * @param {string} fill
 */
export function slab(x, y, width, height, fill, rx = 14) {
  return s("rect", { x, y, width, height, rx, fill });
}

/**
 * Lines of a piece of wood, the same each time.
 * @param {number} x @param {number} y @param {number} width @param {number} height
 * @param {string} colour
 */
export function grain(x, y, width, height, colour) {
  const lines = [];
  let seed = 7;
  const random = () => (seed = (seed * 16807) % 2147483647) / 2147483647;
  for (let at = x + 8; at < x + width - 8; at += 14 + 26 * random()) {
    const bend = (random() - 0.5) * 26;
    const [one, two] = [y + height * 0.33, y + height * 0.66];
    const d =
      `M${at.toFixed(1)} ${y}C${(at + bend).toFixed(1)} ${one} ${(at - bend).toFixed(1)} ${two} ` +
      `${(at + bend / 2).toFixed(1)} ${y + height}`;
    lines.push(
      s("path", {
        d,
        "stroke-width": (1 + 3 * random()).toFixed(1),
        opacity: (0.05 + 0.11 * random()).toFixed(2),
      }),
    );
  }
  return s("g", { fill: "none", stroke: colour, "clip-path": "inset(0 round 14px)" }, ...lines);
}

/** The shadow of a round piece. @param {number} radius */
export function shadow(radius, opacity = 0.28) {
  return s("ellipse", { cx: 2, cy: 5, rx: radius, ry: radius, fill: "#000", opacity });
}
