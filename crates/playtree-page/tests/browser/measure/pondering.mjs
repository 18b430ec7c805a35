// What an engine of Othello gains that thinks in the person's time, which is as long as its own: at
// each position of the same games it searches once with what it found in that time, once without.

import { setTimeout as sleep } from "node:timers/promises";

import { median, quantile } from "./numbers.mjs";
import { Session } from "./server.mjs";

const WANTED = 1.5;
/** The person that plays what the engine expects. */
const EXPECTED = "expected";
export async function pondering(url, { games, seconds, person: strength }) {
  const gains = [];
  const known = [];
  const sums = [0, 0];
  let decided = 0;
  for (let game = 0; game < Number(games); game++) {
    const settings = { mcts: {} };
    const [ponders, rests, person] = await Promise.all([
      Session.open(url, { game: "othello", settings }),
      Session.open(url, { game: "othello", settings }),
      Session.open(url, { game: "othello", settings: { mcts: { threads: 1, seed: game } } }),
    ]);
    const all = [ponders, rests, person];
    const limit = { seconds: Number(seconds) };
    const play = (move) => Promise.all(all.map((one) => one.play(move)));
    for (;;) {
      // A person needs no processor: what it plays is found before its time begins.
      const found = strength === EXPECTED ? null : await person.search(simulations(strength));
      await ponders.think({});
      await sleep(1000 * limit.seconds);
      const before = await ponders.stop();
      await play(found?.best_move ?? before.report.best_move);
      if (ponders.view.outcome) break;
      const both = [await ponders.search(limit), await rests.search(limit)];
      const [more, less] = both.map(visits);
      // A proof ends a search before its time: the visits say nothing then.
      if (both.every((report) => report.stop_reason === "time")) {
        gains.push(more / less);
        sums[0] += more;
        sums[1] += less;
        known.push((more - both[0].simulations) / visits(before.report));
      } else {
        decided += 1;
      }
      await play(both[0].best_move);
      if (ponders.view.outcome) break;
    }
    console.log(`game ${game + 1}: ${ponders.view.played.length} plies, ${ponders.view.outcome.text}`);
    await Promise.all(all.map((one) => one.close()));
  }
  const enough = gains.filter((gain) => gain >= WANTED).length;
  console.log(
    `visits a move, with thinking in the person's time to without: median` +
      ` ${median(gains).toFixed(2)}, a tenth of the moves below ${quantile(gains, 0.1).toFixed(2)}` +
      ` (${gains.length} moves of ${seconds} s, wanted at least ${WANTED})`,
  );
  console.log(`visits of all these moves together: ${(sums[0] / sums[1]).toFixed(2)}`);
  console.log(
    `${enough} of ${gains.length} moves gain at least that; a tree keeps` +
      ` ${(100 * median(known)).toFixed(0)} % of its visits in the median when the person moves;` +
      ` ${decided} more moves were proven before their time`,
  );
}

/** @param {string} count */
const simulations = (count) => ({ simulations: Number(count) });

/** @param {{moves: {visits: number}[]}} report */
function visits(report) {
  return report.moves.reduce((sum, move) => sum + move.visits, 0);
}
