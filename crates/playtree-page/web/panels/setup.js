/** Who plays, and how strong: the choices beside the board. */

import { h } from "../lib/dom.js";
import { check, segments, select } from "../lib/controls.js";
import { sideName } from "../boards/naming.js";
import { keep, prefs } from "../prefs.js";
import { maybe, t } from "../words.js";
import { engineForm } from "./engine-form.js";

/** @import {Mode} from "../types.js" */
/** @import {Page} from "../page.js" */

const MODES = /** @type {const} */ (["play", "watch", "analyse", "compare"]);

/** @param {Page} page */
export function setup(page) {
  const { table } = page;
  const element = h("section", { class: "card setup", "aria-label": t("setup") });
  let shown = "";

  function draw() {
    const { game, mode, view } = table;
    const two = mode === "watch" || mode === "compare";
    const modes = segments(
      t("mode"),
      MODES.map((one) => [one, t(`mode.${one}`), t(`mode.${one}.hint`)]),
      mode,
      (one) => void table.setMode(/** @type {Mode} */ (one)),
    );
    const sides =
      mode !== "play"
        ? null
        : h(
            "div",
            { class: "labelled" },
            h("span", {}, t("side.choose")),
            segments(
              t("side.choose"),
              [0, 1].map((side) => [String(side), sideName(game.name, side)]),
              String(prefs.side),
              (side) => {
                prefs.side = Number(side);
                keep();
                table.paused = false;
                void table.change(async () => {});
              },
            ),
          );
    const starts =
      game.starts.length < 2
        ? null
        : select(
            t("start"),
            [
              ["", t("start.keep")],
              ...game.starts.map(
                (start) =>
                  /** @type {[string, string]} */ ([
                    start.position,
                    maybe(`start.${start.name}`) ?? start.name,
                  ]),
              ),
            ],
            "",
            (position) => position && void table.begin({ game: game.name, position, moves: [] }),
            t("start.hint"),
          );
    element.replaceChildren(
      modes,
      h("p", { class: "quiet rules" }, maybe(`rules.${game.name}`) ?? game.rules),
      ...[sides, starts].filter((one) => one !== null),
      ...[0, 1].slice(0, two ? 2 : 1).map((at) => engineForm(table, at, two)),
      game.name !== "xiangqi"
        ? ""
        : check(
            t("letters"),
            prefs.letters,
            (letters) => {
              prefs.letters = letters;
              keep();
              table.news();
            },
            t("letters.hint"),
          ),
      h(
        "button",
        {
          type: "button",
          class: "primary wide",
          "data-action": "new",
          onclick: () =>
            void table.begin({ game: view.game, position: page.startPosition(), moves: [] }),
        },
        t("new"),
      ),
    );
  }

  return {
    element,
    update() {
      const now = JSON.stringify([
        table.view.game,
        table.mode,
        prefs.side,
        prefs.language,
        prefs.clock.on,
        prefs.engines.map((engine) => [engine.kind, engine.limit, engine.selection]),
      ]);
      if (now === shown) return;
      shown = now;
      const focused = document.activeElement?.getAttribute("data-value");
      const inside = element.contains(document.activeElement);
      draw();
      if (inside && focused) {
        /** @type {HTMLElement | null} */ (
          element.querySelector(`[data-value="${focused}"]`)
        )?.focus();
      }
    },
  };
}
