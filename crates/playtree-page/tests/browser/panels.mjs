// Compares what the panels show with what the API says, while a search runs and at its end.

import assert from "node:assert/strict";

import { busy, quick } from "./open.mjs";

export async function panels({ open }) {
  for (const game of ["othello", "xiangqi", "connect4"]) {
    const { page, done } = await open({
      hash: `#game=${game}`,
      prefs: quick(0.1, { mode: "analyse" }),
    });
    await busy(page, true);
    await watchGrow(page);
    await page.getByRole("button", { name: "Stop", exact: true }).click();
    await busy(page, false);
    await page.waitForFunction(
      () => document.querySelector(".search").dataset.thinking === "false",
    );
    const search = await lastSearch(page);
    await compareSearch(page, search);
    await compareTree(page);
    await done();
  }
  await curveFollows(open);
  await ponderingGains(open);
}

/** The numbers of a running search go up, and never beyond what the server says a moment later. */
async function watchGrow(page) {
  const counts = [];
  for (let at = 0; at < 4; at++) {
    await page.waitForTimeout(250);
    const text = await page.locator('[data-number="n.simulations"]').getAttribute("title");
    counts.push(number(text ?? "0"));
  }
  const later = (await lastSearch(page)).report.simulations;
  assert.ok(counts[3] > counts[0], `the count stands still: ${counts}`);
  assert.deepEqual(
    counts,
    [...counts].sort((one, other) => one - other),
  );
  assert.ok(counts[3] <= later, `shown ${counts[3]}, later ${later}`);
}

/** What the server says of the last search, by a stream of its own. */
function lastSearch(page) {
  return page.evaluate(
    () =>
      new Promise((done) => {
        const id = document.getElementById("app").dataset.session;
        const events = new EventSource(`api/sessions/${id}/events`);
        for (const name of ["search", "end"]) {
          events.addEventListener(name, (event) => {
            events.close();
            done(JSON.parse(event.data));
          });
        }
      }),
  );
}

async function compareSearch(page, search) {
  const { report } = search;
  assert.equal(search.thinking, false);
  assert.equal(
    await page.locator(".search").first().getAttribute("data-search"),
    String(search.search),
  );
  const title = await page.locator('[data-number="n.simulations"]').getAttribute("title");
  assert.equal(number(title), report.simulations);
  assert.equal(
    await page.locator('[data-number="n.workers"]').textContent(),
    String(report.workers),
  );
  assert.equal(
    await page.locator('[data-number="n.time"]').textContent(),
    `${report.seconds.toFixed(1)} s`,
  );
  const rows = await page.locator("tr[data-move]:not([hidden])").all();
  assert.equal(rows.length, Math.min(8, report.moves.length));
  for (const [at, row] of rows.entries()) {
    const said = report.moves[at];
    assert.equal(await row.getAttribute("data-move"), said.move);
    assert.equal(number(await row.locator(".visits").getAttribute("title")), said.visits);
    if (!said.proven) {
      assert.equal(
        await row.locator(".worth").textContent(),
        `${(100 * said.win_rate).toFixed(1)} %`,
      );
    }
    const line = await row.locator(".ply").allTextContents();
    assert.deepEqual(line, said.pv.slice(0, 10));
  }
  const marks = await page.locator(".mark.best .rate").allTextContents();
  const best = report.moves.find((one) => one.move === report.best_move);
  assert.deepEqual(
    marks,
    [(100 * best.win_rate).toFixed(0)],
    "the best move is marked on the board",
  );
}

async function compareTree(page) {
  await page.getByRole("tab", { name: "Tree" }).click();
  await page.waitForSelector(".tree .branch .ply");
  await page.waitForTimeout(700);
  const node = await page.evaluate(async () => {
    const id = document.getElementById("app").dataset.session;
    const answer = await fetch(`api/sessions/${id}/node`, {
      method: "POST",
      body: JSON.stringify({ line: [], at_most: 8 }),
      headers: { "content-type": "application/json" },
    });
    return answer.json();
  });
  const shown = await page
    .locator(".tree .branch:not(.titles)")
    .evaluateAll((rows) =>
      rows.map((row) => [
        row.querySelector(".ply").textContent,
        row.children[1].title,
        row.children[2].textContent,
      ]),
    );
  assert.deepEqual(
    shown.map(([move, visits, rate]) => [move, number(visits), rate]),
    node.branches.map((branch) => [
      branch.move,
      branch.visits,
      branch.win_rate === null ? "-" : `${(100 * branch.win_rate).toFixed(1)} %`,
    ]),
  );
  await page.locator(".expand:not([disabled])").first().click();
  await page.waitForSelector(".tree ul ul .ply");
  await page.locator(".tree ul ul .ply").first().click();
  await page.waitForSelector(".result.line-shown");
  const line = [
    node.branches[0].move,
    await page.locator(".tree ul ul .ply").first().textContent(),
  ];
  assert.match(
    await page.locator(".result").textContent(),
    new RegExp(`${line.join(" ")}$`),
    "the board follows",
  );
  for (const format of ["JSON", "DOT"]) {
    const link = await page.getByRole("link", { name: `Save as ${format}` }).getAttribute("href");
    const text = await page.evaluate(async (path) => (await fetch(path)).text(), link);
    assert.ok(
      format === "JSON" ? JSON.parse(text) : text.startsWith("digraph"),
      `${format}: ${text.slice(0, 80)}`,
    );
  }
}

/** Each move that the engine makes leaves a point. */
async function curveFollows(open) {
  const { page, done } = await open({
    hash: "#game=othello",
    prefs: quick(0.1, { mode: "watch" }),
  });
  await page.waitForFunction(
    () => document.querySelectorAll(".moves [data-ply]").length >= 6,
    null,
    { timeout: 20_000 },
  );
  await page.getByRole("button", { name: "Pause" }).click();
  await busy(page, false);
  const points = await page.locator(".curve circle").count();
  const plies = await page.locator(".moves [data-ply]").count();
  assert.ok(points >= plies - 1 && points <= plies + 1, `${points} points at ${plies} plies`);
  await done();
}

/** With thinking in the person's time the next search begins with what was found. */
async function ponderingGains(open) {
  const known = [];
  for (const ponder of [false, true]) {
    const prefs = { engines: [{ seconds: 0.3, ponder }, {}] };
    const { page, done } = await open({ hash: "#game=othello", prefs });
    await page.locator('[data-cell="19"]').click();
    await page.waitForFunction(() => document.querySelectorAll(".moves [data-ply]").length === 2);
    await page.waitForTimeout(1500);
    await page.locator(".cell.can").first().click();
    await page.waitForFunction(
      () => document.querySelectorAll(".moves [data-ply]").length === 4,
      null,
      { timeout: 10_000 },
    );
    const text = await page.evaluate(
      () => document.querySelector('[data-number="n.known"]').textContent,
    );
    known.push(text);
    await done();
  }
  console.log(`        known before, without and with thinking in the person's time: ${known}`);
  assert.ok(count(known[1]) > 1.3 * count(known[0]), `no gain: ${known}`);
}

/** @param {string} text with thin blanks */
function number(text) {
  return Number(text.replace(/[^\d.]/g, ""));
}

/** @param {string} text as 950, 12.3k or 4.5M */
function count(text) {
  return Number.parseFloat(text) * ({ k: 1e3, M: 1e6, G: 1e9 }[text.at(-1)] ?? 1);
}
