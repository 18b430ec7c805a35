/** A clock for both sides: a time for the game, and more of it after each move. All in seconds. */

/** @typedef {{base: number, increment: number}} Pace */

/** An engine plans as if this number of its moves were still to come. */
const MOVES_TO_COME = 30;
/** A move never gets more than this share of the rest, however large the increment is. */
const MOST_SHARE = 0.25;
/** What an engine leaves on its clock for messages under way and for a busy machine. */
const RESERVE = 0.3;
/** An engine that has nothing left but its reserve still looks at the position this long. */
const LEAST = 0.005;

/**
 * How long an engine thinks about a move: its part of the rest and what the move brings back, so
 * that the time lasts however long the game is, and never into the reserve.
 * @param {number} left @param {number} increment
 */
export function allowance(left, increment) {
  const rest = Math.max(left - RESERVE, 0);
  return Math.max(Math.min(rest / MOVES_TO_COME + increment, MOST_SHARE * rest), LEAST);
}

export class Clock {
  /** Whether a move has been played with it. */
  begun = false;
  /** @type {Pace} */
  pace = { base: 0, increment: 0 };
  #left = [0, 0];
  /** What both had when a position was reached or left, by ply. @type {Map<number, number[]>} */
  #moments = new Map();
  /** @type {{mover: number, since: number, timer: ReturnType<typeof setTimeout>} | null} */
  #running = null;

  /** @param {() => void} out called when the time of the one to move is up */
  constructor(out) {
    this.out = out;
  }

  /** @param {Pace} pace @param {number} ply where the game begins */
  reset(pace, ply) {
    this.stop();
    this.begun = false;
    this.pace = pace;
    this.#left = [pace.base, pace.base];
    this.#moments = new Map([[ply, [...this.#left]]]);
  }

  /** @param {number} player */
  left(player) {
    const running = this.#running?.mover === player ? this.#running : null;
    const gone = running ? (performance.now() - running.since) / 1000 : 0;
    return Math.max(this.#left[player] - gone, 0);
  }

  /** @param {number} player */
  runs(player) {
    return this.#running?.mover === player;
  }

  /** @param {number} mover */
  run(mover) {
    if (this.runs(mover)) return;
    this.stop();
    const timer = setTimeout(this.out, 1000 * this.#left[mover] + 1);
    this.#running = { mover, since: performance.now(), timer };
  }

  stop() {
    if (!this.#running) return;
    const { mover, timer } = this.#running;
    clearTimeout(timer);
    this.#left[mover] = this.left(mover);
    this.#running = null;
  }

  /** A move was played. @param {number} mover @param {number} ply the moves before it */
  press(mover, ply) {
    this.stop();
    this.begun = true;
    this.#left[mover] += this.pace.increment;
    for (const one of this.#moments.keys()) if (one > ply) this.#moments.delete(one);
    this.#moments.set(ply + 1, [...this.#left]);
  }

  /** Both have what they had at that moment of the game. @param {number} from @param {number} to */
  go(from, to) {
    this.stop();
    this.#moments.set(from, [...this.#left]);
    const known = [...this.#moments.keys()].filter((ply) => ply <= to);
    const { base } = this.pace;
    this.#left = [...(this.#moments.get(Math.max(...known)) ?? [base, base])];
  }
}
