/** The bar beside the board: how likely each side wins. */

import { h, say } from "../../lib/dom.js";
import { percent } from "../../lib/numbers.js";
import { sideName } from "../../boards/naming.js";
import { firstPlayersRate } from "../../table/curve.js";
import { t } from "../../words.js";

/** @import {Table} from "../../table/table.js" */

/**
 * What is known of the position on the board, for the first player.
 * @param {Table} table
 * @returns {{rate: number, proven: boolean} | null}
 */
export function rateNow(table) {
  const { view } = table;
  if (view.outcome) return { rate: view.outcome.scores[0], proven: true };
  for (const session of table.sessions) {
    const now = session.found && firstPlayersRate(session.found, view.mover);
    if (now) return now;
  }
  const points = table.curve.points(view).filter((point) => point.ply <= view.played.length);
  const last = points.at(-1);
  return last ? { rate: last.rate, proven: false } : null;
}

/** @param {Table} table @param {() => boolean} flipped */
export function bar(table, flipped) {
  const fill = h("div", { class: "fill" });
  const text = h("span", { class: "bar-text" });
  const element = h("div", { class: "bar", role: "img" }, fill, text);
  return {
    element,
    update() {
      const { view } = table;
      const known = rateNow(table);
      const rate = known?.rate ?? 0.5;
      element.dataset.game = view.game;
      element.classList.toggle("flipped", flipped());
      fill.style.setProperty("--rate", rate.toFixed(3));
      say(text, known ? (100 * rate).toFixed(0) : "");
      const name = sideName(view.game, 0);
      const label = known ? t("bar", { side: name, rate: percent(rate) }) : t("bar.none");
      element.title = `${label}. ${t("bar.hint")}`;
      element.setAttribute("aria-label", label);
    },
  };
}
