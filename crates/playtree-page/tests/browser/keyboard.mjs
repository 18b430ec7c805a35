// Everything can be done with the keys alone.

import assert from "node:assert/strict";

import { quick } from "./open.mjs";

const count = (page, number) =>
  page.waitForFunction(
    (plies) => document.querySelectorAll(".moves [data-ply]:not(.undone)").length === plies,
    number,
    { timeout: 10_000 },
  );

export async function keyboard({ open }) {
  const { page, done } = await open({ hash: "#game=othello", prefs: quick(0.1) });
  await page.keyboard.press("b");
  for (let at = 0; at < 3; at++) await page.keyboard.press("ArrowRight");
  for (let at = 0; at < 2; at++) await page.keyboard.press("ArrowDown");
  assert.match(
    await page.evaluate(() => document.activeElement.getAttribute("aria-label")),
    /^d3, empty, legal move/,
  );
  await page.keyboard.press("Enter");
  await count(page, 2);
  assert.match(
    await page.locator('[role="status"].only-read').textContent(),
    /White played .* Black to move/,
  );
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
  await page.waitForFunction(() => document.querySelectorAll(".moves [data-ply]").length === 0);
  const before = await page.locator(".strip strong").first().textContent();
  await page.keyboard.press("f");
  await page.waitForFunction(
    (name) => document.querySelector(".strip strong").textContent !== name,
    before,
  );
  await page.keyboard.press("h");
  await page.waitForSelector(".hint-ring", { timeout: 5000 });
  await page.keyboard.press("?");
  assert.ok(await page.locator("dialog").isVisible());
  await page.keyboard.press("Escape");
  assert.ok(!(await page.locator("dialog").isVisible()));
  for (const [key, tab] of [
    ["2", "tree"],
    ["3", "text"],
    ["1", "search"],
  ]) {
    await page.keyboard.press(key);
    assert.equal(await page.locator(`#tab-${tab}`).getAttribute("aria-selected"), "true");
  }
  await done();
  await pieceByKeys(open);
  await linesByKeys(open);
}

async function pieceByKeys(open) {
  const { page, done } = await open({ hash: "#game=xiangqi", prefs: quick(0.1) });
  await page.locator('[data-cell="64"]').focus();
  await page.keyboard.press("Enter");
  await page.waitForSelector(".selected-ring");
  for (let at = 0; at < 3; at++) await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Enter");
  await count(page, 2);
  assert.equal(await page.locator('[data-ply="1"]').textContent(), "b2e2");
  await done();
}

async function linesByKeys(open) {
  const { page, done } = await open({
    hash: "#game=othello",
    prefs: quick(0.1, { mode: "analyse" }),
    still: true,
  });
  await page.waitForSelector("tr[data-move] .ply:nth-child(3)");
  // Lines are short at first.
  await page.waitForTimeout(800);
  await page.locator("tr[data-move]:has(.ply:nth-child(3)) .ply").first().focus();
  await page.waitForSelector(".result.line-shown");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  await page.waitForFunction(
    () => document.querySelector(".result").textContent.split(" ").length === 4,
  );
  assert.equal(
    await page.locator(".grid .pieces > g").count(),
    7,
    "three discs more than at the start",
  );
  await done();
}
