// axe-core finds nothing serious on any view.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

import { GAMES, filled, quick, seen } from "./open.mjs";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

export async function accessible({ open }) {
  for (const [at, game] of GAMES.entries()) {
    const theme = at % 2 ? "dark" : "light";
    const size = at % 3 === 1 ? [390, 844] : [1280, 800];
    const { page, done } = await open({
      lawless: true,
      hash: `#game=${game}`,
      theme,
      size,
      prefs: quick(0.2, { mode: "analyse" }),
    });
    await filled(page, "analyse", "search");
    await check(page, `${game}, ${theme}, ${size[0]}`);
    await done();
  }
  for (const theme of ["light", "dark"]) {
    for (const mode of ["play", "watch", "compare"]) {
      const { page, done } = await open({
        lawless: true,
        hash: "#game=othello",
        theme,
        prefs: quick(0.3, { mode }),
      });
      await page.evaluate(() =>
        document.querySelectorAll("details").forEach((one) => (one.open = true)),
      );
      for (const tab of ["search", "tree", "text"]) {
        await page.click(`#tab-${tab}`);
        await filled(page, mode, tab);
        await check(page, `${mode}, ${tab}, ${theme}`);
      }
      await page.click("h1");
      await page.keyboard.press("?");
      await seen(page, "dialog");
      await check(page, `keys, ${theme}`);
      await done();
    }
  }
}

async function check(page, view) {
  await page.evaluate(axe);
  const found = await page.evaluate(async () => {
    const { violations } = await globalThis.axe.run(document, {
      resultTypes: ["violations"],
      preload: false,
    });
    return violations
      .filter((one) => one.impact === "serious" || one.impact === "critical")
      .map(
        (one) =>
          `${one.id}: ${one.nodes
            .slice(0, 3)
            .map((node) => `${node.target} ${node.failureSummary}`)
            .join(" | ")}`,
      );
  });
  assert.deepEqual(found, [], view);
}
