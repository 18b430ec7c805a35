/** The position and the game as texts, in and out, and a link to them. */

import { h } from "../lib/dom.js";
import { byHand } from "./by-hand.js";
import { gameText, readText } from "../table/link.js";
import { maybe, t } from "../words.js";

/** @import {Table} from "../table/table.js" */

/** @param {Table} table */
export function textPanel(table) {
  const position = h("textarea", {
    rows: 3,
    spellcheck: "false",
    "aria-label": t("text.position"),
  });
  const game = h("textarea", { rows: 6, spellcheck: "false", "aria-label": t("text.game") });
  const format = h("p", { class: "quiet" });
  const copied = h("span", { class: "quiet", role: "status" });
  const setUp = () =>
    void table.begin({ game: table.view.game, position: position.value.trim(), moves: [] });
  const load = () => void table.begin(readText(game.value, table.view.game));
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(location.href);
      copied.textContent = t("text.copied");
    } catch {
      copied.textContent = t("text.copy.by.hand");
    }
  };
  const hand = byHand(table);
  const element = h(
    "section",
    { class: "texts", "aria-label": t("text") },
    h("h2", {}, t("text.position")),
    position,
    format,
    h("button", { type: "button", "data-action": "position", onclick: setUp }, t("text.set")),
    hand.element,
    h("h2", {}, t("text.game")),
    game,
    h(
      "div",
      { class: "row" },
      h("button", { type: "button", "data-action": "load", onclick: load }, t("text.load")),
      h("button", { type: "button", onclick: copy, title: t("text.link.hint") }, t("text.link")),
      copied,
    ),
  );
  let shown = "";
  return {
    element,
    update() {
      hand.update();
      const { view } = table;
      const now = `${view.link} ${view.position} ${t("text")}`;
      if (now === shown) return;
      shown = now;
      position.value = view.position;
      game.value = gameText(view);
      copied.textContent = "";
      const info = table.games.find((one) => one.name === view.game);
      format.textContent = maybe(`format.${view.game}`) ?? info?.position_format ?? "";
    },
  };
}
