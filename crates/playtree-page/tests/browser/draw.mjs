// An offer of a draw: the engine takes it late in the game, if it does not expect to win.

import assert from "node:assert/strict";
import { join } from "node:path";

import { busy, counted, plies, quick, says, seen, until, unseen } from "./open.mjs";

/** Othello games of 22 moves in which Black stands well, and badly; and Black's next move. */
const WELL = ["d3,c3,f5,e3,b2,e6,d7,g6,f2,d6,f6,e2,c6,b3,e1,c8,h6,h7,f4,b1,a1,f3", "h8"];
const BADLY = ["e6,f4,g3,d6,c5,c6,c4,f3,b6,h3,e3,b5,b4,a5,a4,a3,f2,c7,f5,c3,b7,g5", "h5"];

const button = (page) => page.getByRole("button", { name: "Offer a draw", exact: true });

export async function draw({ open, folder }) {
  await tooEarly(open);
  await late(open, folder);
  await nowhere(open);
}

async function tooEarly(open) {
  const { page, done } = await open({ hash: "#game=othello", prefs: quick(0.2) });
  assert.match(await button(page).getAttribute("title"), /after 20 moves .* at most 50 %/);
  await button(page).click();
  await says(page, ".result:not([hidden])", /^Declined: .* not judged/);
  await page.locator('[data-cell="19"]').click();
  await plies(page, 2);
  // The answer goes with the next move.
  await unseen(page, ".result");
  await page.keyboard.press("d");
  const said = /Declined: the engine expects \d+\.\d % .* after 20 moves/;
  await says(page, ".result:not([hidden])", said);
  await says(page, '[role="status"].only-read', said);
  await done();
}

async function late(open, folder) {
  for (const ponder of [false, true]) {
    for (const [moves, next] of [WELL, BADLY]) {
      const { page, done } = await open({
        hash: `#game=othello&moves=${moves}`,
        prefs: { engines: [{ seconds: 0.4, ponder }, {}] },
        size: [360, 740],
        theme: "dark",
      });
      const cell = (Number(next[1]) - 1) * 8 + next.charCodeAt(0) - 97;
      await page.locator(`[data-cell="${cell}"]`).click();
      await plies(page, 24);
      await busy(page, ponder);
      await button(page).click();
      if (moves === WELL[0]) {
        await says(page, ".result:not([hidden])", "A draw by agreement.");
        await until(async () =>
          assert.deepEqual(await page.locator(".strip .state").allTextContents(), [
            "drawn",
            "drawn",
          ]),
        );
        await counted(page, ".cell.can", 0);
        await until(async () => assert.ok(await button(page).isDisabled()));
      } else {
        const text = await says(page, ".result:not([hidden])", /expects \d+\.\d %/);
        const rate = Number(/expects (\d+\.\d) %/.exec(text)?.[1]);
        assert.ok(rate > 50, text);
        // The game goes on.
        await seen(page, ".cell.can");
        if (folder && !ponder) await page.screenshot({ path: join(folder, "draw-phone-dark.png") });
      }
      const width = await page.evaluate(() => document.documentElement.scrollWidth);
      assert.ok(width <= 360, `${width} pixels wide on 360`);
      await done();
    }
  }
}

/** There is no such button where no game is drawn, and where no one is there to take it. */
async function nowhere(open) {
  for (const [game, mode] of [
    ["hex", "play"],
    ["othello", "analyse"],
  ]) {
    const { page, done } = await open({ hash: `#game=${game}`, prefs: quick(0.1, { mode }) });
    await seen(page, ".controls");
    await unseen(page, '.controls [aria-label="Offer a draw"]');
    await done();
  }
}
