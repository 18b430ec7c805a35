// A browser that keeps nothing from one page to the next.

import { chromium } from "playwright-core";

import { ask } from "./server.mjs";

/** @param {(browser: import("playwright-core").Browser) => Promise<void>} act */
export async function withBrowser(act) {
  const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
  try {
    await act(browser);
  } finally {
    await browser.close();
  }
}

/**
 * A page of this server that nothing is loaded in yet; it notes in `moveTimes` when each move is seen in the list,
 * in milliseconds since the page was asked for.
 */
export async function newPage(browser, url, prefs) {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    locale: "en-GB",
  });
  context.setDefaultTimeout(600_000);
  await context.addInitScript((kept) => {
    if (location.protocol === "http:") localStorage.setItem("playtree", JSON.stringify(kept));
    globalThis.moveTimes = [];
    new MutationObserver(() => {
      const count = document.querySelectorAll(".moves [data-ply]:not(.undone)").length;
      while (globalThis.moveTimes.length < count) globalThis.moveTimes.push(performance.now());
      globalThis.moveTimes.length = count;
    }).observe(document, { subtree: true, childList: true });
  }, prefs);
  const page = await context.newPage();
  return {
    page,
    async done() {
      const id = await page.locator("#app").getAttribute("data-session");
      await page.goto("about:blank");
      await context.close();
      // A browser that closes may not say so any more, and the next page needs the place.
      await ask(url, "DELETE", `sessions/${id}`).catch(() => null);
    },
  };
}

/** When each move was seen. */
export const moveTimes = (page) => page.evaluate(() => globalThis.moveTimes);

/** Waits until this number of moves was seen, or the game is over. */
export function moves(page, count) {
  return page.waitForFunction(
    (least) =>
      globalThis.moveTimes.length >= least || document.querySelector(".result:not([hidden])"),
    count,
  );
}
