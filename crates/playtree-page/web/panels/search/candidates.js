/** The best moves of a search with their lines, which can be stepped through on the board. */

import { h, say } from "../../lib/dom.js";
import { grouped, percent, short } from "../../lib/numbers.js";
import { t } from "../../words.js";
import { foundMoves } from "./found.js";

/** @import {Found} from "./found.js" */
/** @import {Table} from "../../table/table.js" */

const ROWS = 8;
const LINE = 10;

/** @param {Table} table @param {number} at which engine */
export function candidates(table, at) {
  const rows = Array.from({ length: ROWS }, () => row(table, at));
  const body = h("tbody", {}, ...rows.map((one) => one.element));
  const prior = h(
    "th",
    { scope: "col", class: "right prior", title: t("c.prior.hint"), hidden: true },
    t("c.prior"),
  );
  const more = h("p", { class: "quiet more" });
  const element = h(
    "div",
    { class: "candidates" },
    h(
      "table",
      {},
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          h("th", { scope: "col", title: t("c.move.hint") }, t("c.move")),
          h("th", { scope: "col", class: "right", title: t("c.worth.hint") }, t("c.worth")),
          h("th", { scope: "col", class: "right", title: t("c.visits.hint") }, t("c.visits")),
          prior,
          h("th", { scope: "col", title: t("c.line.hint") }, t("c.line")),
        ),
      ),
      body,
    ),
    more,
  );
  let held = false;
  element.addEventListener("pointerenter", () => (held = true));
  element.addEventListener("pointerleave", () => {
    held = element.contains(document.activeElement);
    if (!held) void table.look(null, at);
  });
  element.addEventListener("focusin", () => (held = true));
  element.addEventListener("focusout", (event) => {
    if (element.contains(/** @type {Node | null} */ (event.relatedTarget))) return;
    held = element.matches(":hover");
    void table.look(null, at);
  });
  element.addEventListener("keydown", step);
  let ply = -1;
  return {
    element,
    update() {
      const last = table.sessions[at]?.last ?? null;
      const search = last?.search;
      const found = search ? foundMoves(search.report) : [];
      const since = last?.since ?? [];
      prior.hidden = !found.some((one) => one.prior !== null);
      const hold = held && ply === table.view.played.length && found.length > 0;
      ply = table.view.played.length;
      for (const [of, one] of rows.entries()) {
        const same = hold ? found.find((other) => other.move === one.move) : found[of];
        one.show(same ?? null, hold, since);
      }
      const left = found.length - ROWS;
      say(more, !search ? t("c.none") : left > 0 ? t("c.more", { count: left }) : "");
    },
  };
}

/** The arrow keys go along a line and from line to line. @param {KeyboardEvent} event */
function step(event) {
  const here = document.activeElement;
  if (!(here instanceof HTMLElement) || !here.matches(".ply")) return;
  const across = here.closest("tr");
  const index = [...(across?.querySelectorAll(".ply") ?? [])].indexOf(here);
  const goals = /** @type {Record<string, Element | null | undefined>} */ ({
    ArrowRight: here.nextElementSibling,
    ArrowLeft: here.previousElementSibling,
    ArrowDown: across?.nextElementSibling?.querySelectorAll(".ply")[index],
    ArrowUp: across?.previousElementSibling?.querySelectorAll(".ply")[index],
  });
  if (!(event.key in goals)) return;
  event.preventDefault();
  event.stopPropagation();
  const goal = goals[event.key];
  if (goal instanceof HTMLElement) goal.focus();
}

/** @param {Table} table @param {number} at */
function row(table, at) {
  const play = h("button", {
    type: "button",
    class: "candidate",
    onclick: () => {
      if (table.yours) void table.play(one.move);
    },
  });
  /** The moves played since the search: a line is looked at from there. @type {string[]} */
  let played = [];
  const worth = h("td", { class: "right worth" });
  const visits = h("td", { class: "right visits" });
  const prior = h("td", { class: "right prior", hidden: true });
  const line = h("td", { class: "line" });
  const element = h("tr", { hidden: true }, h("td", {}, play), worth, visits, prior, line);
  let shown = "";
  const one = {
    element,
    move: "",
    /** @param {Found | null} found @param {boolean} hold @param {string[]} since */
    show(found, hold, since) {
      element.hidden = found === null && !hold;
      if (!found) return;
      one.move = found.move;
      played = since;
      play.disabled = since.length > 0 || !table.yours;
      element.dataset.move = found.move;
      say(play, found.move);
      play.title = t("c.play", { move: found.move });
      play.setAttribute("aria-label", play.title);
      say(worth, found.proven || found.worth);
      worth.classList.toggle("proven", found.proven !== "");
      say(visits, found.visits === null ? "-" : short(found.visits));
      if (found.visits !== null) visits.title = grouped(found.visits);
      prior.hidden = found.prior === null;
      say(prior, found.prior === null ? "" : percent(found.prior));
      element.style.setProperty("--share", found.share.toFixed(3));
      const moves = found.pv.slice(0, LINE);
      const follows = since.every((move, of) => moves[of] === move);
      const now = `${moves.join(" ")} ${since.length}`;
      if (now === shown || (hold && shown !== "")) return;
      shown = now;
      line.replaceChildren(
        ...moves.map((move, of) => {
          const upTo = moves.slice(0, of + 1);
          const look = () => void table.look(upTo.slice(played.length), at);
          return h(
            "button",
            {
              type: "button",
              class: "ply",
              tabindex: of === 0 ? 0 : -1,
              disabled: !follows || of < since.length,
              onpointerenter: look,
              onfocus: look,
              "aria-label": t("c.step", { line: upTo.join(" ") }),
            },
            move,
          );
        }),
      );
    },
  };
  return one;
}
