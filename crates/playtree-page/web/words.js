/** Every text of the page by its key, in the language chosen. */

import { en } from "./words/en.js";
import { zh } from "./words/zh.js";

/** @typedef {keyof typeof en} Key */
/** @type {Record<string, Record<string, string>>} */
const languages = { en, zh };

/** @type {Record<string, string>} */
let words = en;

/** @param {string} language */
export function speak(language) {
  words = languages[language] ?? en;
  document.documentElement.lang = language === "zh" ? "zh-Hans" : "en";
}

/**
 * The text of a key; `{name}` in it is replaced by the value of that name.
 * @param {Key} key
 * @param {Record<string, string | number>} [values]
 */
export function t(key, values = {}) {
  const text = words[key] ?? en[key] ?? key;
  return text.replace(/\{(\w+)\}/g, (_, name) => String(values[name] ?? ""));
}

/**
 * The text of a key that is put together, if there is one.
 * @param {string} key
 * @returns {string | null}
 */
export function maybe(key) {
  return words[key] ?? null;
}
