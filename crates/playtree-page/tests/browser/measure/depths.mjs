// What a second thread gives alpha-beta in Xiangqi in the same time: the plies completed, position
// by position, by turns first with one and first with two. Each search has an engine of its own.

import { readFileSync } from "node:fs";

import { mean, median, numbers } from "./numbers.mjs";
import { Session } from "./server.mjs";

const GAME = "xiangqi";
/** Plies at random that a play-out begins with. */
const RANDOM = 4;
/** And its least number of plies. */
const SHORTEST = 16;
const WANTED_MEAN = 0.4;
const WANTED_SHARE = 0.4;

export async function depths(url, { positions, seconds, seed, file }) {
  const limit = { seconds: Number(seconds) };
  const lines = file ? read(file) : await playOuts(url, Number(positions), Number(seed));
  const sessions = await Promise.all(
    [1, 2].map((threads) =>
      Session.open(url, { game: GAME, settings: { alphabeta: { threads } } }),
    ),
  );
  const gains = [];
  const speeds = [];
  const plies = [[], []];
  let decided = 0;
  for (const [at, moves] of lines.slice(0, Number(positions)).entries()) {
    const reports = [];
    for (const way of at % 2 === 0 ? [0, 1] : [1, 0]) {
      await sessions[way].setUp(sessions[way].view.start, moves);
      reports[way] = await sessions[way].search(limit);
    }
    // A mate that is found ends a search before its time.
    if (reports.some((report) => report.stop_reason !== "time")) {
      decided += 1;
      continue;
    }
    reports.forEach((report, way) => plies[way].push(report.depth));
    gains.push(reports[1].depth - reports[0].depth);
    speeds.push(reports[1].nodes_per_second / reports[0].nodes_per_second);
  }
  const more = gains.filter((gain) => gain >= 1).length;
  console.log(
    `plies completed in ${seconds} s: ${mean(plies[0]).toFixed(2)} with one thread,` +
      ` ${mean(plies[1]).toFixed(2)} with two, ${mean(gains).toFixed(2)} more` +
      ` (wanted ${WANTED_MEAN}); a whole ply more in ${more} of ${gains.length} positions` +
      ` (${((100 * more) / gains.length).toFixed(0)} %, wanted ${100 * WANTED_SHARE} %),` +
      ` less in ${gains.filter((gain) => gain < 0).length}`,
  );
  console.log(
    `positions a second, two threads to one: median ${median(speeds).toFixed(2)};` +
      ` ${decided} more positions were decided before their time`,
  );
}

/** The moves that lead to positions, as ci/positions.sh writes them. @param {string} file */
function read(file) {
  const lines = readFileSync(file, "utf8").split("\n").map((line) => line.split("#")[0].trim());
  return lines.filter(Boolean).map((line) => {
    const [word, ...moves] = line.split(/\s+/);
    if (word !== "moves") throw new Error(`expected 'moves' and the moves, found '${line}'`);
    return moves;
  });
}

/** Positions of play-outs: some random plies, then the moves of a short search. */
async function playOuts(url, count, seed) {
  const random = numbers(seed);
  const settings = { alphabeta: { threads: 1, seed } };
  const session = await Session.open(url, { game: GAME, settings });
  const lines = [];
  for (let length = SHORTEST; lines.length < count; length += 2) {
    await session.setUp(session.view.start);
    for (let ply = 0; ply < length && !session.view.outcome; ply++) {
      const legal = session.view.moves.map((move) => move.text);
      const move =
        ply < RANDOM ? legal[random(legal.length)] : (await session.search({ depth: 3 })).best_move;
      await session.play(move);
    }
    if (!session.view.outcome) lines.push(session.view.played);
  }
  await session.close();
  return lines;
}
