/** The server's answers, by its paths. */

/** @import {About, GameInfo, Limit, Settings, TreeNode, View} from "./types.js" */

/** What the server refused, with the stable code it gives. */
export class Refused extends Error {
  /**
   * @param {number} status
   * @param {string} code
   * @param {string} message
   */
  constructor(status, code, message) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/**
 * @param {string} method
 * @param {string} path
 * @param {object} [body]
 * @returns {Promise<any>}
 */
async function ask(method, path, body) {
  /** @type {RequestInit} */
  const options = { method, keepalive: method === "DELETE" };
  if (body !== undefined) {
    options.body = JSON.stringify(body);
    options.headers = { "content-type": "application/json" };
  }
  const answer = await fetch(`api/${path}`, options).catch(() => {
    throw new Refused(0, "unreachable", "");
  });
  const text = await answer.text();
  const value = text === "" ? null : JSON.parse(text);
  if (!answer.ok) {
    const error = value?.error ?? {};
    throw new Refused(answer.status, error.code ?? "unknown", error.message ?? answer.statusText);
  }
  return value;
}

/** @returns {Promise<About>} */
export const about = () => ask("GET", "about");

/** @returns {Promise<GameInfo[]>} */
export const games = () => ask("GET", "games");

/**
 * @param {{game: string, position?: string, moves?: string[], settings?: Settings}} what
 * @returns {Promise<View>}
 */
export const open = (what) => ask("POST", "sessions", what);

/** One session of the server. */
export class Remote {
  /** @param {string} id */
  constructor(id) {
    this.path = `sessions/${id}`;
  }

  /** @returns {Promise<View>} */
  view() {
    return ask("GET", this.path);
  }

  /** @param {string} move @returns {Promise<View>} */
  play(move) {
    return ask("POST", `${this.path}/play`, { move });
  }

  /** @param {"undo" | "redo"} way @param {number} plies @returns {Promise<View>} */
  walk(way, plies) {
    return ask("POST", `${this.path}/${way}`, { plies });
  }

  /** @param {{position?: string, moves?: string[]}} what @returns {Promise<View>} */
  setUp(what) {
    return ask("POST", `${this.path}/position`, what);
  }

  /** @param {Limit} limit @returns {Promise<{search: number}>} */
  think(limit) {
    return ask("POST", `${this.path}/think`, limit);
  }

  /** @returns {Promise<{search: number}>} */
  stop() {
    return ask("POST", `${this.path}/stop`, {});
  }

  /** @param {Settings} settings @returns {Promise<View>} */
  engine(settings) {
    return ask("POST", `${this.path}/engine`, { settings });
  }

  /** @param {string[]} line @param {number} atMost @returns {Promise<TreeNode | null>} */
  node(line, atMost) {
    return ask("POST", `${this.path}/node`, { line, at_most: atMost });
  }

  close() {
    return ask("DELETE", this.path).catch(() => null);
  }

  /** @param {"json" | "dot"} format @param {number} depth @param {number} atMost */
  exportPath(format, depth, atMost) {
    return `api/${this.path}/export?format=${format}&depth=${depth}&at_most=${atMost}`;
  }

  /** @returns {EventSource} */
  events() {
    return new EventSource(`api/${this.path}/events`);
  }
}
