/** What the person has chosen, kept by the browser. */

/** @import {ClockChoice, EngineChoice, Mode} from "./types.js" */

const NAME = "playtree";

/** All workers that the server gives.  @returns {EngineChoice} */
export function defaultEngine() {
  return {
    kind: "mcts",
    limit: "seconds",
    seconds: 1,
    simulations: 10_000,
    threads: 64,
    memory: 256,
    selection: "auto",
    exploration: 0.45,
    proofs: true,
    ponder: false,
    random: false,
  };
}

/**
 * @typedef {{language: string, theme: "auto" | "light" | "dark", letters: boolean, heat: boolean,
 *   mode: Mode, side: number, engines: [EngineChoice, EngineChoice], clock: ClockChoice}} Prefs
 */

/** @type {Prefs} */
export const prefs = {
  language: navigator.language.startsWith("zh") ? "zh" : "en",
  theme: "auto",
  letters: false,
  heat: true,
  mode: "play",
  side: 0,
  engines: [defaultEngine(), { ...defaultEngine(), kind: "mcts", selection: "ucb1" }],
  clock: { on: false, minutes: 5, increment: 3 },
};

/** Reads what was kept; what is not understood is left out. */
export function recall() {
  try {
    const kept = JSON.parse(localStorage.getItem(NAME) ?? "{}");
    const engines = prefs.engines.map((engine, at) => ({ ...engine, ...kept.engines?.[at] }));
    const clock = { ...prefs.clock, ...kept.clock };
    Object.assign(prefs, kept, { engines, clock });
  } catch {
    // A browser without storage, or a text of something else: the defaults stay.
  }
}

export function keep() {
  try {
    localStorage.setItem(NAME, JSON.stringify(prefs));
  } catch {
    // Nothing is kept then.
  }
}

/** Light or dark, by the system unless chosen. */
export function dress() {
  if (prefs.theme === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = prefs.theme;
}
