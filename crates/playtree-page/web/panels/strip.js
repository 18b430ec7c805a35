/** The lines above and below the board: who plays there, and what is being done. */

import { h, say } from "../lib/dom.js";
import { seconds } from "../lib/numbers.js";
import { sideName } from "../boards/naming.js";
import { clockFace } from "./clock.js";
import { engineOf, isEngine } from "../table/duty.js";
import { t } from "../words.js";

/** @import {Table} from "../table/table.js" */

/** @param {Table} table @param {() => number} whose the player of this strip */
export function strip(table, whose) {
  const token = h("span", { class: "token-dot", "aria-hidden": "true" });
  const name = h("strong", {});
  const role = h("span", { class: "quiet" });
  const state = h("span", { class: "state" });
  const clock = clockFace(table, whose);
  const element = h(
    "div",
    { class: "strip" },
    token,
    name,
    role,
    h("span", { class: "spread" }),
    state,
    clock.element,
  );
  return {
    element,
    update() {
      const { view } = table;
      const player = whose();
      token.className = `token-dot ${view.game} of-${player}`;
      say(name, sideName(view.game, player));
      const engine = isEngine(table, player);
      const choice = table.engine(engineOf(table, player));
      say(role, engine ? t(`engine.${choice.kind}`) : t("person"));
      const turn = view.mover === player && !table.over;
      element.classList.toggle("turn", turn);
      say(state, stateText(player, turn));
      clock.update();
    },
  };

  /** @param {number} player @param {boolean} turn */
  function stateText(player, turn) {
    const { view } = table;
    if (view.outcome) {
      const score = view.outcome.scores[player];
      return score === 1 ? t("won") : score === 0 ? t("lost") : t("drawn");
    }
    if (table.ending?.how === "agreed") return t("drawn");
    if (table.ending) return table.ending.player === player ? t(table.ending.how) : t("won");
    if (!turn) return "";
    const session = table.sessions[engineOf(table, player)] ?? table.sessions[0];
    if (!isEngine(table, player)) return t("turn");
    if (table.paused) return t("waiting");
    if (!session.busy) return t("turn");
    const search = session.found;
    if (search?.waiting) return t("queued");
    return t("thinking", { time: seconds(search?.report.seconds ?? 0) });
  }
}
