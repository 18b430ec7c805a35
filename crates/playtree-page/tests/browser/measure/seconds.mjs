// The processor time that programs have used, which is less of a matter of luck than the time of day
// on a machine that does something else beside.

import { readFileSync } from "node:fs";

/** Of a second, on every Linux. */
const TICKS = 100;

/** Of the server, in seconds: all its threads, those that have ended as well. */
export function serverSeconds() {
  const stat = readFileSync(`/proc/${process.env.SERVER}/stat`, "utf8");
  // The name before may have blanks in it.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) / TICKS;
}

/** Of all processes of a browser, in seconds. @param {import("playwright-core").Browser} browser */
export async function browserSeconds(browser) {
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send("SystemInfo.getProcessInfo");
  await session.detach();
  return processInfo.reduce((sum, one) => sum + one.cpuTime, 0);
}
