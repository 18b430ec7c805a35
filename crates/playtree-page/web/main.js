/** The start: reads what was chosen and where the link leads, and builds the page. */

import { Refused, about, games } from "./api.js";
import { h } from "./lib/dom.js";
import { Page } from "./page.js";
import { onKey } from "./panels/keys.js";
import { dress, prefs, recall } from "./prefs.js";
import { readLink } from "./table/link.js";
import { Table } from "./table/table.js";
import { maybe, speak, t } from "./words.js";

const FIRST_GAME = "othello";

async function start() {
  recall();
  dress();
  speak(prefs.language);
  const root = /** @type {HTMLElement} */ (document.getElementById("app"));
  let table;
  try {
    const [list, lent] = await Promise.all([games(), about()]);
    table = new Table(list, lent);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    root.replaceChildren(
      h("p", { class: "error", role: "alert" }, maybe(`error.${error.code}`) ?? error.message),
    );
    return;
  }
  await open(table);
  if (table.sessions.length === 0) {
    root.replaceChildren(
      h("p", { class: "error", role: "alert" }, table.refused?.message ?? t("error.unreachable")),
    );
    return;
  }
  const page = new Page(table, root);
  page.build();
  table.watch(() => page.update());
  addEventListener("keydown", (event) => onKey(page, event));
  addEventListener("hashchange", () => {
    const linked = readLink(location.hash);
    if (linked && location.hash !== table.view.link) void table.begin(linked);
  });
  addEventListener("pagehide", () => {
    for (const session of table.sessions) session.close();
  });
  addEventListener("pageshow", (event) => {
    if (event.persisted) void table.again();
  });
}

/** Opens the game of the link, or the first one if that cannot be. @param {Table} table */
async function open(table) {
  const first = { game: FIRST_GAME, moves: [] };
  await table.begin(readLink(location.hash) ?? first);
  if (table.sessions.length > 0) return;
  const { refused } = table;
  await table.begin(first);
  table.refused = refused;
}

void start();
