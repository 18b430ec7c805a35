// How long an engine takes for its moves on the page that thinks in the person's time, too: from the
// person's move on the board to the engine's.

import { moves, moveTimes, newPage, withBrowser } from "./browser.mjs";
import { median, numbers } from "./numbers.mjs";

/** What may come on top of the limit, in seconds. */
const ALLOWED = 0.05;

export function longestMove(url, { moves: count, seconds, game }) {
  const limit = Number(seconds);
  const prefs = { engines: [{ seconds: limit, ponder: true }, {}] };
  const random = numbers(3);
  const found = [];
  return withBrowser(async (browser) => {
    const { page, done } = await newPage(browser, url, prefs);
    await page.goto(`${url}/#game=${game}`);
    while (found.length < Number(count)) {
      await page.waitForSelector(".cell.can, .others button, .result:not([hidden])");
      const plies = (await moveTimes(page)).length;
      if (await page.locator(".result:not([hidden])").isVisible()) {
        await page.locator('.setup [data-action="new"]').click();
        await page.waitForFunction(() => globalThis.moveTimes.length === 0);
        continue;
      }
      const choices = page.locator(".cell.can, .others button");
      await choices.nth(random(await choices.count())).click();
      await moves(page, plies + 2);
      const times = await moveTimes(page);
      // The person's move may have ended the game.
      if (times.length < plies + 2) continue;
      found.push((times[plies + 1] - times[plies]) / 1000);
    }
    await done();
    const worst = Math.max(...found);
    console.log(
      `${found.length} moves with a limit of ${limit} s: median ${median(found).toFixed(3)} s,` +
        ` longest ${worst.toFixed(3)} s (wanted below ${(limit + ALLOWED).toFixed(2)} s)`,
    );
    if (worst >= limit + ALLOWED) process.exitCode = 1;
  });
}
