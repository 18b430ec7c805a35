/** The buttons below the board. */

import { h } from "../lib/dom.js";
import { iconButton } from "../lib/controls.js";
import { findHint, isEngine } from "../table/duty.js";
import { PLIES_BEFORE_DRAW, canBeDrawn, offerDraw } from "../table/draw.js";
import { t } from "../words.js";

/** @import {Page} from "../page.js" */

/** @param {Page} page */
export function controls(page) {
  const { table } = page;
  const first = iconButton("first", t("first"), () => void table.walk(-Infinity), "Home");
  const back = iconButton("back", t("back"), () => void table.walk(-1), "←");
  const forward = iconButton("forward", t("forward"), () => void table.walk(1), "→");
  const last = iconButton("last", t("last"), () => void table.walk(Infinity), "End");
  for (const edge of [first, last]) edge.classList.add("edge");
  const takeBack = iconButton("takeBack", t("takeBack"), () => void table.takeBack(), "U");
  const hint = iconButton("hint", t("hint"), () => void findHint(table), "H");
  const another = iconButton("another", t("another"), () => void table.forbid(), "X");
  const go = iconButton("play", t("go"), () => void table.moveNow(), "G");
  const pause = iconButton("pause", t("pause"), () => void table.pause());
  const draw = iconButton("draw", t("draw"), () => offerDraw(table), "D");
  draw.title += `. ${t("draw.hint", { plies: PLIES_BEFORE_DRAW })}`;
  const flag = iconButton("flag", t("resign"), () => void table.resign());
  const heat = iconButton("heat", t("heat"), () => page.toggleHeat(), "M");
  const flip = iconButton("flip", t("flip"), () => page.flip(), "F");
  const analyse = h("button", { type: "button", onclick: () => void table.analyse(!analysed()) });
  /** Whether an analysis runs: it ends by itself where all is proven. */
  const analysed = () => table.analysing && table.sessions.some((one) => one.busy);
  const element = h(
    "div",
    { class: "controls", role: "toolbar", "aria-label": t("controls") },
    first,
    back,
    forward,
    last,
    h("span", { class: "spread" }),
    analyse,
    go,
    pause,
    another,
    takeBack,
    hint,
    draw,
    flag,
    heat,
    flip,
  );
  return {
    element,
    update() {
      const { view, mode, over } = table;
      first.disabled = back.disabled = view.played.length === 0;
      last.disabled = forward.disabled = view.undone === 0;
      const engineWaits = isEngine(table, view.mover) && !over;
      takeBack.hidden = flag.hidden = hint.hidden = mode !== "play";
      takeBack.disabled = view.played.length === 0;
      hint.disabled = !table.yours;
      flag.disabled = over;
      draw.hidden = !canBeDrawn(table);
      draw.disabled = !table.yours;
      another.hidden = mode !== "play";
      another.disabled = !table.yours || view.played.length === 0 || view.undone > 0;
      go.hidden = mode === "analyse" || mode === "compare";
      go.disabled = !engineWaits;
      pause.hidden = mode !== "watch";
      pause.disabled = table.paused || over;
      analyse.hidden = mode !== "analyse" && mode !== "compare";
      const text = analysed() ? t("analyse.stop") : t("analyse.start");
      if (analyse.textContent !== text) analyse.textContent = text;
      heat.setAttribute("aria-pressed", String(page.heat));
    },
  };
}
