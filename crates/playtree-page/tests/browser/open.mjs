// Opens the page and watches for what must not happen: errors in the console, violations of the
// content security policy, answers that say no.

import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";

/** A game for each board that the page draws. */
export const GAMES = [
  "tictactoe",
  "connect4",
  "othello",
  "hex",
  "nim",
  "breakthrough",
  "gomoku",
  "xiangqi",
  "doudizhu",
];

/** How long a test waits for what must come, in milliseconds: longer than a busy machine takes. */
const LIMIT = 60_000;
/** How often it looks. */
const PERIOD = 50;
/** How long the session of a page that was left may last. */
const PATIENCE = 5_000;

/**
 * Reads and checks until nothing is wrong, and answers with what was read. What is wrong after a
 * minute fails the test.
 * @template T
 * @param {() => Promise<T>} check
 * @returns {Promise<T>}
 */
export async function until(check) {
  for (const end = Date.now() + LIMIT; ;) {
    try {
      return await check();
    } catch (error) {
      if (Date.now() > end) throw error;
    }
    await sleep(PERIOD);
  }
}

/** Waits until the text of an element is this one, or matches it, and answers with the text. */
export function says(page, selector, expected) {
  return until(async () => {
    const text = await page.locator(selector).first().textContent();
    if (expected instanceof RegExp) assert.match(text, expected);
    else assert.equal(text, expected);
    return text;
  });
}

/** Waits until there is this number of elements. */
export function counted(page, selector, number) {
  return until(async () => assert.equal(await page.locator(selector).count(), number, selector));
}

/** Waits until an element is there and can be seen. */
export function seen(page, selector) {
  return page.locator(selector).first().waitFor();
}

/** Waits until an element cannot be seen. */
export function unseen(page, selector) {
  return page.locator(selector).first().waitFor({ state: "hidden" });
}

/** What the tests know of the page that they open. */
export const site = {
  /** Whether it is served as files alone, and has its engine with it. */
  isStatic: false,
};

/** Asks what the page can ask, in its way: a path behind `/api/`. */
export function ask(page, method, path, body) {
  return page.evaluate(
    async (request) => (await import("/web/api.js")).ask(...request),
    [method, path, body],
  );
}

/** The number of the session on the page. */
export function session(page) {
  return page.locator("#app").getAttribute("data-session");
}

/** The game as the engine's side has it. */
export async function view(page) {
  return ask(page, "GET", `sessions/${await session(page)}`);
}

/**
 * `{ page, done }`: `done` closes the page and fails if something was logged. `refusals` says how
 * many requests the server is expected to refuse, or "some" if any; `lawless` is for tools that
 * write styles of their own.
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
  context.setDefaultTimeout(LIMIT);
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
    try {
      options.listen?.(request);
    } catch (error) {
      wrong.push(error.message);
    }
    // A file that the page hands over is a blob.
    if (![url, "data:", "blob:"].some((start) => request.url().startsWith(start)))
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
      const id = await page.evaluate(() => document.getElementById("app")?.dataset.session);
      await page.goto("about:blank");
      if (id && !site.isStatic && !(await gone(url, id)))
        await fetch(`${url}/api/sessions/${id}`, { method: "DELETE" });
      await context.close();
      assert.deepEqual(wrong, []);
      // An engine in the page refuses without an answer of a server.
      if (refusals !== "some" && !site.isStatic)
        assert.equal(refused, refusals, "requests refused");
    },
  };
}

/**
 * Whether a session has ended, soon after its page was left. A busy browser gives a page that is
 * left half a second to say so, and drops it then.
 */
export async function gone(url, id) {
  for (const end = Date.now() + PATIENCE; Date.now() < end; await sleep(PERIOD)) {
    if ((await fetch(`${url}/api/sessions/${id}`)).status === 404) return true;
  }
  return false;
}

/** Preferences with an engine that takes `seconds` a move. */
export function quick(seconds = 0.1, more = {}) {
  return { engines: [{ seconds }, { seconds }], ...more };
}

/** Waits until nothing on the page moves or fades. */
export function still(page) {
  return page.waitForFunction(() =>
    document.getAnimations().every((one) => one.playState !== "running"),
  );
}

/** Waits until a panel has what it is to show: in a game with a person, nothing is searched yet. */
export async function filled(page, mode, tab) {
  await seen(page, `#panel-${tab}`);
  if (mode !== "play") {
    if (tab === "search") await seen(page, "#panel-search tr[data-move]");
    if (tab === "tree") await seen(page, "#panel-tree .branch .ply");
  }
  if (tab === "text") await seen(page, ".by-hand-card");
  await still(page);
}

/** Waits until an engine is, or is not, at work. */
export function busy(page, is) {
  return page.waitForSelector(`#app[data-busy="${is}"]`);
}

/** Waits until this number of moves has been played. */
export function plies(page, number) {
  return page.waitForFunction(
    (count) => document.querySelectorAll(".moves [data-ply]:not(.undone)").length === count,
    number,
  );
}

/** Presses the button of this name. */
export function press(page, name) {
  return page.getByRole("button", { name, exact: true }).click();
}
