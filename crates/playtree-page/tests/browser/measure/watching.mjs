// What it costs a search that a page looks at it: pairs of the same search, by turns first with a
// page and first without.

import assert from "node:assert/strict";

import { newPage, withBrowser } from "./browser.mjs";
import { median, quantile } from "./numbers.mjs";
import { Session } from "./server.mjs";

/** What the page shows beside the board, the bar and the heat map. */
const TABS = ["search", "tree"];

export function watching(url, { pairs, seconds, games, threads }) {
  const limit = { seconds: Number(seconds) };
  const choice = { threads: Number(threads), memory: 256 };
  return withBrowser(async (browser) => {
    for (const game of games.split(",")) {
      for (const tab of TABS) {
        const { page, done } = await analysis(browser, url, game, choice, limit);
        await page.locator(`#tab-${tab}`).click();
        const settings = await page.evaluate(() => globalThis.lastSettings);
        const alone = await Session.open(url, { game, settings });
        const ratios = [];
        for (let at = 0; at < Number(pairs); at++) {
          const ways = [() => watched(page), () => unwatched(alone, limit)];
          const order = at % 2 === 0 ? [0, 1] : [1, 0];
          const speeds = [];
          for (const way of order) speeds[way] = await ways[way]();
          ratios.push(speeds[0] / speeds[1]);
        }
        await alone.close();
        await done();
        const cost = (share) => `${(100 * (1 - share)).toFixed(2)} %`;
        console.log(
          `${game}, panel '${tab}': cost of watching, median ${cost(median(ratios))},` +
            ` half of the pairs from ${cost(quantile(ratios, 0.75))} to` +
            ` ${cost(quantile(ratios, 0.25))} (${pairs} pairs, ${threads} threads,` +
            ` wanted below 1 %)`,
        );
      }
    }
  });
}

/** A page that analyses, where each analysis takes this long; it has ended its first one. */
async function analysis(browser, url, game, choice, limit) {
  const prefs = { mode: "analyse", engines: [choice, choice] };
  const { page, done } = await newPage(browser, url, prefs);
  // An analysis has no limit by itself.
  await page.route("**/think", (route) => route.continue({ postData: JSON.stringify(limit) }));
  await page.addInitScript(() => {
    // What the page is told of its searches, and the settings it asks for.
    globalThis.ends = [];
    const { addEventListener } = EventSource.prototype;
    EventSource.prototype.addEventListener = function (name, act) {
      const heard = (event) => {
        if (name === "end") globalThis.ends.push(JSON.parse(event.data).report);
        act(event);
      };
      return addEventListener.call(this, name, heard);
    };
    const { fetch } = globalThis;
    globalThis.fetch = (path, request) => {
      const body = request?.body ? JSON.parse(request.body) : {};
      if (body.settings) globalThis.lastSettings = body.settings;
      return fetch(path, request);
    };
  });
  await page.goto(`${url}/#game=${game}`);
  await page.waitForFunction(() => globalThis.ends.length === 1);
  return { page, done };
}

/** The speed of a search by a new engine that the page shows. */
async function watched(page) {
  const before = await page.evaluate(() => globalThis.ends.length);
  // The same position again: a new engine, which begins at once.
  await page.locator('.setup [data-action="new"]').click();
  await page.waitForFunction((count) => globalThis.ends.length > count, before);
  const { report, shown } = await page.evaluate(() => ({
    report: globalThis.ends.at(-1),
    shown: document.querySelectorAll(".mark").length,
  }));
  assert.ok(shown > 0, "expected visits on the board, found none");
  return report.simulations / report.seconds;
}

/** The speed of the same search that nothing looks at. */
async function unwatched(session, limit) {
  await session.setUp(session.view.start);
  const report = await session.search(limit);
  return report.simulations / report.seconds;
}
