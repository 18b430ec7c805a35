// Pictures of every board at the width of a desk and of a phone, light and dark.

import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { join } from "node:path";

import { busy, filled, quick, still } from "./open.mjs";

/** Some moves into each game, so that there is something to see. */
const GAMES = {
  tictactoe: "1,5,9",
  connect4: "4,4,3,5,5,3,2",
  othello: "d3,c3,c4,e3,f4",
  hex: "f6,e7,g4,h5,d8",
  nim: "",
  breakthrough: "d2d3,e7e6,c2c3,d7d6",
  gomoku: "h8,i9,i8,g8,h9,h7",
  xiangqi: "h2e2,h9g7,h0g2,i9h9",
  doudizhu: "3,4",
};
const SIZES = { desk: [1280, 800], phone: [390, 844] };

export async function pictures({ open, folder }) {
  if (folder) mkdirSync(folder, { recursive: true });
  for (const [game, moves] of Object.entries(GAMES)) {
    for (const [name, size] of Object.entries(SIZES)) {
      for (const theme of ["light", "dark"]) {
        const mode = name === "desk" ? "analyse" : "play";
        const hash = `#game=${game}${moves && `&moves=${moves}`}`;
        const { page, done } = await open({ hash, size, theme, prefs: quick(0.3, { mode }) });
        if (mode === "analyse") {
          await filled(page, mode, "search");
          await page.waitForTimeout(1200);
          await page.click("#tab-search");
        } else {
          await busy(page, false);
        }
        await still(page);
        const width = await page.evaluate(() => document.documentElement.scrollWidth);
        assert.ok(width <= size[0], `${game}: ${width} pixels wide on ${size[0]}`);
        if (folder) await page.screenshot({ path: join(folder, `${game}-${name}-${theme}.png`) });
        await done();
      }
    }
  }
  for (const game of Object.keys(GAMES)) {
    const { page, done } = await open({
      hash: `#game=${game}`,
      size: [360, 740],
      prefs: quick(0.1, { mode: "compare" }),
    });
    for (const tab of ["search", "tree", "text"]) {
      await page.click(`#tab-${tab}`);
      const width = await page.evaluate(() => document.documentElement.scrollWidth);
      assert.ok(width <= 360, `${game}, ${tab}: ${width} pixels wide on 360`);
    }
    await done();
  }
}
