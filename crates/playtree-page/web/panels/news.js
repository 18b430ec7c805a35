/** What is read out, and what went wrong. */

import { h, say } from "../lib/dom.js";
import { iconButton } from "../lib/controls.js";
import { percent } from "../lib/numbers.js";
import { sideName } from "../boards/naming.js";
import { PLIES_BEFORE_DRAW } from "../table/draw.js";
import { maybe, t } from "../words.js";

/** @import {Table} from "../table/table.js" */

/** How the game stands, as a sentence; empty while it goes on. @param {Table} table */
export function resultText(table) {
  const { view } = table;
  const name = (/** @type {number} */ player) => sideName(view.game, player);
  if (table.ending) {
    const { how, player } = table.ending;
    return t(`result.${how}`, { side: name(player), other: name(1 - player) });
  }
  if (!view.outcome) return "";
  const winner = view.outcome.scores.indexOf(1);
  return winner < 0 ? t("result.draw") : t("result.won", { side: name(winner) });
}

/** What the engine says to an offer that it does not take. @param {Table} table */
function declinedText({ declined }) {
  if (!declined) return "";
  const rule = t("draw.hint", { plies: PLIES_BEFORE_DRAW });
  const { rate } = declined;
  const answer = rate === null ? t("draw.unknown") : t("draw.declined", { rate: percent(rate) });
  return `${answer} ${rule}`;
}

/** @param {Table} table */
export function news(table) {
  const live = h("div", { class: "only-read", role: "status", "aria-live": "polite" });
  const result = h("p", { class: "result", hidden: true });
  const text = h("span", {});
  const error = h(
    "div",
    { class: "error", role: "alert", hidden: true },
    text,
    iconButton("close", t("close"), () => {
      table.refused = null;
      table.news();
    }),
  );
  let shown = "";
  return {
    live,
    result,
    error,
    update() {
      const { view } = table;
      const last = view.played.at(-1);
      const ended = resultText(table);
      const mover = sideName(view.game, view.mover);
      const before = sideName(view.game, (view.mover + view.players - 1) % view.players);
      const parts = [
        last ? t("live.move", { side: before, move: last }) : "",
        ended || t("live.turn", { side: mover }),
        declinedText(table),
      ];
      const now = parts.filter(Boolean).join(" ");
      if (now !== shown) {
        shown = now;
        live.textContent = now;
      }
      const line = table.preview
        ? t("preview", { line: table.preview.line.join(" ") })
        : ended || declinedText(table);
      result.hidden = line === "";
      result.classList.toggle("line-shown", table.preview !== null || ended === "");
      say(result, line);
      error.hidden = table.refused === null;
      const { refused } = table;
      if (refused)
        say(text, maybe(`error.${refused.code}`) ?? t("error", { message: refused.message }));
    },
  };
}
