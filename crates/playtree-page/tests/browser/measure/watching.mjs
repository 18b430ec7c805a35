// What it costs a search that it is looked at: the same search of a session that nothing listens to,
// of one that a program listens to which asks what the page asks, and of one that a page shows.

import assert from "node:assert/strict";

import { newPage, withBrowser } from "./browser.mjs";
import { median, quantile } from "./numbers.mjs";
import { readerOf } from "./reader.mjs";
import { browserSeconds, serverSeconds } from "./seconds.mjs";
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
        const ways = [
          () => searched(alone, limit),
          () => searched(alone, limit, readerOf(alone, tab === "tree")),
          () => watched(page),
        ];
        const read = [];
        const shown = [];
        const shares = [];
        for (let at = 0; at < Number(pairs); at++) {
          const found = [];
          for (const way of at % 2 === 0 ? [0, 1, 2] : [2, 1, 0]) {
            const before = [serverSeconds(), await browserSeconds(browser)];
            const report = await ways[way]();
            const server = serverSeconds() - before[0];
            const pages = (await browserSeconds(browser)) - before[1];
            found[way] = {
              speed: report.simulations / report.seconds,
              work: report.simulations / server,
              pages: pages / report.seconds,
            };
          }
          const [without, reader, seen] = found;
          read.push([1 - reader.speed / without.speed, 1 - reader.work / without.work]);
          shown.push([1 - seen.speed / without.speed, 1 - seen.work / without.work]);
          shares.push(seen.pages);
        }
        await alone.close();
        await done();
        const name = `${game}, panel '${tab}'`;
        console.log(`${name}, a program that reads: ${costs(read)}`);
        console.log(
          `${name}, a page: ${costs(shown)};` +
            ` the browser takes ${(100 * median(shares)).toFixed(1)} % of a core`,
        );
      }
    }
  });
}

function costs(pairs) {
  const text = (share) => `${(100 * share).toFixed(2)} %`;
  const of = (values) =>
    `${text(median(values))} (${text(quantile(values, 0.25))} to ${text(quantile(values, 0.75))})`;
  return (
    `speed less by ${of(pairs.map(([speed]) => speed))},` +
    ` simulations a second of the server's processor by ${of(pairs.map(([, work]) => work))}`
  );
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

/** The search of a new engine that the page shows. */
async function watched(page) {
  const before = await page.evaluate(() => globalThis.ends.length);
  // The same position again: a new engine, which begins at once.
  await page.locator('.setup [data-action="new"]').click();
  await page.waitForFunction((count) => globalThis.ends.length > count, before, { polling: 250 });
  const { report, shown } = await page.evaluate(() => ({
    report: globalThis.ends.at(-1),
    shown: document.querySelectorAll(".mark").length,
  }));
  assert.ok(shown > 0, "expected visits on the board, found none");
  return report;
}

/** The same search, that nothing looks at but the reader, if there is one. */
async function searched(session, limit, reader) {
  await session.setUp(session.view.start);
  const reading = reader?.begin();
  const report = await session.search(limit);
  await reading?.end();
  return report;
}
