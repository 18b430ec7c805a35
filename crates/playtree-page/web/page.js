/** The page around a table: the board in the middle, the panels beside it. */

import { boardView } from "./boards/board.js";
import { h, put, set } from "./lib/dom.js";
import { bar } from "./panels/search/bar.js";
import { controls } from "./panels/controls.js";
import { curve } from "./panels/search/curve.js";
import { header } from "./panels/header.js";
import { keysWindow } from "./panels/keys.js";
import { moves } from "./panels/moves.js";
import { news } from "./panels/news.js";
import { others } from "./panels/others.js";
import { searchPanel } from "./panels/search/search.js";
import { setup } from "./panels/setup.js";
import { strip } from "./panels/strip.js";
import { textPanel } from "./panels/text.js";
import { treePanel } from "./panels/search/tree.js";
import { keep, prefs } from "./prefs.js";
import { sceneOf } from "./scene.js";
import { readLink } from "./table/link.js";
import { speak, t } from "./words.js";

/** @import {BoardView} from "./boards/board.js" */
/** @import {Table} from "./table/table.js" */
/** @typedef {"search" | "tree" | "text"} Tab */

const TABS = /** @type {const} */ (["search", "tree", "text"]);

export class Page {
  /** Whether the board is seen from the other side; by itself from the person's. @type {boolean} */
  turned = false;
  /** @type {Tab} */
  #tab = "search";
  #kind = "";
  /** @type {BoardView} */
  board;
  /** @type {{update: () => void}[]} */
  #parts = [];
  #two = false;

  /** @param {Table} table @param {Element} root */
  constructor(table, root) {
    this.table = table;
    this.root = root;
    this.board = boardView("grid", (move) => void table.play(move));
    this.keys = keysWindow();
    this.place = h("div", { class: "board-place" });
  }

  get heat() {
    return prefs.heat;
  }

  get flipped() {
    const mine = this.table.mode === "play" && prefs.side === 1;
    return this.turned !== mine;
  }

  /** Draws everything anew, in the language chosen. */
  build() {
    const { table } = this;
    speak(prefs.language);
    document.title = "playtree";
    this.#kind = "";
    this.#two = table.mode === "watch" || table.mode === "compare";
    this.place = h("div", { class: "board-place" });
    this.keys = keysWindow();
    const top = header(this);
    const left = setup(this);
    const list = moves(table);
    const said = news(table);
    const away = strip(table, () => (this.flipped ? 0 : 1));
    const home = strip(table, () => (this.flipped ? 1 : 0));
    const side = bar(table, () => this.flipped);
    const beside = others(table);
    const buttons = controls(this);
    const line = curve(table);
    const searches = [0, 1]
      .slice(0, this.#two ? 2 : 1)
      .map((at) => searchPanel(table, at, this.#two));
    const tree = treePanel(table);
    const text = textPanel(table);
    this.panels = {
      search: h(
        "div",
        { class: "panel", role: "tabpanel", id: "panel-search", "aria-labelledby": "tab-search" },
        line.element,
        ...searches.map((one) => one.element),
      ),
      tree: h(
        "div",
        { class: "panel", role: "tabpanel", id: "panel-tree", "aria-labelledby": "tab-tree" },
        tree.element,
      ),
      text: h(
        "div",
        { class: "panel", role: "tabpanel", id: "panel-text", "aria-labelledby": "tab-text" },
        text.element,
      ),
    };
    this.tabs = h(
      "div",
      { class: "tabs", role: "tablist", "aria-label": t("panels") },
      ...TABS.map((one) =>
        h(
          "button",
          {
            type: "button",
            role: "tab",
            id: `tab-${one}`,
            "aria-controls": `panel-${one}`,
            title: t(`tab.${one}.hint`),
            onclick: () => this.tab(one),
          },
          t(`tab.${one}`),
        ),
      ),
    );
    this.readTree = tree.read;
    this.root.replaceChildren();
    put(
      this.root,
      top.element,
      h(
        "main",
        {},
        h("div", { class: "left" }, left.element, list.element),
        h(
          "div",
          { class: "middle-column" },
          away.element,
          h("div", { class: "board-row" }, side.element, this.place),
          home.element,
          beside.element,
          buttons.element,
          said.result,
          said.error,
        ),
        h(
          "div",
          { class: "right-column card" },
          this.tabs,
          this.panels.search,
          this.panels.tree,
          this.panels.text,
        ),
      ),
      said.live,
      this.keys.element,
    );
    this.#parts = [
      top,
      left,
      list,
      said,
      away,
      home,
      side,
      beside,
      buttons,
      line,
      ...searches,
      tree,
      text,
    ];
    this.tab(this.#tab);
    this.update();
  }

  update() {
    const { table } = this;
    const two = table.mode === "watch" || table.mode === "compare";
    if (two !== this.#two) {
      this.build();
      return;
    }
    const { kind } = table.view.board;
    if (kind !== this.#kind) {
      this.#kind = kind;
      this.board = boardView(kind, (move) => void table.play(move));
      this.place.replaceChildren(this.board.element);
    }
    set(this.root, {
      "data-session": table.view.session,
      "data-busy": String(table.sessions.some((one) => one.busy)),
    });
    this.board.show(sceneOf(table, this.flipped, prefs.heat));
    this.place.parentElement?.parentElement?.style.setProperty(
      "--shown-ratio",
      this.board.ratio.toFixed(3),
    );
    for (const part of this.#parts) part.update();
  }

  /** @param {Tab} name */
  tab(name) {
    this.#tab = name;
    for (const one of TABS) {
      const tab = this.tabs?.querySelector(`#tab-${one}`);
      tab?.setAttribute("aria-selected", String(one === name));
      if (this.panels) this.panels[one].hidden = one !== name;
    }
    if (name === "tree") void this.readTree?.();
  }

  flip() {
    this.turned = !this.turned;
    this.update();
  }

  toggleHeat() {
    prefs.heat = !prefs.heat;
    keep();
    this.update();
  }

  /** @param {string} language */
  speak(language) {
    prefs.language = language;
    keep();
    this.build();
  }

  /** The position that a new game begins with: that of the game on the board, if it had one. */
  startPosition() {
    return readLink(this.table.view.link)?.position;
  }
}
