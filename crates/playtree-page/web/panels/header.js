/** The line above everything: the game, the language, light or dark, the keys. */

import { h } from "../lib/dom.js";
import { iconButton } from "../lib/controls.js";
import { dress, keep, prefs } from "../prefs.js";
import { maybe, t } from "../words.js";

/** @import {Page} from "../page.js" */

const THEMES = /** @type {const} */ (["auto", "light", "dark"]);
const THEME_ICONS = /** @type {const} */ ({ auto: "auto", light: "sun", dark: "moon" });

/** @param {Page} page */
export function header(page) {
  const { table } = page;
  const games = h(
    "select",
    {
      class: "game-picker",
      "aria-label": t("game.choose"),
      onchange: () => void table.begin({ game: games.value, moves: [] }),
    },
    ...table.games.map((info) =>
      h("option", { value: info.name }, maybe(`game.${info.name}`) ?? info.title),
    ),
  );
  const language = h(
    "button",
    {
      type: "button",
      class: "language",
      title: t("language.other.hint"),
      lang: prefs.language === "zh" ? "en" : "zh-Hans",
      onclick: () => page.speak(prefs.language === "zh" ? "en" : "zh"),
    },
    t("language.other"),
  );
  const theme = h("span", {});
  const dressed = () =>
    theme.replaceChildren(
      iconButton(THEME_ICONS[prefs.theme], `${t("theme")}: ${t(`theme.${prefs.theme}`)}`, () => {
        prefs.theme = THEMES[(THEMES.indexOf(prefs.theme) + 1) % THEMES.length];
        keep();
        dress();
        dressed();
        /** @type {HTMLElement | null} */ (theme.firstElementChild)?.focus();
      }),
    );
  dressed();
  const element = h(
    "header",
    { class: "top" },
    h(
      "h1",
      { class: "brand" },
      h("img", { src: "web/icon.svg", alt: "", width: 28, height: 28 }),
      h("span", {}, "playtree"),
    ),
    games,
    h("span", { class: "spread" }),
    language,
    theme,
    iconButton("keys", t("keys"), () => page.keys.open(), "?"),
  );
  return {
    element,
    update() {
      if (games.value !== table.view.game) games.value = table.view.game;
    },
  };
}
