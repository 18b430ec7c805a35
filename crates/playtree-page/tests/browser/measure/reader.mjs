// Reads what a page reads while its search runs, and shows it nowhere.

/** How often the page reads the tree that it shows, in milliseconds, and how many branches of it. */
const PERIOD = 500;
const BRANCHES = 8;

/** @param {import("./server.mjs").Session} session @param {boolean} tree whether it is shown */
export function readerOf(session, tree) {
  return {
    begin() {
      const leave = new AbortController();
      const address = `${session.url}/api/${session.path}/events`;
      let bytes = 0;
      const listening = fetch(address, { signal: leave.signal })
        .then(async ({ body }) => {
          for await (const part of body) bytes += part.length;
        })
        .catch((error) => {
          if (error.name !== "AbortError") throw error;
        });
      const ask = () => session.ask("node", { line: [], at_most: BRANCHES });
      const asking = tree ? setInterval(() => void ask(), PERIOD) : undefined;
      return {
        async end() {
          clearInterval(asking);
          leave.abort();
          await listening;
          if (bytes === 0) throw new Error("expected events of the search, found none");
        },
      };
    },
  };
}
