// What the page lets a person do besides moving.

import assert from "node:assert/strict";

import {
  ask,
  busy,
  counted,
  gone,
  plies,
  press,
  quick,
  says,
  seen,
  session,
  site,
  until,
  view as viewOf,
} from "./open.mjs";

export async function features({ open, url }) {
  await otherMoves(open);
  await sides(open);
  await texts(open);
  await twoEngines(open);
  await otherEngines(open);
  await atOnce(open);
  await dragging(open);
  await cardsAndPiles(open);
  await lostSession(open);
  if (site.isStatic) return;
  await leaving(open, url);
  await noRoom(open);
}

/** The engine takes a move back and plays another; a game is given up. */
async function otherMoves(open) {
  const { page, done } = await open({ hash: "#game=connect4", prefs: quick(0.2) });
  await page.locator('[data-cell="38"]').click();
  await plies(page, 2);
  const answers = new Set([await page.locator('[data-ply="2"]').textContent()]);
  for (let at = 0; at < 3; at++) {
    await press(page, "Another move, please");
    await page.waitForFunction(
      (before) => {
        const now = document.querySelector('[data-ply="2"]:not(.undone)')?.textContent;
        return (
          now && !before.includes(now) && document.getElementById("app").dataset.busy === "false"
        );
      },
      [...answers],
    );
    answers.add(await page.locator('[data-ply="2"]').textContent());
  }
  assert.equal(answers.size, 4);
  await press(page, "Resign");
  await says(page, ".result:not([hidden])", "Red resigns. Yellow wins.");
  await done();
}

/** The engine begins if the person has the other side, and keeps to its time. */
async function sides(open) {
  const { page, done } = await open({ hash: "#game=othello", prefs: quick(2) });
  await press(page, "White");
  await plies(page, 1);
  const time = await says(page, '[data-number="n.time"]', /^\d+\.\d s$/);
  // As chosen, and not as it is by itself.
  assert.ok(Number.parseFloat(time) >= 2 && Number.parseFloat(time) < 5, time);
  await page.getByLabel("Strength").selectOption("simulations");
  await page.getByLabel("Number").fill("777");
  await page.getByLabel("Number").press("Enter");
  await page.locator(".cell.can").first().click();
  await plies(page, 3);
  await seen(page, '[data-number="n.simulations"][title="777"]');
  await done();
}

/** Positions and games go in and out as text, and a link comes back to them. */
async function texts(open) {
  const { page, done } = await open({
    hash: "#game=hex&position=5%3A&moves=c3,b2",
    prefs: quick(0.1, { mode: "analyse" }),
  });
  await plies(page, 2);
  await counted(page, ".cell", 25);
  await page.click("#tab-text");
  await until(async () =>
    assert.match(
      await page.locator(".texts textarea").nth(1).inputValue(),
      /^game hex\nposition 5:\nmoves c3 b2\n$/,
    ),
  );
  await page.locator(".texts textarea").first().fill("7: d4 c5");
  await press(page, "Set up");
  await counted(page, ".cell", 49);
  await page.locator(".texts textarea").nth(1).fill("game othello\nmoves d3 c3 c4\n");
  await press(page, "Load");
  await plies(page, 3);
  await until(async () => assert.match(page.url(), /#game=othello&moves=d3,c3,c4$/));
  await page.reload();
  await plies(page, 3);
  await done();
  const wrong = await open({ hash: "#game=othello", prefs: quick(0.1), refusals: 1 });
  await wrong.page.click("#tab-text");
  await wrong.page.locator(".texts textarea").first().fill("no position");
  await press(wrong.page, "Set up");
  await says(wrong.page, ".error:not([hidden])", /refused: .*expected/);
  await wrong.done();
}

/** Two engines look at one position side by side, each with its own numbers. */
async function twoEngines(open) {
  const { page, done } = await open({
    hash: "#game=othello&moves=d3",
    prefs: quick(0.1, { mode: "compare" }),
  });
  await page.waitForFunction(
    () =>
      [...document.querySelectorAll('[data-number="n.simulations"]')].filter(
        (one) => Number(one.title.replace(/\D/g, "")) > 1000,
      ).length === 2,
  );
  await page.locator(".cell.can").first().click();
  await plies(page, 2);
  await page.waitForFunction(() =>
    [...document.querySelectorAll(".search")].every(
      (one) => one.dataset.thinking === "true" && !one.classList.contains("past"),
    ),
  );
  await press(page, "Stop");
  await busy(page, false);
  await done();
}

/** Alpha-beta and the solver play and are looked at too. */
async function otherEngines(open) {
  const { page, done } = await open({ hash: "#game=connect4", prefs: quick(0.2) });
  await page.locator(".engine select").first().selectOption("alphabeta");
  await page.locator('[data-cell="38"]').click();
  await plies(page, 2);
  await says(page, "tr[data-move] .worth", /^[+-]?\d+$|in \d/);
  await page.locator(".engine select").first().selectOption("solver");
  await page.locator('[data-cell="38"]').click();
  await plies(page, 4);
  await done();
  const nim = await open({
    hash: "#game=nim",
    prefs: { mode: "analyse", engines: [{ kind: "solver" }, {}] },
  });
  await says(nim.page, ".verdict:not([hidden])", /^Proven: loss/);
  await nim.done();
}

/** A choice holds although something else is asked for while the engine is still at work. */
async function atOnce(open) {
  const { page, done } = await open({
    hash: "#game=othello",
    prefs: quick(0.1, { mode: "analyse" }),
  });
  await busy(page, true);
  await page.evaluate(() => {
    const searcher = document.querySelector(".engine select");
    searcher.value = "alphabeta";
    searcher.dispatchEvent(new Event("change"));
    document.querySelector('[data-action="new"]').click();
  });
  await until(async () => assert.ok((await viewOf(page)).settings.alphabeta));
  await busy(page, true);
  await page.evaluate(() => {
    document.querySelector('[data-value="compare"]').click();
    document.querySelector('[data-action="new"]').click();
  });
  await page.waitForFunction(
    () => document.querySelectorAll('.search[data-thinking="true"]').length === 2,
  );
  await done();
}

/** A piece is dragged to where it goes. */
async function dragging(open) {
  const { page, done } = await open({ hash: "#game=breakthrough", prefs: quick(0.1) });
  const middle = async (cell) => {
    const box = await page.locator(`[data-cell="${cell}"]`).boundingBox();
    return [box.x + box.width / 2, box.y + box.height / 2];
  };
  await page.mouse.move(...(await middle(51)));
  await page.mouse.down();
  await page.mouse.move(...(await middle(43)), { steps: 5 });
  await counted(page, ".dragged", 1);
  await page.mouse.up();
  await plies(page, 2);
  await says(page, '[data-ply="1"]', "d2d3");
  await done();
}

/** Tokens are taken and cards are played by clicks. */
async function cardsAndPiles(open) {
  const nim = await open({ hash: "#game=nim", prefs: quick(0.1) });
  await nim.page.locator('[data-token="3-6"]').click();
  await plies(nim.page, 2);
  await says(nim.page, '[data-ply="1"]', "4-2");
  await nim.done();
  const cards = await open({ hash: "#game=doudizhu", prefs: quick(0.1) });
  const own = cards.page.locator('.hand[aria-label="First"] .card');
  await own.nth(2).click();
  await own.nth(3).click();
  await press(cards.page, "Play cards");
  await plies(cards.page, 2);
  await says(cards.page, '[data-ply="1"]', "55");
  await cards.done();
}

/** A game goes on in another session if the server has given up its own. */
async function lostSession(open) {
  const { page, done } = await open({ hash: "#game=connect4&moves=4,4", prefs: quick(0.1) });
  const before = await page.locator("#app").getAttribute("data-session");
  await ask(page, "DELETE", `sessions/${before}`);
  await page.waitForFunction((id) => document.getElementById("app").dataset.session !== id, before);
  await plies(page, 2);
  await page.locator('[data-cell="38"]').click();
  await plies(page, 4);
  await done();
}

/** A page that is left takes its session with it. */
async function leaving(open, url) {
  for (const mode of ["play", "analyse"]) {
    // Again, if the browser was too busy to let the page say it.
    await until(async () => {
      const { page, done } = await open({ hash: "#game=othello", prefs: quick(0.1, { mode }) });
      await busy(page, mode === "analyse");
      const id = await session(page);
      await page.goto("about:blank");
      const isGone = await gone(url, id);
      await done();
      assert.ok(isGone, `${mode}: the session of a page that was left`);
    });
  }
}

/** If there is room for one of two engines only, the mode stays, and no session is left behind. */
async function noRoom(open) {
  let asked = 0;
  const full = { error: { code: "full", message: "expected a free place, found none" } };
  const { page, done } = await open({
    hash: "#game=othello",
    prefs: quick(0.1),
    refusals: 1,
    routes: {
      "**/api/sessions": (route) => {
        asked += 1;
        return asked === 3
          ? route.fulfill({
              status: 429,
              contentType: "application/json",
              body: JSON.stringify(full),
            })
          : route.continue();
      },
    },
  });
  const before = await page.locator("#app").getAttribute("data-session");
  const closed = page.waitForRequest((request) => request.method() === "DELETE");
  await press(page, "Compare");
  assert.ok(!(await closed).url().endsWith(before));
  await says(page, ".error:not([hidden])", /no room/);
  await page.waitForSelector('[data-value="play"][aria-pressed="true"]');
  await seen(page, `#app[data-session="${before}"]`);
  await page.locator(".cell.can").first().click();
  await plies(page, 2);
  await done();
}
