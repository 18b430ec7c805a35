/** A walk through the tree of the search, also while it goes on. */

import { h, say } from "../../lib/dom.js";
import { icon } from "../../lib/icons.js";
import { grouped, percent, short } from "../../lib/numbers.js";
import { t } from "../../words.js";
import { provenText } from "./found.js";

/** @import {Branch, TreeNode} from "../../types.js" */
/** @import {Table} from "../../table/table.js" */

/** How often it is read while it is open, in milliseconds. */
const PERIOD = 500;
/** How many branches of a position are shown. */
const BRANCHES = 8;
/** How many positions are open at most: each is a question to the server. */
const MOST_OPEN = 10;
/** How long a file is kept for the browser to take it, in milliseconds. */
const KEPT = 10_000;
const SEPARATOR = "\n";

/** @param {Table} table */
export function treePanel(table) {
  /** The open positions by their lines. @type {Map<string, TreeNode | null>} */
  const open = new Map([["", null]]);
  /** @type {string | null} */
  let chosen = null;
  let game = "";
  let reading = false;
  const head = h("p", { class: "quiet tree-head" });
  const list = h("div", { class: "tree-list" });
  const exports = h("div", { class: "row" });
  const element = h(
    "section",
    { class: "tree", "aria-label": t("tree") },
    h("h2", { title: t("tree.hint") }, t("tree")),
    head,
    list,
    exports,
  );

  async function read() {
    const session = table.sessions[0];
    if (
      !session ||
      reading ||
      !element.isConnected ||
      element.closest("[hidden]") ||
      document.hidden
    )
      return;
    reading = true;
    try {
      const lines = [...open.keys()];
      const nodes = await Promise.all(
        lines.map((line) => session.node(split(line), BRANCHES).catch(() => null)),
      );
      lines.forEach((line, at) => open.has(line) && open.set(line, nodes[at]));
      draw();
    } finally {
      reading = false;
    }
  }
  setInterval(() => {
    const session = table.sessions[0];
    if (session?.busy || open.get("") === null) void read();
  }, PERIOD);

  /** @param {string} line */
  function toggle(line) {
    if (open.has(line)) {
      for (const other of [...open.keys()]) {
        if (other === line || other.startsWith(line + SEPARATOR)) open.delete(other);
      }
      draw();
      return;
    }
    if (open.size >= MOST_OPEN) {
      const oldest = [...open.keys()].find((other) => other !== "" && !line.startsWith(other));
      if (oldest !== undefined) open.delete(oldest);
    }
    open.set(line, null);
    void read();
  }

  /** @param {string} line */
  function choose(line) {
    chosen = chosen === line ? null : line;
    void table.look(chosen === null ? null : split(chosen));
    draw();
  }

  function draw() {
    const focus = document.activeElement?.getAttribute("data-key");
    const root = open.get("");
    say(
      head,
      root
        ? t("tree.head", { visits: grouped(root.visits), count: root.branch_count })
        : t("tree.none"),
    );
    list.replaceChildren(...(root ? [titles(), branches("", root)] : []));
    if (focus)
      /** @type {HTMLElement | null} */ (
        list.querySelector(`[data-key="${CSS.escape(focus)}"]`)
      )?.focus();
    exports.replaceChildren(...links());
  }

  function links() {
    const session = table.sessions[0];
    if (!session || !open.get("")) return [];
    return /** @type {const} */ (["json", "dot"]).map((format) =>
      h(
        "button",
        { type: "button", title: t(`tree.${format}.hint`), onclick: () => void save(format) },
        t(`tree.${format}`),
      ),
    );
  }

  /** Hands the top of the tree over as a file. @param {"json" | "dot"} format */
  async function save(format) {
    const text = await table.sessions[0]?.remote.export(format, 4, 200).catch(() => null);
    if (text == null) return;
    const href = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
    h("a", { href, download: `tree.${format}` }).click();
    setTimeout(() => URL.revokeObjectURL(href), KEPT);
  }

  function titles() {
    return h(
      "div",
      { class: "branch titles", "aria-hidden": "true" },
      h("span", {}, t("c.move")),
      h("span", { class: "right", title: t("c.visits.hint") }, t("c.visits")),
      h("span", { class: "right", title: t("tree.rate.hint") }, t("c.worth")),
      h("span", { class: "right", title: t("tree.flight.hint") }, t("tree.flight")),
    );
  }

  /** @param {string} line @param {TreeNode} node @returns {HTMLElement} */
  function branches(line, node) {
    const most = Math.max(1, ...node.branches.map((branch) => branch.visits));
    const left = node.branch_count - node.branches.length;
    return h(
      "ul",
      {},
      ...node.branches.map((branch) => item(line, branch, most)),
      left > 0 ? h("li", { class: "quiet left" }, t("c.more", { count: left })) : null,
    );
  }

  /** @param {string} line @param {Branch} branch @param {number} most */
  function item(line, branch, most) {
    const here = line === "" ? branch.move : line + SEPARATOR + branch.move;
    const node = open.get(here);
    const opened = open.has(here);
    const crossing = branch.child !== null && branch.child_visits > branch.visits;
    const proven = provenText(branch.proven, branch.proven_plies);
    const row = h(
      "div",
      { class: chosen === here ? "branch chosen" : "branch" },
      h(
        "span",
        { class: "lead" },
        h(
          "button",
          {
            type: "button",
            class: "expand",
            disabled: branch.child === null,
            "aria-expanded": String(opened),
            "aria-label": t("tree.expand", { move: branch.move }),
            "data-key": `x${here}`,
            onclick: () => toggle(here),
          },
          icon("open"),
        ),
        h(
          "button",
          {
            type: "button",
            class: "ply",
            "aria-pressed": String(chosen === here),
            "data-key": `m${here}`,
            onclick: () => choose(here),
          },
          branch.move,
        ),
        crossing
          ? h(
              "span",
              {
                class: "badge",
                title: t("tree.crossing.hint", { visits: grouped(branch.child_visits) }),
              },
              t("tree.crossing"),
            )
          : null,
        proven ? h("span", { class: "badge strong", title: t("proven.hint") }, proven) : null,
      ),
      h("span", { class: "right", title: grouped(branch.visits) }, short(branch.visits)),
      h("span", { class: "right" }, percent(branch.win_rate)),
      h("span", { class: "right" }, branch.in_flight ? String(branch.in_flight) : ""),
    );
    row.style.setProperty("--share", (branch.visits / most).toFixed(3));
    return h("li", {}, row, node && node.branches.length > 0 ? branches(here, node) : null);
  }

  return {
    element,
    update() {
      const now = `${table.view.session} ${table.view.position} ${table.view.played.join(" ")}`;
      if (now !== game) {
        game = now;
        open.clear();
        open.set("", null);
        chosen = null;
        draw();
        void read();
      }
      if (table.preview === null && chosen !== null && !table.sessions[0].busy) chosen = null;
    },
    read,
  };
}

/** @param {string} line */
function split(line) {
  return line === "" ? [] : line.split(SEPARATOR);
}
