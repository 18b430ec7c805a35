/** The choices of one engine. */

import { h } from "../lib/dom.js";
import { check, number, select } from "../lib/controls.js";
import { prefs } from "../prefs.js";
import { kindsOf, simulates } from "../table/engines.js";
import { t } from "../words.js";

/** @import {EngineChoice} from "../types.js" */
/** @import {Table} from "../table/table.js" */

const SELECTIONS = /** @type {const} */ (["auto", "ucb1", "ucb1_tuned", "grave"]);

/** @param {Table} table @param {number} at @param {boolean} two whether there are two engines */
export function engineForm(table, at, two) {
  const choice = table.engine(at);
  /** @param {Partial<EngineChoice>} change */
  const change = (change) => void table.setEngine(at, { ...prefs.engines[at], ...change });
  const kind = select(
    two ? t("engine.number", { number: at + 1 }) : t("engine"),
    kindsOf(table.game, table.sessions[at]?.view.start).map((one) => [one, t(`engine.${one}`)]),
    choice.kind,
    (one) => change({ kind: /** @type {EngineChoice["kind"]} */ (one) }),
    t(`engine.${choice.kind}.hint`),
  );

  const limit = prefs.clock.on ? "clock" : choice.limit;
  const limits =
    table.mode === "analyse" || table.mode === "compare"
      ? []
      : [
          select(
            t("limit"),
            [
              ["seconds", t("limit.seconds")],
              ["clock", t("limit.clock")],
              ["simulations", simulates(choice.kind) ? t("limit.simulations") : t("limit.nodes")],
            ],
            limit,
            chooseLimit,
            t("limit.hint"),
          ),
          ...fields(),
        ];

  const more = [
    number(
      t("workers"),
      { value: choice.threads, min: 1, max: table.about.workers, step: 1 },
      (threads) => change({ threads: Math.round(threads) }),
      t("workers.hint"),
    ),
    number(
      t("memory"),
      {
        value: choice.memory,
        min: 8,
        max: Math.floor(table.about.memory_bytes / 2 ** 20),
        step: 8,
      },
      (memory) => change({ memory }),
      t("memory.hint"),
    ),
  ];
  if (choice.kind === "mcts") {
    more.push(
      select(
        t("selection"),
        SELECTIONS.map((one) => [one, t(`selection.${one}`)]),
        choice.selection,
        (one) => change({ selection: /** @type {EngineChoice["selection"]} */ (one) }),
        t("selection.hint"),
      ),
    );
    if (choice.selection === "ucb1") {
      more.push(
        number(
          t("exploration"),
          { value: choice.exploration, min: 0, max: 4, step: 0.05 },
          (exploration) => change({ exploration }),
          t("exploration.hint"),
        ),
      );
    }
  }
  if (simulates(choice.kind)) {
    more.push(check(t("proofs"), choice.proofs, (proofs) => change({ proofs }), t("proofs.hint")));
  }
  more.push(check(t("random"), choice.random, (random) => change({ random }), t("random.hint")));
  const ponder =
    table.mode !== "play"
      ? null
      : check(t("ponder"), choice.ponder, (ponder) => change({ ponder }), t("ponder.hint"));

  /** @param {string} one */
  function chooseLimit(one) {
    if (one === "clock") {
      void table.setClock({ on: true });
      return;
    }
    prefs.clock.on = false;
    change({ limit: /** @type {EngineChoice["limit"]} */ (one) });
  }

  /** The fields of the limit chosen; those of the clock are there once, for it is for both. */
  function fields() {
    if (limit === "clock") return at === 0 ? clockFields(table) : [];
    if (limit === "seconds") {
      const { longest_search_seconds: max } = table.about;
      return [
        number(
          t("seconds"),
          { value: choice.seconds, min: 0.1, max, step: 0.1 },
          (seconds) => change({ seconds }),
          t("seconds.hint"),
        ),
      ];
    }
    return [
      number(
        t("count"),
        { value: choice.simulations, min: 1, max: 1e9, step: 1000 },
        (simulations) => change({ simulations: Math.round(simulations) }),
        t("count.hint"),
      ),
    ];
  }

  return h(
    "div",
    { class: "engine", "data-engine": at },
    kind,
    h("div", { class: "pair" }, ...limits),
    ponder,
    h("details", {}, h("summary", {}, t("options")), h("div", { class: "options" }, ...more)),
  );
}

/** @param {Table} table */
function clockFields(table) {
  const { minutes, increment } = prefs.clock;
  return [
    number(
      t("clock.minutes"),
      { value: minutes, min: 0.1, max: 180, step: 0.5 },
      (minutes) => void table.setClock({ minutes }),
      t("clock.minutes.hint"),
    ),
    number(
      t("clock.increment"),
      { value: increment, min: 0, max: 60, step: 1 },
      (increment) => void table.setClock({ increment }),
      t("clock.increment.hint"),
    ),
  ];
}
