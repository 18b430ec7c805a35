/** The table: the game on the board, who plays it, and what is being searched. */

import { Refused } from "../api.js";
import { keep, prefs } from "../prefs.js";
import { Clock } from "./clock.js";
import { Curve } from "./curve.js";
import { advance, isEngine } from "./duty.js";
import { engineOf, suited } from "./engines.js";
import { readLink } from "./link.js";
import { Session } from "./session.js";

/** @import {About, Board, ClockChoice, EngineChoice, Ending, GameInfo, Mode} from "../types.js" */
/** @import {Move, View} from "../types.js" */
/** @import {Start} from "./link.js" */

/** @typedef {{line: string[], board: Board}} Preview */

export class Table {
  /** The engine of the game, and a second one where two are at work. @type {Session[]} */
  sessions = [];
  curve = new Curve();
  clock = new Clock(() => void this.change(async () => {}));
  /** Counts what the person does: what was begun before it must not play on. */
  turn = 0;
  /** Whether engines wait to be asked, as after going back in the game. */
  paused = false;
  /** Whether the analysis is to run. */
  analysing = true;
  /** @type {Ending | null} */
  ending = null;
  /** What the engine expects that has just declined a draw. @type {{rate: number | null} | null} */
  declined = null;
  /** Moves that the engine must not play, and the game so far where that holds. */
  #forbidden = { game: "", moves: /** @type {string[]} */ ([]) };
  /** @type {string | null} */
  hint = null;
  /** A line that is looked at. @type {Preview | null} */
  preview = null;
  /** @type {Refused | null} */
  refused = null;
  /**
   * The move that led here, and whether it was taken back.
   * @type {{move: Move, back: boolean} | null}
   */
  step = null;
  #watchers = /** @type {(() => void)[]} */ ([]);
  #due = false;
  /** Counts the lines that are looked at: the last one is shown. */
  #looks = 0;

  /** @param {GameInfo[]} games @param {About} about */
  constructor(games, about) {
    this.games = games;
    this.about = about;
  }

  /** @returns {View} */
  get view() {
    return this.sessions[0].view;
  }

  get game() {
    const { game } = this.view;
    return this.games.find((info) => info.name === game) ?? this.games[0];
  }

  /** @returns {Mode} */
  get mode() {
    return prefs.mode;
  }

  get over() {
    return this.view.outcome !== null || this.ending !== null;
  }

  /** Whether both sides have a clock. */
  get timed() {
    return prefs.clock.on && (this.mode === "play" || this.mode === "watch");
  }

  /** Whether a person may move now. */
  get yours() {
    return !this.over && !isEngine(this, this.view.mover);
  }

  /** @param {number} at @returns {EngineChoice} */
  engine(at) {
    return suited(prefs.engines[at], this.game, this.about, this.sessions[at]?.view.start);
  }

  /** Calls back soon after anything has changed. @param {() => void} watcher */
  watch(watcher) {
    this.#watchers.push(watcher);
  }

  news() {
    if (this.#due) return;
    this.#due = true;
    const tell = () => {
      this.#due = false;
      for (const watcher of this.#watchers) watcher();
    };
    if (document.hidden) setTimeout(tell, 100);
    else requestAnimationFrame(tell);
  }

  /**
   * Takes the engines from their work, does something, and lets them go on. What is asked for
   * meanwhile takes the place of the action, unless it is `kept`.
   * @param {() => Promise<unknown>} action
   * @param {boolean} [kept]
   * @returns {Promise<void>}
   */
  async change(action, kept = false) {
    const turn = ++this.turn;
    this.refused = null;
    try {
      await Promise.all(this.sessions.map((one) => (one.busy ? one.stop() : null)));
      if (turn !== this.turn && !kept) return;
      await action();
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      // The server has given the session up while nothing was asked of it.
      if (error.code === "no-session" && turn === this.turn) return this.again();
      this.refused = error;
    }
    this.#wind();
    this.news();
    if (turn !== this.turn || this.sessions.length === 0) return;
    // Something else was asked for while the mode changed.
    if (!this.refused && this.sessions.length !== this.#count) return this.again();
    void this.#advance();
  }

  /** The engines that the mode needs. */
  get #count() {
    return prefs.mode === "watch" || prefs.mode === "compare" ? 2 : 1;
  }

  /**
   * Lets the clock run, or not: it waits for a person's first move, and stands while one steps
   * through the game.
   */
  #wind() {
    if (this.sessions.length === 0) return;
    const { mover } = this.view;
    if (this.timed && !this.over && this.clock.left(mover) === 0)
      this.ending = { how: "time", player: mover };
    const ready = this.clock.begun || isEngine(this, mover);
    if (this.timed && ready && !this.over && !this.paused) this.clock.run(mover);
    else this.clock.stop();
  }

  #resetClock() {
    const { minutes, increment } = prefs.clock;
    this.clock.reset({ base: 60 * minutes, increment }, this.view.played.length);
  }

  async #advance() {
    try {
      await advance(this);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      this.refused = error;
      this.news();
    }
  }

  /** @param {Start} start */
  begin(start) {
    return this.change(async () => {
      const same = this.sessions.length > 0 && this.view.game === start.game;
      const { position, moves } = start;
      if (same) await this.#each((one) => one.setUp({ position, moves }));
      else await this.#reopen(start);
      this.#fresh();
      this.#resetClock();
      this.curve.clear();
      this.#forbidden.moves = [];
      this.paused = false;
    });
  }

  /** @param {Start} start */
  async #reopen(start) {
    const info = this.games.find((one) => one.name === start.game);
    const opened = await Promise.allSettled(
      [0, 1].slice(0, this.#count).map((at) => {
        const position = start.position ?? info?.starts[0]?.position;
        const choice = suited(prefs.engines[at], info, this.about, position);
        return Session.open({ ...start, ...engineOf(choice) }, (one, what) => this.#hear(one, what));
      }),
    );
    const there = opened.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
    const failed = opened.find((one) => one.status === "rejected");
    if (failed) {
      // Two or none.
      for (const one of there) one.close();
      throw failed.reason;
    }
    for (const one of this.sessions) one.close();
    this.sessions = there;
  }

  /** @param {(one: Session) => Promise<unknown>} act */
  #each(act) {
    return Promise.all(this.sessions.map(act));
  }

  #fresh() {
    this.ending = null;
    this.declined = null;
    this.hint = null;
    this.preview = null;
    this.step = null;
    if (this.view.outcome) this.curve.finish(this.view);
    if (location.hash !== this.view.link) history.replaceState(null, "", this.view.link);
  }

  /**
   * @param {Session} session
   * @param {"view" | "search" | "end" | "bye"} what
   */
  #hear(session, what) {
    if (!this.sessions.includes(session)) return;
    if (what === "bye") {
      void this.again();
      return;
    }
    const { found } = session;
    if (found && (session === this.sessions[0] || this.mode === "watch")) {
      this.curve.note(session.view, found);
    }
    this.news();
  }

  /**
   * Opens the game again with other engines, or after the server has given it up.
   * @returns {Promise<void>}
   */
  again() {
    const start = readLink(this.view.link) ?? { game: this.view.game, moves: [] };
    return this.change(async () => {
      await this.#reopen(start);
      this.#fresh();
    });
  }

  /** Plays a move for whoever is to move. @param {string} text */
  play(text) {
    // What the server takes for it is not the player's time.
    this.clock.stop();
    return this.change(async () => {
      const { mover, moves, played } = this.view;
      if (this.over || (this.timed && this.clock.left(mover) === 0)) return;
      const move = moves.find((one) => one.text === text);
      // Before the move is sent: a pause that comes meanwhile holds.
      this.paused = false;
      await this.#each((one) => one.play(text));
      if (this.timed) this.clock.press(mover, played.length);
      this.#fresh();
      this.step = move ? { move, back: false } : null;
    });
  }

  /** Goes back (below zero) or forth in the game. @param {number} plies */
  walk(plies) {
    const { played, undone } = this.view;
    const count = Math.min(Math.abs(plies), plies < 0 ? played.length : undone);
    if (count === 0) return Promise.resolve();
    return this.change(async () => {
      const { moves } = this.view;
      await this.#each((one) => one.walk(plies < 0 ? "undo" : "redo", count));
      this.clock.go(played.length, this.view.played.length);
      const text = plies < 0 ? played[played.length - 1] : this.view.played.at(-1);
      const move = (plies < 0 ? this.view.moves : moves).find((one) => one.text === text);
      this.#fresh();
      this.paused = true;
      this.step = move && count === 1 ? { move, back: plies < 0 } : null;
    });
  }

  /** Takes back to where the person was last to move. */
  takeBack() {
    const { mover, played } = this.view;
    const yours = this.mode === "play" && !isEngine(this, mover);
    return this.walk(yours && played.length > 1 ? -2 : -1);
  }

  /** Moves that the engine must not play in this position. */
  get except() {
    return this.#forbidden.game === this.view.played.join(" ") ? this.#forbidden.moves : [];
  }

  /** The engine takes its move back and plays another. */
  async forbid() {
    const { played } = this.view;
    const last = played.at(-1);
    if (last === undefined) return;
    await this.change(async () => {
      await this.#each((one) => one.walk("undo", 1));
      this.clock.go(played.length, played.length - 1);
      this.#fresh();
      this.#forbidden = { game: this.view.played.join(" "), moves: [...this.except, last] };
      this.paused = false;
    });
  }

  /** The engine that is at work answers with what it has. */
  moveNow() {
    this.paused = false;
    const busy = this.sessions.filter((one) => one.busy);
    if (busy.length > 0) return Promise.all(busy.map((one) => one.stop()));
    return this.change(async () => {});
  }

  pause() {
    return this.change(async () => {
      this.paused = true;
    });
  }

  resign() {
    return this.change(async () => {
      const player = this.mode === "play" ? prefs.side : this.view.mover;
      this.ending = { how: "resigned", player };
    });
  }

  /** @param {Mode} mode */
  async setMode(mode) {
    const before = prefs.mode;
    prefs.mode = mode;
    this.paused = false;
    this.analysing = true;
    await this.again();
    const { refused } = this;
    if (refused && prefs.mode === mode) {
      // There was no room for the engines: it stays as it was.
      prefs.mode = before;
      await this.change(async () => {});
      this.refused = refused;
      this.news();
    }
    keep();
  }

  /** @param {boolean} on */
  analyse(on) {
    return this.change(async () => {
      this.analysing = on;
    });
  }

  /** A clock for the game from here on. @param {Partial<ClockChoice>} choice */
  setClock(choice) {
    Object.assign(prefs.clock, choice);
    keep();
    return this.change(async () => this.#resetClock(), true);
  }

  /** Another engine, which knows nothing yet. @param {number} at @param {EngineChoice} choice */
  setEngine(at, choice) {
    const before = JSON.stringify(engineOf(this.engine(at)));
    prefs.engines[at] = choice;
    keep();
    const engine = engineOf(this.engine(at));
    const other = JSON.stringify(engine) !== before;
    return this.change(async () => {
      if (other) await this.sessions[at]?.engine(engine);
    }, true);
  }

  /** Shows where a line leads, or the game again. @param {string[] | null} line */
  async look(line, at = 0) {
    const look = ++this.#looks;
    if (line === null || line.length === 0) {
      if (this.preview) this.step = null;
      this.preview = null;
      this.news();
      return;
    }
    const turn = this.turn;
    const found = await this.sessions[at].node(line, 0).catch(() => null);
    // Answers may come in another order.
    if (turn !== this.turn || look !== this.#looks || !found) return;
    this.preview = { line, board: found.board };
    this.news();
  }
}
