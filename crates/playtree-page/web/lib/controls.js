/** Buttons, choices and fields, all with a label. */

import { h } from "./dom.js";
import { icon } from "./icons.js";

/** @import {Icon} from "./icons.js" */

/**
 * A button with an icon; its name is read out and shown when the pointer rests on it.
 * @param {Icon} name @param {string} label @param {() => void} act @param {string} [key]
 */
export function iconButton(name, label, act, key) {
  return h(
    "button",
    {
      type: "button",
      class: "icon-button",
      title: key ? `${label} (${key})` : label,
      "aria-label": label,
      onclick: act,
    },
    icon(name),
  );
}

/**
 * @param {string} label
 * @param {[string, string][]} options value and text
 * @param {string} value
 * @param {(value: string) => void} act
 * @param {string} [title]
 */
export function select(label, options, value, act, title) {
  const field = h(
    "select",
    { onchange: () => act(field.value) },
    ...options.map(([one, text]) => h("option", { value: one, selected: one === value }, text)),
  );
  return h("label", { class: "field", title }, h("span", {}, label), field);
}

/**
 * @param {string} label
 * @param {{value: number, min: number, max: number, step: number}} range
 * @param {(value: number) => void} act
 * @param {string} [title]
 */
export function number(label, { value, min, max, step }, act, title) {
  const field = h("input", {
    type: "number",
    value,
    min,
    max,
    step,
    inputmode: "decimal",
    onchange: () => {
      const given = Number(field.value);
      const kept =
        Number.isFinite(given) && field.value !== "" ? Math.min(max, Math.max(min, given)) : value;
      field.value = String(kept);
      act(kept);
    },
  });
  return h("label", { class: "field", title }, h("span", {}, label), field);
}

/**
 * @param {string} label @param {boolean} on @param {(on: boolean) => void} act
 * @param {string} [title]
 */
export function check(label, on, act, title) {
  const field = h("input", { type: "checkbox", checked: on, onchange: () => act(field.checked) });
  return h("label", { class: "check", title }, field, h("span", {}, label));
}

/**
 * A choice of a few, side by side.
 * @param {string} label
 * @param {[string, string, string?][]} options value, text, and what it means
 * @param {string} value
 * @param {(value: string) => void} act
 */
export function segments(label, options, value, act) {
  return h(
    "div",
    { class: "segments", role: "group", "aria-label": label },
    ...options.map(([one, text, title]) =>
      h(
        "button",
        {
          type: "button",
          title,
          "data-value": one,
          "aria-pressed": String(one === value),
          onclick: () => act(one),
        },
        text,
      ),
    ),
  );
}
