// Every text is there in both languages, and no text stands outside of the lists.

import assert from "node:assert/strict";

import { filled, openPage, quick, says, seen, until } from "./open.mjs";

/** Texts that are the same in both languages. */
const SAME = /^(\d+x\d+|UCB1.*|GRAVE|[JQKA]|中文|English)$/;
/** Elements with moves, names of keys and the like. */
const NO_WORDS =
  ".brand, kbd, .moves button, .ply, .candidate, svg.grid text, .language, noscript, script, style, textarea";

export async function words({ browser, url, open }) {
  const { page, done } = await open({});
  const [en, zh] = await page.evaluate(async () => {
    const { en } = await import("/web/words/en.js");
    const { zh } = await import("/web/words/zh.js");
    return [en, zh];
  });
  assert.deepEqual(Object.keys(zh), Object.keys(en), "the same keys in the same order");
  for (const [key, text] of Object.entries(en)) {
    const names = (one) => (one.match(/\{\w+\}/g) ?? []).sort().join();
    assert.ok(text.trim() && zh[key].trim(), `${key} is empty`);
    assert.equal(names(zh[key]), names(text), `${key} has other values in it`);
    if (key.startsWith("language.") || !/\p{L}/u.test(text)) continue;
    assert.ok(
      /\p{Script=Han}/u.test(zh[key]) || SAME.test(zh[key]),
      `${key} is not Chinese: ${zh[key]}`,
    );
    assert.ok(!/\p{Script=Han}/u.test(text) || SAME.test(text), `${key} is not English: ${text}`);
  }
  await done();
  await nothingOutside(browser, url);
  await switched(open);
}

/** With every text in brackets, nothing that can be read is without. */
async function nothingOutside(browser, url) {
  const routes = {
    "**/web/words/en.js": async (route) => {
      const body = await (await route.fetch()).text();
      await route.fulfill({
        contentType: "text/javascript",
        body: `${body}\nfor (const key of Object.keys(en)) en[key] = "⟦" + en[key] + "⟧";`,
      });
    },
  };
  for (const [game, mode] of [
    ["othello", "analyse"],
    ["xiangqi", "compare"],
    ["hex", "watch"],
    ["nim", "play"],
    ["doudizhu", "play"],
  ]) {
    const { page, done } = await openPage(browser, url, {
      hash: `#game=${game}`,
      routes,
      prefs: quick(0.2, { mode }),
    });
    await page.evaluate(() =>
      document.querySelectorAll("details").forEach((one) => (one.open = true)),
    );
    for (const tab of ["search", "tree", "text"]) {
      await page.click(`#tab-${tab}`);
      await filled(page, mode, tab);
      assert.deepEqual(await outside(page, NO_WORDS), [], `${game}, ${mode}, ${tab}`);
    }
    await page.keyboard.press("?");
    await seen(page, "dialog");
    assert.deepEqual(await outside(page, NO_WORDS), [], "the keys");
    await done();
  }
}

function outside(page, noWords) {
  return page.evaluate((skip) => {
    const found = [];
    const isOutside = (text) => {
      let rest = text;
      for (let before = ""; before !== rest; ) {
        before = rest;
        rest = rest.replace(/⟦[^⟦⟧]*⟧/g, "");
      }
      // Numbers with their units, cells and moves are no words.
      rest = rest
        .replace(/ \((Home|End)\)$/, "")
        .replace(/\d[\d.,\u202f]*\s?(kB|MB|GB|s|k|M|G|%)?/g, "")
        .replace(/\b[a-z]\b/g, "");
      return /\p{L}{2,}/u.test(rest);
    };
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const parent = walker.currentNode.parentElement;
      if (
        !parent ||
        parent.closest(skip) ||
        (!parent.closest("option") && !parent.checkVisibility())
      )
        continue;
      if (isOutside(walker.currentNode.data)) found.push(walker.currentNode.data);
    }
    for (const element of document.querySelectorAll(
      "[title], [aria-label], [placeholder], [alt]",
    )) {
      for (const name of ["title", "aria-label", "placeholder", "alt"]) {
        const text = element.getAttribute(name);
        if (text && isOutside(text)) found.push(`${name}: ${text}`);
      }
    }
    return found;
  }, noWords);
}

/** The button changes the language, and it stays. */
async function switched(open) {
  const { page, done } = await open({ hash: "#game=xiangqi" });
  await page.locator(".language").click();
  await seen(page, 'html[lang="zh-Hans"]');
  await says(page, ".setup", /新对局/);
  await until(async () =>
    assert.match(await page.locator('[data-cell="0"]').getAttribute("aria-label"), /黑方/),
  );
  await page.reload();
  await page.waitForSelector("#app[data-session]");
  await says(page, ".setup", /新对局/);
  await done();
}
