/** The keys, and the window that names them. */

import { h } from "../lib/dom.js";
import { iconButton } from "../lib/controls.js";
import { t } from "../words.js";
import { offerDraw } from "../table/draw.js";
import { findHint } from "../table/duty.js";

/** @import {Page} from "../page.js" */
/** @import {Key} from "../words.js" */

/** @type {[string, Key][]} */
const SHOWN = [
  ["← →", "keys.walk"],
  ["Home End", "keys.ends"],
  ["B", "keys.board"],
  ["← ↑ → ↓", "keys.cursor"],
  ["Enter", "keys.enter"],
  ["Esc", "keys.escape"],
  ["N", "keys.new"],
  ["U", "takeBack"],
  ["H", "hint"],
  ["G", "go"],
  ["X", "another"],
  ["D", "draw"],
  ["F", "flip"],
  ["M", "heat"],
  ["A", "keys.analyse"],
  ["1 2 3", "keys.tabs"],
  ["?", "keys"],
];

export function keysWindow() {
  const element = h(
    "dialog",
    { class: "keys", "aria-label": t("keys") },
    h(
      "div",
      { class: "head" },
      h("h2", {}, t("keys")),
      iconButton("close", t("close"), () => element.close()),
    ),
    h(
      "dl",
      {},
      ...SHOWN.map(([key, what]) =>
        h(
          "div",
          {},
          h("dt", {}, ...key.split(" ").map((one) => h("kbd", {}, one))),
          h("dd", {}, t(what)),
        ),
      ),
    ),
  );
  element.addEventListener("click", (event) => event.target === element && element.close());
  return { element, open: () => element.open || element.showModal() };
}

/** @param {Page} page @param {KeyboardEvent} event */
export function onKey(page, event) {
  const { table } = page;
  const target = event.target instanceof Element ? event.target : null;
  if (
    event.ctrlKey ||
    event.metaKey ||
    event.altKey ||
    target?.closest("input, textarea, select, dialog[open]")
  )
    return;
  /** @type {Record<string, () => void>} */
  const acts = {
    ArrowLeft: () => void table.walk(-1),
    ArrowRight: () => void table.walk(1),
    Home: () => void table.walk(-Infinity),
    End: () => void table.walk(Infinity),
    Escape: () => void table.look(null),
    b: () => page.board.focus(),
    n: () => void table.begin({ game: table.view.game, position: page.startPosition(), moves: [] }),
    u: () => void table.takeBack(),
    h: () => table.yours && void findHint(table),
    g: () => void table.moveNow(),
    x: () => table.yours && table.mode === "play" && void table.forbid(),
    d: () => offerDraw(table),
    f: () => page.flip(),
    m: () => page.toggleHeat(),
    a: () => void table.setMode(table.mode === "analyse" ? "play" : "analyse"),
    1: () => page.tab("search"),
    2: () => page.tab("tree"),
    3: () => page.tab("text"),
    "?": () => page.keys.open(),
  };
  const act = acts[event.key] ?? acts[event.key.toLowerCase()];
  if (!act) return;
  event.preventDefault();
  act();
}
