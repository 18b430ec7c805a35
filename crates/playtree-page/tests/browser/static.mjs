// The page without a server: every game is played by the engine in the page, and nothing is asked
// for but files.

import assert from "node:assert/strict";

import { GAMES, plies, quick, says, view as viewOf } from "./open.mjs";

const FILES = /^\/(web\/[\w/-]+\.(js|css|svg|wasm))?$/;

export async function withoutServer({ open, browser, url }) {
  await noEngine(browser, url);
  for (const game of GAMES) {
    const began = Date.now();
    // The first player is the engine, which has a second for its move.
    const { page, done } = await open({
      hash: `#game=${game}`,
      prefs: { side: 1, engines: [{ seconds: 1 }, { seconds: 1 }] },
      listen: (request) => {
        if (request.url().startsWith("blob:")) return;
        assert.equal(request.method(), "GET");
        assert.match(new URL(request.url()).pathname, FILES);
      },
    });
    await plies(page, 1);
    const first = (Date.now() - began) / 1000;
    await done();
    const played = await wholeGame(open, game);
    console.log(`        ${game}: first move after ${first.toFixed(1)} s; ${played} plies`);
  }
}

/** A page whose engine cannot be loaded says so. */
async function noEngine(browser, url) {
  const page = await browser.newPage();
  await page.context().route("**/engine.wasm", (route) => route.fulfill({ status: 404 }));
  await page.goto(url);
  await says(page, ".error", "The engine does not answer.");
  await page.close();
}

/** Two engines play to the end. */
async function wholeGame(open, game) {
  const { page, done } = await open({
    hash: `#game=${game}`,
    prefs: quick(0.03, { mode: "watch" }),
    still: true,
  });
  await page.waitForSelector(".result:not([hidden])", { timeout: 300_000 });
  const { outcome, played } = await viewOf(page);
  assert.ok(outcome, `${game} goes on`);
  assert.deepEqual(await page.locator(".moves [data-ply]").allTextContents(), played);
  await done();
  return played.length;
}
