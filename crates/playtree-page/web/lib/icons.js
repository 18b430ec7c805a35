/** Icons as strokes on 24 by 24. */

import { s } from "./dom.js";

const paths = {
  first: "M18 5l-8 7 8 7M6 5v14",
  back: "M15 5l-7 7 7 7",
  forward: "M9 5l7 7-7 7",
  last: "M6 5l8 7-8 7M18 5v14",
  flip: "M7 4v15m0 0l-3.500-3.500M7 19l3.500-3.500M17 20V5m0 0l-3.500 3.500M17 5l3.500 3.500",
  takeBack: "M9 5L4 10l5 5M4 10h10a6 5 0 0 1 0 10h-3",
  hint: "M9 18h6M10 21h4M12 3a6 6 0 0 0-3.500 10.900c.6.5 1 1.200 1 2.100h5c0-.9.4-1.600 1-2.100A6 6 0 0 0 12 3z",
  flag: "M6 21V4m0 1c4-2 7 2 12 0v9c-5 2-8-2-12 0",
  draw: "M5 9h14M5 15h14",
  play: "M7 4.500l12 7.500-12 7.500z",
  pause: "M8 5v14M16 5v14",
  another: "M20 6v5h-5M20 11a8 8 0 1 0 .5 4",
  plus: "M12 5v14M5 12h14",
  sun: "M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM12 2v2M12 20v2M2 12h2M20 12h2M5 5l1.400 1.400M17.600 17.600L19 19M19 5l-1.400 1.400M6.400 17.600L5 19",
  moon: "M20 14.500A8.500 8.500 0 0 1 9.500 4a8.500 8.500 0 1 0 10.500 10.500z",
  auto: "M12 3a9 9 0 1 0 0 18zM12 3a9 9 0 0 1 0 18",
  keys: "M3 6h18v12H3zM7 10h.01M11 10h.01M15 10h.01M7 14h10",
  heat: "M5 16a3 3 0 1 0 6 0 3 3 0 0 0-6 0zM12 8a4.500 4.500 0 1 0 9 0 4.500 4.500 0 0 0-9 0zM4 6a2 2 0 1 0 4 0 2 2 0 0 0-4 0z",
  open: "M9 6l6 6-6 6",
  close: "M6 6l12 12M18 6L6 18",
};

/** @typedef {keyof typeof paths} Icon */

/** @param {Icon} name */
export function icon(name) {
  return s(
    "svg",
    { class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true" },
    s("path", { d: paths[name] }),
  );
}
