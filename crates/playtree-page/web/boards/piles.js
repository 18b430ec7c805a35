/** Nim: piles of tokens. A click on a token takes it and all above it. */

import { h, s } from "../lib/dom.js";
import { t } from "../words.js";

/** @import {Move, PilesBoard} from "../types.js" */
/** @import {BoardView, Scene} from "./board.js" */

const DEFS = "nim-token";
/** Moves with a smaller share of the most visits are not marked. */
const LEAST_HEAT = 0.01;

/** @implements {BoardView} */
export class PilesView {
  element = h("div", { class: "board piles", role: "group" });
  ratio = 1.2;
  #shown = "";

  /** @param {(move: string) => void} play */
  constructor(play) {
    this.play = play;
    this.element.addEventListener("keydown", (event) => this.#key(event));
  }

  /** @param {Scene} scene */
  show(scene) {
    const board = /** @type {PilesBoard} */ (scene.board);
    const shown = JSON.stringify([
      board.piles,
      scene.moves.length,
      scene.hint,
      scene.marks,
      t("board"),
    ]);
    if (shown === this.#shown) return;
    this.#shown = shown;
    const focus = document.activeElement?.getAttribute("data-token");
    this.element.setAttribute("aria-label", t("board"));
    const most = Math.max(7, ...board.piles);
    this.element.replaceChildren(
      ...board.piles.map((count, pile) => this.#pile(scene, pile, count, most)),
    );
    this.element.classList.toggle("preview", scene.preview);
    if (focus) this.#focusToken(focus);
  }

  /** @param {Scene} scene @param {number} pile @param {number} count @param {number} most */
  #pile(scene, pile, count, most) {
    const tokens = [];
    for (let at = count; at >= 1; at--) {
      const taken = count - at + 1;
      const move = scene.moves.find((one) => takes(one, pile) === taken);
      const hinted = scene.hint !== null && takes(scene.hint, pile) >= taken;
      const mark = scene.marks.find((one) => takes(one.move, pile) === taken);
      tokens.push(
        h(
          "button",
          {
            class: `token${hinted ? " hinted" : ""}${mark?.best ? " best" : ""}`,
            type: "button",
            disabled: !move,
            "data-heat": mark && mark.share > LEAST_HEAT ? mark.text : null,
            "data-token": `${pile}-${at}`,
            "aria-label": t("nim.take", { count: taken, pile: pile + 1 }),
            onclick: () => move && this.play(move.text),
          },
          tokenShape(),
        ),
      );
    }
    const stack = h("div", { class: "stack" }, ...tokens);
    stack.style.setProperty("--most", String(most));
    return h("div", { class: "pile" }, stack, h("span", { class: "count" }, String(count)));
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const token = document.activeElement?.getAttribute("data-token");
    const steps = /** @type {Record<string, [number, number]>} */ ({
      ArrowLeft: [-1, 0],
      ArrowRight: [1, 0],
      ArrowUp: [0, 1],
      ArrowDown: [0, -1],
    });
    const step = steps[event.key];
    if (!token || !step) return;
    const [pile, at] = token.split("-").map(Number);
    this.#focusToken(`${pile + step[0]}-${at + step[1]}`);
    event.preventDefault();
    event.stopPropagation();
  }

  /** @param {string} token */
  #focusToken(token) {
    const [pile] = token.split("-");
    const found =
      this.element.querySelector(`[data-token="${token}"]`) ??
      this.element.querySelector(`[data-token^="${pile}-"]`);
    if (found instanceof HTMLElement) found.focus();
  }

  focus() {
    this.element.querySelector("button")?.focus();
  }
}

/**
 * How many tokens of a pile a move takes; 0 of another pile.
 * @param {Move} move @param {number} pile
 */
export function takes(move, pile) {
  if (move.from !== pile) return 0;
  return Number(/\d+$/.exec(move.text)?.[0] ?? 0);
}

function tokenShape() {
  return s(
    "svg",
    { viewBox: "0 0 100 40", "aria-hidden": "true" },
    s(
      "defs",
      {},
      s(
        "linearGradient",
        { id: DEFS, x1: 0, y1: 0, x2: 1, y2: 0 },
        s("stop", { offset: "0%", "stop-color": "#b7793e" }),
        s("stop", { offset: "45%", "stop-color": "#e2ae72" }),
        s("stop", { offset: "100%", "stop-color": "#9c602b" }),
      ),
    ),
    s("path", { d: "M4 12v14a46 12 0 0 0 92 0v-14z", fill: `url(#${DEFS})` }),
    s("ellipse", { cx: 50, cy: 13, rx: 46, ry: 12, fill: "#f0c691" }),
    s("ellipse", {
      cx: 50,
      cy: 13,
      rx: 30,
      ry: 7,
      fill: "none",
      stroke: "#c08a4c",
      "stroke-width": 2,
    }),
  );
}
