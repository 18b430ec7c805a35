/** The moves played; a click goes there. */

import { h } from "../lib/dom.js";
import { t } from "../words.js";

/** @import {Table} from "../table/table.js" */

/** @param {Table} table */
export function moves(table) {
  const list = h("ol", { class: "moves" });
  const head = h("h2", {}, t("moves"));
  const element = h("section", { class: "card moves-card", "aria-label": t("moves") }, head, list);
  let shown = "";
  /** The moves that were undone, as far as they are known. @type {string[]} */
  let all = [];

  return {
    element,
    update() {
      const { view } = table;
      const length = view.played.length;
      const kept = all.slice(length, length + view.undone);
      all = [...view.played, ...kept];
      const now = `${all.join(" ")}|${length}`;
      if (now === shown) return;
      shown = now;
      if (all.length === 0) {
        list.replaceChildren(h("li", { class: "quiet" }, t("moves.none")));
        return;
      }
      const rows = [];
      for (let at = 0; at < all.length; at += 2) {
        rows.push(
          h(
            "li",
            {},
            h("span", { class: "number" }, String(at / 2 + 1)),
            ...all.slice(at, at + 2).map((move, of) => {
              const ply = at + of + 1;
              return h(
                "button",
                {
                  type: "button",
                  "data-ply": ply,
                  class: ply > length ? "undone" : null,
                  "aria-current": ply === length ? "step" : null,
                  onclick: () => void table.walk(ply - table.view.played.length),
                },
                move,
              );
            }),
          ),
        );
      }
      list.replaceChildren(...rows);
      const current = list.querySelector("[aria-current]");
      if (current instanceof HTMLElement) {
        list.scrollTop = Math.max(0, current.offsetTop - list.offsetTop - list.clientHeight / 2);
      }
    },
  };
}
