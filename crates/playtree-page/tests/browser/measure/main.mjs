// Measures the page and its server: `node main.mjs URL PART [--OPTION VALUE ...]`, one part at a
// time on a machine that does nothing else. What the numbers mean: docs/measurements/page.md.

import { parseArgs } from "node:util";

import { depths } from "./depths.mjs";
import { firstMove } from "./first-move.mjs";
import { longestMove } from "./longest-move.mjs";
import { pondering } from "./pondering.mjs";
import { about } from "./server.mjs";
import { watching } from "./watching.mjs";

/** Each with its options and what they are without a word. */
const PARTS = {
  "first-move": [firstMove, { tries: "10", games: "connect4,othello,hex,xiangqi" }],
  watching: [watching, { pairs: "15", seconds: "4", games: "othello,hex", threads: "1" }],
  pondering: [pondering, { games: "2", seconds: "1", person: "20000" }],
  "longest-move": [longestMove, { moves: "100", seconds: "5", game: "othello" }],
  depths: [depths, { positions: "24", seconds: "2", seed: "1", file: "" }],
};

const [url, part, ...rest] = process.argv.slice(2);
if (!url || !(part in PARTS)) {
  console.error(`expected an address and one of ${Object.keys(PARTS)}, found '${part ?? ""}'`);
  process.exit(2);
}
const [measure, defaults] = PARTS[part];
const options = Object.fromEntries(
  Object.entries(defaults).map(([name, value]) => [name, { type: "string", default: value }]),
);
const { values } = parseArgs({ args: rest, options });
const { version, workers } = await about(url);
const said = Object.entries(values).map(([name, value]) => `${name} ${value || "-"}`);
console.log(`${part}: playtree ${version}, ${workers} workers; ${said.join(", ")}`);
await measure(url, values);
process.exit(0);
