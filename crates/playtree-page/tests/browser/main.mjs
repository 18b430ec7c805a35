// Drives the page in a headless Chromium: `node main.mjs URL [FOLDER [TEST ...]]`. Screenshots go
// into FOLDER; the tests named run, or all. The page may be one that needs no server.

import { chromium } from "playwright-core";

import { accessible } from "./access.mjs";
import { byHand } from "./by-hand.mjs";
import { clock } from "./clock.mjs";
import { draw } from "./draw.mjs";
import { features } from "./features.mjs";
import { wholeGames } from "./games.mjs";
import { keyboard } from "./keyboard.mjs";
import { hasNetwork, network } from "./network.mjs";
import { openPage, site } from "./open.mjs";
import { panels } from "./panels.mjs";
import { pictures } from "./pictures.mjs";
import { storm } from "./storm.mjs";
import { withoutServer } from "./static.mjs";
import { words } from "./words.mjs";

const [url, folder = "", ...chosen] = process.argv.slice(2);
if (!url) throw new Error("expected the address of a server, found none");
const tests = {
  words,
  panels,
  network,
  features,
  clock,
  byHand,
  draw,
  keyboard,
  storm,
  accessible,
  wholeGames,
  pictures,
  withoutServer,
};
site.isStatic = (await fetch(`${url}/api/about`)).status === 404;

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--force-color-profile=srgb"],
});
let failed = 0;
for (const [name, test] of Object.entries(tests)) {
  if (chosen.length > 0 && !chosen.includes(name)) continue;
  if (name === "withoutServer" && !site.isStatic) continue;
  if (name === "network" && (site.isStatic || !(await hasNetwork(url)))) {
    console.log("skipped network: the server has none");
    continue;
  }
  const began = Date.now();
  try {
    await test({ browser, url, folder, open: (options) => openPage(browser, url, options) });
    console.log(`ok      ${name}  ${((Date.now() - began) / 1000).toFixed(1)} s`);
  } catch (error) {
    failed += 1;
    console.log(`FAILED  ${name}\n${error.stack}`);
  }
}
await browser.close();
process.exit(failed > 0 ? 1 : 0);
