/** Dou Dizhu: two open hands; cards are picked, then played. */

import { h } from "../lib/dom.js";
import { sideName } from "./naming.js";
import { maybe, t } from "../words.js";

/** @import {CardsBoard, Move} from "../types.js" */
/** @import {BoardView, Scene} from "./board.js" */

/** @implements {BoardView} */
export class CardsTable {
  element = h("div", { class: "board cards", role: "group" });
  ratio = 1.2;
  /** The cards picked, by their places in the hand. @type {Set<number>} */
  picked = new Set();
  /** @type {Scene | null} */
  #scene = null;
  #shown = "";

  /** @param {(move: string) => void} play */
  constructor(play) {
    this.play = play;
  }

  /** @param {Scene} scene */
  show(scene) {
    const key = JSON.stringify([
      scene.board,
      scene.moves.map((move) => move.text),
      scene.hint,
      scene.flipped,
      t("board"),
    ]);
    if (key === this.#shown) return;
    this.#shown = key;
    this.#scene = scene;
    this.picked.clear();
    this.element.setAttribute("aria-label", t("board"));
    this.element.classList.toggle("preview", scene.preview);
    this.#draw();
  }

  #draw() {
    const scene = this.#scene;
    if (!scene) return;
    const board = /** @type {CardsBoard} */ (scene.board);
    const order = scene.flipped ? [0, 1] : [1, 0];
    this.element.replaceChildren(
      this.#hand(scene, board, order[0]),
      this.#middle(scene, board),
      this.#hand(scene, board, order[1]),
    );
  }

  /** @param {Scene} scene @param {CardsBoard} board @param {number} player */
  #hand(scene, board, player) {
    const mine = scene.moves.length > 0 && player === scene.mover;
    const hinted = mine && scene.hint ? cardsOf(scene.hint) : [];
    const cards = board.hands[player].map((rank, at) => {
      const lit = hinted.indexOf(rank);
      if (lit >= 0) hinted.splice(lit, 1);
      return h("button", {
        class: `${look(rank)}${this.picked.has(at) && mine ? " picked" : ""}${lit >= 0 ? " hinted" : ""}`,
        "data-face": face(rank),
        type: "button",
        disabled: !mine,
        "aria-pressed": mine ? String(this.picked.has(at)) : null,
        "aria-label": rankName(rank),
        onclick: () => this.#pick(at),
      });
    });
    const name = sideName(scene.game, player);
    return h("div", { class: "hand", role: "group", "aria-label": name }, ...cards);
  }

  /** @param {Scene} scene @param {CardsBoard} board */
  #middle(scene, board) {
    const beat = board.to_beat;
    const table = h(
      "div",
      { class: "to-beat" },
      h("span", { class: "quiet" }, beat ? t("cards.beat") : t("cards.lead")),
      beat
        ? h(
            "span",
            { class: "laid" },
            ...beat.map((rank) =>
              h("span", {
                class: `${look(rank)} small`,
                "data-face": face(rank),
                role: "img",
                "aria-label": rankName(rank),
              }),
            ),
          )
        : null,
    );
    const moves = this.#matching(scene, board);
    const play =
      moves.length > 0
        ? moves.map((move) =>
            h(
              "button",
              { type: "button", class: "primary", onclick: () => this.play(move.text) },
              moves.length === 1 ? t("cards.play") : move.text,
            ),
          )
        : [h("button", { type: "button", class: "primary", disabled: true }, t("cards.play"))];
    const pass = scene.moves.find((move) => move.text === "pass");
    return h(
      "div",
      { class: "middle" },
      table,
      h(
        "div",
        { class: "row" },
        ...play,
        h(
          "button",
          { type: "button", disabled: !pass, onclick: () => pass && this.play(pass.text) },
          t("cards.pass"),
        ),
      ),
    );
  }

  /** The moves that play the cards picked. @param {Scene} scene @param {CardsBoard} board */
  #matching(scene, board) {
    if (this.picked.size === 0) return [];
    const picked = [...this.picked]
      .map((at) => board.hands[scene.mover][at])
      .sort()
      .join();
    return scene.moves.filter((move) => cardsOf(move).sort().join() === picked);
  }

  /** @param {number} at */
  #pick(at) {
    if (!this.picked.delete(at)) this.picked.add(at);
    const focused = [...this.element.querySelectorAll(".card")].indexOf(
      /** @type {Element} */ (document.activeElement),
    );
    this.#draw();
    /** @type {NodeListOf<HTMLElement>} */ (this.element.querySelectorAll(".card"))[
      focused
    ]?.focus();
  }

  focus() {
    /** @type {HTMLElement | null} */ (
      this.element.querySelector(".card:not([disabled])")
    )?.focus();
  }
}

/** @param {Move} move @returns {string[]} */
function cardsOf(move) {
  return move.text === "pass" ? [] : [...move.text.replace(/:.*$/, "")];
}

/** @param {string} rank */
function rankName(rank) {
  return maybe(`rank.${rank}`) ?? (rank === "T" ? "10" : rank);
}

/** What stands on a card; a style puts it into the corner and the middle. @param {string} rank */
function face(rank) {
  if (rank === "B" || rank === "R") return t("cards.joker");
  return rank === "T" ? "10" : rank;
}

/** @param {string} rank */
function look(rank) {
  return `card${rank === "R" ? " red" : ""}${rank === "B" || rank === "R" ? " joker" : ""}`;
}
