// Compares what the panels show with what the API says, while a search runs and at its end.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";

import { ask, busy, plies, press, quick, says, seen, session, until } from "./open.mjs";

export async function panels({ open }) {
  for (const game of ["othello", "xiangqi", "connect4"]) {
    const { page, done } = await open({
      hash: `#game=${game}`,
      prefs: quick(0.1, { mode: "analyse" }),
    });
    await busy(page, true);
    await watchGrow(page);
    await press(page, "Stop");
    await busy(page, false);
    await seen(page, '.search[data-thinking="false"]');
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
  let shown = 0;
  for (let at = 0; at < 4; at++) {
    const before = shown;
    await until(async () => {
      const count = await simulations(page);
      assert.ok(count >= before, `the count goes down, from ${before} to ${count}`);
      assert.notEqual(count, before, "the count stands still");
      shown = count;
    });
  }
  const later = (await lastSearch(page)).report.simulations;
  assert.ok(shown <= later, `shown ${shown}, later ${later}`);
}

/** The simulations that the panel shows. */
async function simulations(page) {
  const number = page.locator('[data-number="n.simulations"]');
  return Number(((await number.getAttribute("title")) ?? "0").replace(/\D/g, ""));
}

/** What the server says of the last search, by a stream of its own. */
function lastSearch(page) {
  return page.evaluate(
    () =>
      new Promise(async (done) => {
        const id = document.getElementById("app").dataset.session;
        const { Remote } = await import("/web/api.js");
        const events = new Remote(id).events();
        for (const name of ["search", "end"]) {
          events.addEventListener(name, (event) => {
            const search = JSON.parse(event.data);
            // The first one may come before anything was found.
            if (!search.report) return;
            events.close();
            done(search);
          });
        }
      }),
  );
}

/** Keeps the end of each search, by the plies before it. */
function listen(page) {
  return page.evaluate(async () => {
    const id = document.getElementById("app").dataset.session;
    const { Remote } = await import("/web/api.js");
    globalThis.ends = [];
    new Remote(id).events().addEventListener("end", (event) => {
      const search = JSON.parse(event.data);
      globalThis.ends[search.ply] = search;
    });
  });
}

/** The search of this ply, once it has ended. */
function searchAt(page, ply) {
  return until(async () => {
    const search = await page.evaluate((at) => globalThis.ends[at] ?? null, ply);
    assert.ok(search, `no search at ply ${ply}`);
    return search;
  });
}

async function compareSearch(page, search) {
  const { report } = search;
  assert.equal(search.thinking, false);
  await seen(page, `.search[data-search="${search.search}"]`);
  await until(async () => assert.equal(await simulations(page), report.simulations));
  await says(page, '[data-number="n.workers"]', String(report.workers));
  await says(page, '[data-number="n.time"]', `${report.seconds.toFixed(1)} s`);
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
  const path = `sessions/${await session(page)}/node`;
  const node = await ask(page, "POST", path, { line: [], at_most: 8 });
  await until(async () => {
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
  });
  await page.locator(".expand:not([disabled])").first().click();
  await page.waitForSelector(".tree ul ul .ply");
  await page.locator(".tree ul ul .ply").first().click();
  const line = [
    node.branches[0].move,
    await page.locator(".tree ul ul .ply").first().textContent(),
  ];
  // The board follows.
  await says(page, ".result.line-shown", new RegExp(`${line.join(" ")}$`));
  for (const format of ["JSON", "DOT"]) {
    const download = page.waitForEvent("download");
    await press(page, `Save as ${format}`);
    const text = readFileSync(await (await download).path(), "utf8");
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
  await page.waitForFunction(() => document.querySelectorAll(".moves [data-ply]").length >= 6);
  await press(page, "Pause");
  await page.waitForSelector('.controls [aria-label="Pause"]:disabled');
  await busy(page, false);
  await until(async () => {
    const points = await page.locator(".curve circle").count();
    const moves = await page.locator(".moves [data-ply]").count();
    assert.ok(points >= moves - 1 && points <= moves + 1, `${points} points at ${moves} plies`);
  });
  await done();
}

/** With thinking in the person's time the next search begins with what was found. */
async function ponderingGains(open) {
  /** What was known, as a multiple of the first search: machines are slow and fast. */
  const known = [];
  for (const ponder of [false, true]) {
    const prefs = { engines: [{ seconds: 0.3, ponder }, {}] };
    const { page, done } = await open({ hash: "#game=othello", prefs });
    await listen(page);
    await page.locator('[data-cell="19"]').click();
    await plies(page, 2);
    await busy(page, ponder);
    const first = (await searchAt(page, 1)).report.simulations;
    // A person that takes five times as long as the engine.
    if (ponder)
      await until(async () => assert.ok((await simulations(page)) > 5 * first, "it thinks on"));
    await page.locator(".cell.can").first().click();
    await plies(page, 4);
    known.push((await searchAt(page, 3)).known_before / first);
    await done();
  }
  const [without, with_] = known.map((one) => one.toFixed(2));
  console.log(`        known before, of a search: ${without}, with thinking in your time ${with_}`);
  assert.ok(known[1] > 1.3 * known[0], `no gain: ${known}`);
}

/** @param {string} text with thin blanks */
function number(text) {
  return Number(text.replace(/[^\d.]/g, ""));
}
