/** What a search is doing: its numbers, and its best lines. */

import { h, say } from "../../lib/dom.js";
import { bytes, grouped, seconds, short } from "../../lib/numbers.js";
import { maybe, t } from "../../words.js";
import { candidates } from "./candidates.js";
import { provenText, scoreText } from "./found.js";

/** @import {Report, Search} from "../../types.js" */
/** @import {Table} from "../../table/table.js" */

/** @type {[string, (search: Search) => string][]} */
const NUMBERS = [
  [
    "n.simulations",
    ({ report }) => (report.simulations === undefined ? "-" : short(report.simulations)),
  ],
  [
    "n.speed",
    (search) => short(search.report.nodes_per_second ?? search.simulations_per_second ?? 0),
  ],
  ["n.positions", ({ report }) => short(report.nodes)],
  ["n.memory", (search) => bytes(search.memory_bytes)],
  ["n.workers", ({ report }) => String(report.workers)],
  ["n.time", ({ report }) => seconds(report.seconds)],
  ["n.known", (search) => short(search.known_before)],
  [
    "n.depth",
    ({ report }) => (report.depth === undefined ? longest(report) : String(report.depth)),
  ],
];

/** @param {Report} report */
function longest(report) {
  return String(Math.max(0, ...report.moves.map((one) => one.pv?.length ?? 0)));
}

/** @param {Table} table @param {number} at which engine @param {boolean} two */
export function searchPanel(table, at, two) {
  const title = h("h2", {}, two ? t("engine.number", { number: at + 1 }) : t("search"));
  const state = h("span", { class: "quiet state" });
  const values = NUMBERS.map(([key]) => h("dd", { "data-number": key }));
  const numbers = h(
    "dl",
    { class: "numbers" },
    ...NUMBERS.map(([key], of) =>
      h("div", { title: maybe(`${key}.hint`) }, h("dt", {}, maybe(key) ?? key), values[of]),
    ),
  );
  const verdict = h("p", { class: "verdict", hidden: true });
  const lines = candidates(table, at);
  const element = h(
    "section",
    { class: "search", "data-engine": at, "aria-label": title.textContent },
    h("div", { class: "head" }, title, state),
    verdict,
    numbers,
    lines.element,
  );
  return {
    element,
    update() {
      const session = table.sessions[at];
      const search = session?.last?.search ?? null;
      const since = session?.last?.since ?? [];
      element.classList.toggle("past", since.length > 0);
      for (const [of, [, text]] of NUMBERS.entries()) say(values[of], search ? text(search) : "-");
      element.dataset.search = search ? String(search.search) : "";
      element.dataset.thinking = String(search?.thinking ?? false);
      if (search?.report.simulations !== undefined) {
        values[0].title = grouped(search.report.simulations);
      }
      say(
        state,
        !session
          ? ""
          : since.length > 0 && search
            ? t("search.past", { ply: search.ply + 1 })
            : stateText(session.busy, search),
      );
      const proven = search ? verdictText(search.report) : "";
      verdict.hidden = proven === "";
      say(verdict, proven);
      verdict.title = t("proven.hint");
      lines.update();
    },
  };
}

/** @param {boolean} busy @param {Search | null} search */
function stateText(busy, search) {
  if (search?.waiting) return t("queued");
  if (busy) return t("searching");
  return search
    ? (maybe(`stop.${search.report.stop_reason}`) ?? search.report.stop_reason)
    : t("idle");
}

/** @param {Report} report */
function verdictText(report) {
  const text = provenText(report.proven ?? report.value, report.proven_plies ?? report.distance);
  if (text) return t("proven", { what: text });
  return report.score && !report.score.proven && report.score.value !== null
    ? t("score", { score: scoreText(report.score) })
    : "";
}
