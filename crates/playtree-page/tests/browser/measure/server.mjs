// Asks the server as any program may.

import { setTimeout as sleep } from "node:timers/promises";

/** How often it is asked whether a search goes on, in milliseconds. */
const PERIOD = 30;
/** After how long what was asked too soon is asked again, in milliseconds. */
const AGAIN = 200;

/** @param {string} url */
export const about = (url) => ask(url, "GET", "about");

/**
 * What the server answers; what it refuses is an error, but for a question that comes too soon
 * after others: that is asked again.
 */
export async function ask(url, method, path, body) {
  const answer = await fetch(`${url}/api/${path}`, {
    method,
    headers: body ? { "content-type": "application/json" } : {},
    body: body && JSON.stringify(body),
  });
  if (answer.status === 429) {
    await sleep(AGAIN);
    return ask(url, method, path, body);
  }
  const found = await answer.json();
  if (!answer.ok) throw new Error(`${method} ${path}: ${found.error.message}`);
  return found;
}

/** A session of the server, without a page. */
export class Session {
  static async open(url, what) {
    const session = new Session();
    session.url = url;
    session.view = await ask(url, "POST", "sessions", what);
    session.path = `sessions/${session.view.session}`;
    return session;
  }

  /** Asks for something that the answer to is the game. */
  async order(what, body) {
    this.view = await ask(this.url, "POST", `${this.path}/${what}`, body);
  }

  play(move) {
    return this.order("play", { move });
  }

  /** A new engine, from this position. */
  setUp(position, moves = []) {
    return this.order("position", { position, moves });
  }

  think(limit) {
    return ask(this.url, "POST", `${this.path}/think`, limit);
  }

  /** Searches to the end of the limit: what was found. */
  async search(limit) {
    await this.think(limit);
    await sleep(1000 * (limit.seconds ?? 0));
    return this.found();
  }

  /** What the search has found at its end, which comes by itself. */
  async found() {
    while ((await ask(this.url, "GET", this.path)).thinking !== null) await sleep(PERIOD);
    return (await ask(this.url, "POST", `${this.path}/stop`, {})).report;
  }

  /** Ends the search under way. */
  stop() {
    return ask(this.url, "POST", `${this.path}/stop`, {});
  }

  close() {
    return ask(this.url, "DELETE", this.path);
  }
}
