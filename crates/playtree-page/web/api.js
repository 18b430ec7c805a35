/** The requests that there are, and their answers. */

import { carrier } from "./carriers/carrier.js";

/** @import {Events} from "./carriers/carrier.js" */
/** @import {About, Engine, GameInfo, Limit, Settings, TreeNode, View} from "./types.js" */

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
export async function ask(method, path, body) {
  const text = await askText(method, path, body);
  return text === "" ? null : JSON.parse(text);
}

/**
 * @param {string} method
 * @param {string} path
 * @param {object} [body]
 */
async function askText(method, path, body) {
  const { status, text } = await carrier.ask(method, path, body).catch(() => {
    throw new Refused(0, "unreachable", "");
  });
  if (status >= 400) {
    const error = readError(text);
    throw new Refused(status, error.code ?? "unknown", error.message ?? String(status));
  }
  return text;
}

/** @param {string} text @returns {{code?: string, message?: string}} */
function readError(text) {
  try {
    return JSON.parse(text)?.error ?? {};
  } catch {
    return {};
  }
}

/** @returns {Promise<About>} */
export const about = () => ask("GET", "about");

/** @returns {Promise<GameInfo[]>} */
export const games = () => ask("GET", "games");

/**
 * @param {{game: string, position?: string, moves?: string[], settings?: Settings,
 *   network?: boolean}} what
 * @returns {Promise<View>}
 */
export const open = (what) => ask("POST", "sessions", what);

/** One session. */
export class Remote {
  /** @param {string} id */
  constructor(id) {
    this.id = id;
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

  /** @param {Engine} engine @returns {Promise<View>} */
  engine(engine) {
    return ask("POST", `${this.path}/engine`, engine);
  }

  /** @param {string[]} line @param {number} atMost @returns {Promise<TreeNode | null>} */
  node(line, atMost) {
    return ask("POST", `${this.path}/node`, { line, at_most: atMost });
  }

  close() {
    return ask("DELETE", this.path).catch(() => null);
  }

  /**
   * The top of the tree as a file.
   * @param {"json" | "dot"} format @param {number} depth @param {number} atMost
   */
  export(format, depth, atMost) {
    return askText("GET", `${this.path}/export`, { format, depth, at_most: atMost });
  }

  /** @returns {Events} */
  events() {
    return carrier.events(this.id);
  }
}
