// From the opening of the page to the first move of the engine, which has a second for it: a new
// browser profile each time, so that nothing is kept from the time before.

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
      const found = [];
      for (let at = 0; at < Number(tries); at++) {
        const { page, done } = await newPage(browser, url, prefs);
        await page.goto(`${url}/#game=${game}`);
        await moves(page, 1);
        found.push((await moveTimes(page))[0] / 1000);
        await done();
        // The server gives the memory of the game before back.
        await sleep(500);
      }
      const [middle, worst] = [median(found), Math.max(...found)];
      console.log(
        `${game}: median ${middle.toFixed(3)} s, worst ${worst.toFixed(3)} s of ${tries}` +
          ` (budget ${BUDGET} s, wanted below ${WANTED} s)`,
      );
    }
  });
}
