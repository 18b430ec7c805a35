/** Short animations of pieces. Nothing waits for them, and who wants no motion sees none. */

import { still } from "../lib/dom.js";

/** All in milliseconds, and below 200. */
const TIME = 170;

/**
 * @param {Element} node
 * @param {Keyframe[]} frames
 * @param {string} easing
 */
function run(node, frames, easing, duration = TIME) {
  if (still()) return null;
  return node.animate(frames, { duration, easing, fill: "backwards" });
}

/** @param {Element} node @param {"pop" | "drop" | "draw" | "none"} how @param {number} height */
export function enter(node, how, height) {
  if (how === "pop") {
    run(
      node,
      [
        { transform: "scale(0.6)", opacity: 0 },
        { transform: "none", opacity: 1 },
      ],
      "ease-out",
      130,
    );
  } else if (how === "drop") {
    run(
      node,
      [
        { transform: `translateY(${-height}px)`, easing: "cubic-bezier(0.5, 0, 0.9, 0.6)" },
        { transform: "none", offset: 0.78 },
        { transform: "translateY(-9px)", offset: 0.89 },
        { transform: "none" },
      ],
      "linear",
      195,
    );
  } else if (how === "draw") {
    for (const stroke of node.querySelectorAll("path, circle")) {
      run(
        stroke,
        [
          { strokeDasharray: "1", strokeDashoffset: 1 },
          { strokeDasharray: "1", strokeDashoffset: 0 },
        ],
        "ease-out",
      );
    }
  }
}

/** @param {Element} node @param {number} x @param {number} y from where, seen from where it is */
export function slide(node, x, y) {
  run(
    node,
    [{ transform: `translate(${x}px, ${y}px)` }, { transform: "none" }],
    "cubic-bezier(0.2, 0.7, 0.3, 1)",
  );
}

/**
 * Turns one side over and shows the other. What lies in `holder`, which has the place of the piece,
 * is moved, and the holder removed.
 * @param {Element} holder @param {Element} after
 */
export function turnOver(holder, after) {
  const half = TIME / 2;
  const before = holder.firstElementChild ?? holder;
  const going = run(before, [{ transform: "none" }, { transform: "scaleX(0)" }], "ease-in", half);
  if (!going) {
    holder.remove();
    return;
  }
  going.finished.catch(() => null).then(() => holder.remove());
  after.animate(
    [
      { transform: "scaleX(0)", opacity: 0 },
      { transform: "scaleX(0)", opacity: 1, offset: 0.5 },
      { transform: "none", opacity: 1 },
    ],
    { duration: TIME, easing: "ease-out", fill: "backwards" },
  );
}

/** @param {Element} node */
export function leave(node) {
  const going = run(node, [{ opacity: 1 }, { opacity: 0 }], "ease-in", 110);
  if (!going) node.remove();
  else going.finished.catch(() => null).then(() => node.remove());
}
