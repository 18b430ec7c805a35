// A network as an engine: chosen where a game begins on its board, with the policy of each move.

import assert from "node:assert/strict";

import { quick, seen, until, view } from "./open.mjs";

/** Whether the server has a network for Connect Four. */
export async function hasNetwork(url) {
  const games = await (await fetch(`${url}/api/games`)).json();
  return games.find((game) => game.name === "connect4").starts[0].network;
}

export async function network({ open }) {
  const { page, done } = await open({
    hash: "#game=connect4",
    prefs: quick(0.3, { mode: "analyse" }),
  });
  await seen(page, ".setup");
  const kind = page.locator('[data-engine="0"] select').first();
  assert.equal((await view(page)).network, false);
  await kind.selectOption("network");
  await until(async () => assert.equal((await view(page)).network, true));
  // It says what the network thinks of each move.
  await seen(page, ".candidates td.prior");
  await until(async () => {
    const texts = await page.locator(".candidates td.prior:visible").allTextContents();
    assert.ok(texts.length >= 7 && texts.every((text) => / %$/.test(text)), texts.join());
    const sum = texts.reduce((all, text) => all + parseFloat(text), 0);
    assert.ok(Math.abs(sum - 100) < 1, `the shares are ${sum} % together`);
  });
  // Without it there is none, and another game has none to choose.
  await kind.selectOption("mcts");
  await until(async () => assert.equal((await view(page)).network, false));
  await done();
  const other = await open({ hash: "#game=othello", prefs: { engines: [{ kind: "network" }, {}] } });
  await seen(other.page, ".setup");
  const kinds = other.page.locator('[data-engine="0"] select').first().locator("option");
  assert.deepEqual(
    await kinds.evaluateAll((all) => all.map((one) => one.value)),
    ["mcts", "alphabeta", "solver"],
  );
  await other.done();
}
