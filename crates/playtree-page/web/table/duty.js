/** What the engines have to do now, and how it is done. */

import { prefs } from "../prefs.js";
import { allowance } from "./clock.js";
import { limitOf, moveOf } from "./engines.js";

/** @import {Table} from "./table.js" */

/** How long a hint is searched for, in seconds. */
const HINT_SECONDS = 1;

/** Whether an engine plays for this player. @param {Table} table @param {number} player */
export function isEngine(table, player) {
  return table.mode === "watch" || (table.mode === "play" && player !== prefs.side);
}

/**
 * The engine that plays for a player: the first one against a person, else each its own.
 * @param {Table} table
 * @param {number} player
 */
export function engineOf(table, player) {
  return table.mode === "watch" ? player % 2 : 0;
}

/** Lets the engines do what they have to in this position. @param {Table} table */
export async function advance(table) {
  const { view, mode, turn } = table;
  if (table.over) return;
  if (mode === "analyse" || mode === "compare") {
    if (table.analysing) await Promise.all(table.sessions.map((one) => one.think({})));
    return;
  }
  if (!isEngine(table, view.mover)) {
    if (table.engine(0).ponder && view.undone === 0) await table.sessions[0].think({});
    return;
  }
  if (table.paused) return;
  const at = engineOf(table, view.mover);
  const choice = table.engine(at);
  const session = table.sessions[at];
  if (!session) return;
  const except = table.except.length > 0 ? { except: table.except } : {};
  const limit = table.timed ? { seconds: timeFor(table, view.mover) } : limitOf(choice);
  const number = await session.think({ ...limit, ...except });
  table.news();
  const end = await session.whenEnded(number);
  if (turn !== table.turn || !end?.report) return;
  const move = moveOf(end.report, choice.random);
  if (move !== null) await table.play(move);
}

/** What the clock gives an engine for its move. @param {Table} table @param {number} player */
function timeFor({ clock, about }, player) {
  return Math.min(
    allowance(clock.left(player), clock.pace.increment),
    about.longest_search_seconds,
  );
}

/**
 * Finds a good move for the person: what is known already, or a short search.
 * @param {Table} table
 */
export async function findHint(table) {
  const session = table.sessions[0];
  if (!session.found?.report.moves.length || !session.busy) {
    await table.change(async () => {
      const { turn } = table;
      const number = await session.think({ seconds: HINT_SECONDS });
      await session.whenEnded(number);
      if (turn === table.turn) show();
    });
    return;
  }
  show();

  function show() {
    table.hint = session.found ? moveOf(session.found.report, false) : null;
    table.news();
  }
}
