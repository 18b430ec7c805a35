/** Makes elements of HTML and SVG. */

/** @typedef {Node | string | number | null | undefined | false} Child */
/** @typedef {Record<string, any>} Props */

const SVG = "http://www.w3.org/2000/svg";

/**
 * Attributes by name; functions named `onclick` and the like listen, `true` stands for an
 * attribute without a value, `false`, `null` and `undefined` for none.
 * @param {Element} element
 * @param {Props} props
 */
export function set(element, props) {
  for (const [name, value] of Object.entries(props)) {
    if (typeof value === "function") element.addEventListener(name.slice(2), value);
    else if (value === false || value == null) element.removeAttribute(name);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
}

/**
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Props} [props]
 * @param {...Child} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function h(tag, props = {}, ...children) {
  const element = document.createElement(tag);
  set(element, props);
  put(element, ...children);
  return element;
}

/**
 * @template {keyof SVGElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Props} [props]
 * @param {...Child} children
 * @returns {SVGElementTagNameMap[Tag]}
 */
export function s(tag, props = {}, ...children) {
  const element = document.createElementNS(SVG, tag);
  set(element, props);
  put(element, ...children);
  return element;
}

/**
 * Appends what is not empty.
 * @param {Element} element
 * @param {...Child} children
 */
export function put(element, ...children) {
  for (const child of children) {
    if (child === null || child === undefined || child === false) continue;
    element.append(child instanceof Node ? child : String(child));
  }
}

/**
 * Changes the text only where it differs, so that nothing is painted or read out again.
 * @param {Element} element
 * @param {string} text
 */
export function say(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** Whether the person wants no motion. */
export function still() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}
