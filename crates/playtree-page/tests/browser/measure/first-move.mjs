// From the opening of the page to the first move of the engine, which has a second for it: a new
// browser profile each time, so that nothing is kept from the time before. Where the time goes that
// is not the search's: until the page asks for the search, and from its end to the move in the list.

import { setTimeout as sleep } from "node:timers/promises";

import { moves, moveTimes, newPage, withBrowser } from "./browser.mjs";
import { median } from "./numbers.mjs";

const BUDGET = 1;
const WANTED = 1.5;

export function firstMove(url, { tries, games }) {
  // The engine has the first move.
  const prefs = { side: 1, engines: [{ seconds: BUDGET }, {}] };
  return withBrowser(async (browser) => {
    for (const game of games.split(",")) {
      const [found, loading, ending] = [[], [], []];
      for (let at = 0; at < Number(tries); at++) {
        const { page, done } = await newPage(browser, url, prefs);
        await page.goto(`${url}/#game=${game}`);
        await moves(page, 1);
        const seen = (await moveTimes(page))[0];
        found.push(seen / 1000);
        loading.push(await asked(page, "/think"));
        ending.push(seen - (await asked(page, "/play")));
        await done();
        // The server gives the memory of the game before back.
        await sleep(500);
      }
      const [middle, worst] = [median(found), Math.max(...found)];
      console.log(
        `${game}: median ${middle.toFixed(3)} s, worst ${worst.toFixed(3)} s of ${tries}` +
          ` (budget ${BUDGET} s, wanted below ${WANTED} s);` +
          ` ${median(loading).toFixed(0)} ms until the search is asked for,` +
          ` ${median(ending).toFixed(0)} ms to play its move and show it`,
      );
    }
  });
}

/** When the page first asked for something, in milliseconds. */
function asked(page, end) {
  return page.evaluate((what) => {
    const all = performance.getEntriesByType("resource");
    return all.find(({ name }) => name.endsWith(what)).startTime;
  }, end);
}
