/** A position set up by hand: pieces are chosen, and set on a board of their own. */

import { boardView } from "../boards/board.js";
import { pieceName, sideName } from "../boards/naming.js";
import { skinOf } from "../boards/skins.js";
import { h, s, say } from "../lib/dom.js";
import { number, segments } from "../lib/controls.js";
import { prefs } from "../prefs.js";
import {
  BY_HAND,
  MOST_IN_PILE,
  MOST_PILES,
  choosesMover,
  piecesOf,
  positionText,
} from "../table/positions.js";
import { maybe, t } from "../words.js";

/** @import {Board, GridBoard, PilesBoard} from "../types.js" */
/** @import {Table} from "../table/table.js" */

/** @param {Table} table */
export function byHand(table) {
  const body = h("div", { class: "by-hand" });
  const element = h(
    "details",
    { class: "by-hand-card", ontoggle: () => toggled() },
    h("summary", { title: t("hand.hint") }, t("hand")),
    body,
  );
  /** Beside the board on a phone; it is read out where all errors are. */
  const problem = h("p", { class: "refusal", hidden: true });
  let game = "";
  /** @type {Board} */
  let board;
  let mover = 0;
  /** The piece that a click sets; empty to take one away. */
  let brush = "";

  /** The browser says so late: by then the panel may be in use. */
  function toggled() {
    if (!element.open) game = "";
    else if (game === "") begin();
  }

  /** Takes the position of the game. */
  function begin() {
    body.replaceChildren();
    ({ game } = table.view);
    board = structuredClone(table.view.board);
    mover = table.view.mover;
    problem.hidden = true;
    const pieces = piecesOf(game);
    if (!pieces) {
      const names = BY_HAND.map((one) => maybe(`game.${one}`) ?? one).join(", ");
      body.append(h("p", { class: "quiet" }, t("hand.games", { games: names })));
      return;
    }
    brush = pieces[0] ?? "";
    draw();
  }

  function draw() {
    if (board.kind === "cards") return;
    body.replaceChildren(
      ...(board.kind === "grid" ? setting(board) : [piles(board)]),
      choosesMover(game)
        ? segments(
            t("hand.mover"),
            [0, 1].map((side) => [
              String(side),
              t("hand.moves", { side: sideName(game, side) }),
            ]),
            String(mover),
            (side) => {
              mover = Number(side);
              draw();
              focus(`[aria-label="${t("hand.mover")}"] [data-value="${side}"]`);
            },
          )
        : h("p", { class: "quiet" }, t("hand.marks")),
      h(
        "div",
        { class: "row" },
        h("button", { type: "button", class: "primary", onclick: () => void use() }, t("hand.use")),
        h("button", { type: "button", onclick: clear }, t("hand.clear")),
      ),
      problem,
    );
  }

  /** The pieces to choose from, and the board. @param {GridBoard} grid */
  function setting(grid) {
    const view = boardView("grid", (cell) => {
      grid.cells[Number(cell)] = grid.cells[Number(cell)] === brush ? "" : brush;
      show();
    });
    const show = () =>
      view.show({
        game,
        board: { ...grid, last: [] },
        mover,
        moves: grid.cells.map((_, cell) => ({ text: String(cell), from: null, to: cell })),
        marks: [],
        hint: null,
        flipped: false,
        letters: prefs.letters,
        preview: false,
        step: null,
        brush,
      });
    const skin = skinOf(game, grid);
    const choices = [...(piecesOf(game) ?? []), ""].map((code) => {
      const name = code === "" ? t("hand.empty") : pieceName(game, code);
      const choice = h(
        "button",
        {
          type: "button",
          "data-piece": code,
          title: name,
          "aria-label": name,
          "aria-pressed": String(code === brush),
          onclick: () => {
            brush = code;
            for (const one of choices)
              one.setAttribute("aria-pressed", String(one.dataset.piece === code));
            show();
          },
        },
        s(
          "svg",
          { viewBox: "-50 -50 100 100", "aria-hidden": "true" },
          code === ""
            ? s("path", { class: "nothing", d: "M-22 -22L22 22M22 -22L-22 22" })
            : skin.piece(code, prefs.letters),
        ),
      );
      return choice;
    });
    show();
    return [
      h("div", { class: "palette", role: "group", "aria-label": t("hand.pieces") }, ...choices),
      view.element,
    ];
  }

  /** @param {PilesBoard} heap */
  function piles(heap) {
    heap.piles = Array.from({ length: MOST_PILES }, (_, pile) => heap.piles[pile] ?? 0);
    return h(
      "div",
      { class: "heap" },
      ...heap.piles.map((value, pile) =>
        number(
          t("hand.pile", { pile: pile + 1 }),
          { value, min: 0, max: MOST_IN_PILE, step: 1 },
          (count) => (heap.piles[pile] = Math.round(count)),
        ),
      ),
    );
  }

  function clear() {
    if (board.kind === "grid") board.cells.fill("");
    if (board.kind === "piles") board.piles.fill(0);
    draw();
  }

  async function use() {
    await table.begin({ game, position: positionText(game, board, mover), moves: [] });
    const { refused } = table;
    problem.hidden = refused === null;
    if (refused)
      say(problem, maybe(`error.${refused.code}`) ?? t("error", { message: refused.message }));
  }

  /** @param {string} which */
  function focus(which) {
    /** @type {HTMLElement | null} */ (body.querySelector(which))?.focus();
  }

  return {
    element,
    update() {
      if (element.open && table.view.game !== game) begin();
    },
  };
}
