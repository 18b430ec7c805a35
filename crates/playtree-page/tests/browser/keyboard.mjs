// Everything can be done with the keys alone.

import assert from "node:assert/strict";

import { counted, plies as count, quick, says, seen, site, until, unseen } from "./open.mjs";

export async function keyboard({ open }) {
  const { page, done } = await open({ hash: "#game=othello", prefs: quick(0.1) });
  await page.keyboard.press("b");
  for (let at = 0; at < 3; at++) await page.keyboard.press("ArrowRight");
  for (let at = 0; at < 2; at++) await page.keyboard.press("ArrowDown");
  await until(async () =>
    assert.match(
      await page.evaluate(() => document.activeElement.getAttribute("aria-label")),
      /^d3, empty, legal move/,
    ),
  );
  await page.keyboard.press("Enter");
  await count(page, 2);
  await says(page, '[role="status"].only-read', /White played .* Black to move/);
  await page.locator(".brand").click();
  await page.keyboard.press("ArrowLeft");
  await count(page, 1);
  await page.keyboard.press("ArrowLeft");
  await count(page, 0);
  await page.keyboard.press("End");
  await count(page, 2);
  await page.keyboard.press("Home");
  await count(page, 0);
  await page.keyboard.press("End");
  await count(page, 2);
  await page.keyboard.press("u");
  await count(page, 0);
  await page.keyboard.press("n");
  await counted(page, ".moves [data-ply]", 0);
  const before = await page.locator(".strip strong").first().textContent();
  await page.keyboard.press("f");
  await page.waitForFunction(
    (name) => document.querySelector(".strip strong").textContent !== name,
    before,
  );
  await page.keyboard.press("h");
  await page.waitForSelector(".hint-ring");
  await page.keyboard.press("?");
  await seen(page, "dialog");
  await page.keyboard.press("Escape");
  await unseen(page, "dialog");
  for (const [key, tab] of [
    ["2", "tree"],
    ["3", "text"],
    ["1", "search"],
  ]) {
    await page.keyboard.press(key);
    await seen(page, `#tab-${tab}[aria-selected="true"]`);
  }
  await done();
  await pieceByKeys(open);
  await linesByKeys(open);
  // No answer of an engine in the page comes late.
  if (!site.isStatic) await lateAnswers(open);
}

async function pieceByKeys(open) {
  const { page, done } = await open({ hash: "#game=xiangqi", prefs: quick(0.1) });
  await page.locator('[data-cell="64"]').focus();
  await page.keyboard.press("Enter");
  await page.waitForSelector(".selected-ring");
  for (let at = 0; at < 3; at++) await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Enter");
  await count(page, 2);
  await says(page, '[data-ply="1"]', "b2e2");
  await done();
}

/** Focuses the first move of a line. It stands still from then on: before, moves come and go. */
async function focusLine(page) {
  await page.waitForSelector("tr[data-move] .ply:nth-child(3)");
  await until(async () => {
    await page.locator("tr[data-move]:has(.ply:nth-child(3)) .ply").first().focus();
    assert.equal(await page.locator(".ply:focus").count(), 1);
  });
}

async function linesByKeys(open) {
  const { page, done } = await open({
    hash: "#game=othello",
    prefs: quick(0.1, { mode: "analyse" }),
    still: true,
  });
  await focusLine(page);
  await seen(page, ".result.line-shown");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  await says(page, ".result", /^(\S+ ){3}\S+$/);
  // Three discs more than at the start.
  await counted(page, ".grid .pieces > g", 7);
  await done();
}

/** Where a line leads is shown, also if an answer that was asked for before comes after it. */
async function lateAnswers(open) {
  let release = () => {};
  const released = new Promise((done) => (release = done));
  const { page, done } = await open({
    hash: "#game=othello",
    prefs: quick(0.1, { mode: "analyse" }),
    routes: {
      "**/node": async (route) => {
        if (route.request().postDataJSON().line.length === 1) await released;
        await route.continue();
      },
    },
  });
  await focusLine(page);
  await page.keyboard.press("ArrowRight");
  const text = await says(page, ".result", /^(\S+ ){2}\S+$/);
  const first = page.waitForResponse((response) => response.url().endsWith("/node"));
  release();
  await (await first).finished();
  await page.evaluate(() => new Promise((drawn) => setTimeout(drawn, 200)));
  await says(page, ".result", text);
  await done();
}
