/** What the clock of a player shows; it runs by itself. */

import { h, say } from "../lib/dom.js";
import { clockTime } from "../lib/numbers.js";
import { sideName } from "../boards/naming.js";
import { t } from "../words.js";

/** @import {Table} from "../table/table.js" */

/** From here on there are tenths, and another colour. */
const LOW_SECONDS = 10;
/** In milliseconds. */
const TICK = 100;

/** @param {Table} table @param {() => number} whose */
export function clockFace(table, whose) {
  const element = h("span", { class: "clock", role: "timer" });
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;

  function update() {
    clearTimeout(timer);
    element.hidden = !table.timed;
    if (element.hidden) return;
    const player = whose();
    const left = table.clock.left(player);
    const runs = table.clock.runs(player);
    say(element, clockTime(left, left < LOW_SECONDS));
    element.classList.toggle("runs", runs);
    element.classList.toggle("low", left < LOW_SECONDS);
    const label = t("clock.of", { side: sideName(table.view.game, player) });
    if (element.getAttribute("aria-label") !== label) element.setAttribute("aria-label", label);
    if (runs && element.isConnected) timer = setTimeout(update, TICK);
  }

  return { element, update };
}
