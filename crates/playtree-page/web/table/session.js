/** One game on the server with its engine: what is known of it here, kept up to date. */

import { Refused, Remote, open } from "../api.js";

/** @import {Engine, Limit, Search, Settings, View} from "../types.js" */

/**
 * Called with what has changed.
 * @typedef {(session: Session, what: "view" | "search" | "end" | "bye") => void} Listener
 */

/** After how long a lost stream of events is opened again, in milliseconds. */
const LISTEN_AGAIN = 1000;

export class Session {
  /** @type {Search | null} */
  search = null;
  /** The number of the last search that has ended. */
  ended = -1;
  /** The number of the last search that was asked for. */
  asked = -1;
  #starting = 0;
  /** Calls are sent one after the other. @type {Promise<unknown>} */
  #queue = Promise.resolve();
  /** @type {{number: number, done: (search: Search | null) => void}[]} */
  #waiting = [];
  #closed = false;

  /** @param {View} view @param {Listener} listener */
  constructor(view, listener) {
    this.view = view;
    this.listener = listener;
    this.remote = new Remote(view.session);
    this.events = this.remote.events();
    this.#listen();
  }

  /**
   * @param {{game: string, position?: string, moves?: string[], settings?: Settings,
   *   network?: boolean}} what
   * @param {Listener} listener
   */
  static async open(what, listener) {
    return new Session(await open(what), listener);
  }

  #listen() {
    /** @param {string} name @param {(data: any) => void} act */
    const on = (name, act) =>
      this.events.addEventListener(name, (event) => {
        if (!this.#closed) act(JSON.parse(/** @type {MessageEvent} */ (event).data || "null"));
      });
    on("view", (view) => this.#see(view));
    on("search", (search) => {
      // One that comes late to a stream says by this that the search has ended.
      if (!search.thinking) return this.#end(search);
      if (!search.report) return;
      this.search = search;
      this.listener(this, "search");
    });
    on("end", (search) => this.#end(search));
    on("bye", () => this.#gone());
    this.events.addEventListener("error", () => {
      // The browser tries again by itself, unless the server has said no or the page is left.
      if (this.events.readyState === EventSource.CLOSED) void this.#check();
    });
  }

  /** Finds out whether the session is still there, and listens again if so. */
  async #check() {
    const error = await this.remote.view().then(
      () => null,
      (refused) => refused,
    );
    if (this.#closed) return;
    if (error instanceof Refused && error.status === 404) {
      this.#gone();
      return;
    }
    setTimeout(() => {
      if (this.#closed) return;
      this.events = this.remote.events();
      this.#listen();
    }, LISTEN_AGAIN);
  }

  #gone() {
    if (this.#closed) return;
    this.close(false);
    this.listener(this, "bye");
  }

  /** @param {View} view */
  #see(view) {
    if (view.version < this.view.version) return view;
    const news = view.version > this.view.version || view.thinking !== this.view.thinking;
    this.view = view;
    if (news) this.listener(this, "view");
    return view;
  }

  /** @param {Search} search */
  #end(search) {
    if (search.report) this.search = search;
    this.ended = Math.max(this.ended, search.search);
    const due = this.#waiting.filter((one) => one.number <= search.search);
    this.#waiting = this.#waiting.filter((one) => one.number > search.search);
    for (const one of due) one.done(one.number === search.search ? search : null);
    this.listener(this, "end");
  }

  /**
   * @template T
   * @param {() => Promise<T>} call
   * @returns {Promise<T>}
   */
  #send(call) {
    const answer = this.#queue.then(call);
    this.#queue = answer.catch(() => null);
    return answer;
  }

  /** What was found about the position on the board, if anything. */
  get found() {
    const { search, view } = this;
    return search && search.ply === view.played.length && search.position === view.position
      ? search
      : null;
  }

  /**
   * What was found last, and the moves that were played since.
   * @returns {{search: Search, since: string[]} | null}
   */
  get last() {
    const { search, view } = this;
    if (!search || search.ply > view.played.length) return null;
    const since = view.played.slice(search.ply);
    return since.length > 0 || search.position === view.position ? { search, since } : null;
  }

  /** Whether a search runs, or is about to. */
  get busy() {
    return this.#starting > 0 || this.asked > this.ended;
  }

  /** @param {string} move */
  play(move) {
    return this.#send(() => this.remote.play(move)).then((view) => this.#see(view));
  }

  /** @param {"undo" | "redo"} way @param {number} plies */
  walk(way, plies) {
    return this.#send(() => this.remote.walk(way, plies)).then((view) => this.#see(view));
  }

  /** @param {{position?: string, moves?: string[]}} what */
  setUp(what) {
    return this.#send(() => this.remote.setUp(what)).then((view) => this.#see(view));
  }

  /** @param {Engine} engine */
  engine(engine) {
    this.search = null;
    return this.#send(() => this.remote.engine(engine)).then((view) => this.#see(view));
  }

  /** Begins a search and answers with its number. @param {Limit} limit */
  async think(limit) {
    this.#starting += 1;
    try {
      const { search } = await this.#send(() => this.remote.think(limit));
      this.asked = search;
      return search;
    } finally {
      this.#starting -= 1;
    }
  }

  stop() {
    return this.#send(() => this.remote.stop()).catch(() => null);
  }

  /**
   * The last report of a search, once it has ended; `null` if the session ended before.
   * @param {number} number
   * @returns {Promise<Search | null>}
   */
  whenEnded(number) {
    if (this.#closed) return Promise.resolve(null);
    if (this.search?.search === number && !this.search.thinking)
      return Promise.resolve(this.search);
    if (this.ended > number) return Promise.resolve(null);
    return new Promise((done) => this.#waiting.push({ number, done }));
  }

  /** @param {string[]} line @param {number} atMost */
  node(line, atMost) {
    return this.remote.node(line, atMost);
  }

  /** @param {boolean} there whether the server still has the session */
  close(there = true) {
    if (this.#closed) return;
    this.#closed = true;
    this.events.close();
    if (there) void this.remote.close();
    for (const one of this.#waiting) one.done(null);
    this.#waiting = [];
  }
}
