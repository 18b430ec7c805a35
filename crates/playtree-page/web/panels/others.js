/** Moves that touch no cell of a board, such as a pass. */

import { h } from "../lib/dom.js";
import { maybe, t } from "../words.js";

/** @import {Table} from "../table/table.js" */

/** @param {Table} table */
export function others(table) {
  const element = h("div", { class: "others row", role: "group", "aria-label": t("other.moves") });
  let shown = "";
  return {
    element,
    update() {
      const { view } = table;
      const free =
        table.yours && !table.preview && view.board.kind === "grid"
          ? view.moves.filter((move) => move.to === null)
          : [];
      const now = free.map((move) => move.text).join();
      element.hidden = free.length === 0;
      if (now === shown) return;
      shown = now;
      element.replaceChildren(
        ...free.map((move) =>
          h(
            "button",
            {
              type: "button",
              class: "primary",
              "data-move": move.text,
              onclick: () => void table.play(move.text),
            },
            maybe(move.text) ?? move.label ?? move.text,
          ),
        ),
      );
    },
  };
}
