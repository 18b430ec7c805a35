// Opens the page and watches for what must not happen: errors in the console, violations of the
// content security policy, answers that say no.

import assert from "node:assert/strict";

/**
 * `{ page, done }`: `done` closes the page and fails if something was logged. `refusals` says how
 * many requests the server is expected to refuse, or "some" if any; `lawless` is for tools that write styles of their
 * own.
 */
export async function openPage(browser, url, options = {}) {
  const {
    hash = "",
    theme = "light",
    size = [1280, 800],
    prefs = {},
    routes = {},
    refusals = 0,
  } = options;
  const context = await browser.newContext({
    viewport: { width: size[0], height: size[1] },
    colorScheme: theme,
    locale: "en-GB",
    bypassCSP: options.lawless ?? false,
    reducedMotion: options.still ? "reduce" : "no-preference",
    hasTouch: size[0] < 500,
  });
  const page = await context.newPage();
  const wrong = [];
  let refused = 0;
  page.on("console", (message) => {
    // The browser logs each answer that says no; they are counted below.
    if (/Failed to load resource/.test(message.text())) return;
    if (message.type() === "error" || message.type() === "warning")
      wrong.push(`console: ${message.text()}`);
  });
  page.on("pageerror", (error) => wrong.push(`error: ${error.message}`));
  page.on("response", (response) => {
    if (response.status() < 400) return;
    refused += 1;
    if (refusals !== "some" && refused > refusals)
      wrong.push(`${response.status()} ${response.url()}`);
  });
  page.on("request", (request) => {
    if (!request.url().startsWith(url) && !request.url().startsWith("data:"))
      wrong.push(`asked ${request.url()}`);
  });
  await context.addInitScript(
    ([kept]) => {
      document.addEventListener("securitypolicyviolation", (event) =>
        console.error(`policy: ${event.violatedDirective} ${event.blockedURI}`),
      );
      if (location.protocol === "http:" && !localStorage.getItem("playtree"))
        localStorage.setItem("playtree", JSON.stringify(kept));
    },
    [prefs],
  );
  for (const [pattern, handler] of Object.entries(routes)) await page.route(pattern, handler);
  await page.goto(`${url}/${hash}`);
  await page.waitForSelector("#app[data-session]");
  return {
    page,
    async done() {
      // The page ends its sessions when it is left.
      await page.goto("about:blank");
      await page.waitForTimeout(200);
      await context.close();
      assert.deepEqual(wrong, []);
      if (refusals !== "some") assert.equal(refused, refusals, "requests refused");
    },
  };
}

/** Preferences with an engine that takes `seconds` a move. */
export function quick(seconds = 0.1, more = {}) {
  return { engines: [{ seconds }, { seconds }], ...more };
}

/** Waits until an engine is, or is not, at work. */
export function busy(page, is, timeout = 20_000) {
  return page.waitForSelector(`#app[data-busy="${is}"]`, { timeout });
}

/** Waits until this number of moves has been played. */
export function plies(page, number) {
  return page.waitForFunction(
    (count) => document.querySelectorAll(".moves [data-ply]:not(.undone)").length === count,
    number,
    { timeout: 15_000 },
  );
}

/** Presses the button of this name. */
export function press(page, name) {
  return page.getByRole("button", { name, exact: true }).click();
}
