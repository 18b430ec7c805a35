/** Engines as the person chooses them, and as the server wants them. */

/** @import {About, Engine, EngineChoice, GameInfo, Limit, Report, Settings} from "../types.js" */

/** A move is as good as the best one if its win rate is at most this much lower. */
const EQUAL_WIN_RATE = 0.005;
/** And if it has at least this share of the visits of the best one. */
const EQUAL_VISITS = 0.5;

/**
 * An engine as a request for it says.
 * @param {EngineChoice} choice
 * @returns {Engine}
 */
export function engineOf(choice) {
  return { settings: settingsOf(choice), network: choice.kind === "network" };
}

/** @param {EngineChoice} choice @returns {Settings} */
function settingsOf(choice) {
  const bytes = Math.round(choice.memory * 2 ** 20);
  if (choice.kind === "alphabeta") {
    return { alphabeta: { threads: choice.threads, table_bytes: bytes } };
  }
  if (choice.kind === "solver") {
    return { solver: { threads: choice.threads, memory_limit: bytes } };
  }
  if (choice.kind === "network") {
    return { mcts: { threads: choice.threads, memory_limit: bytes, proofs: choice.proofs } };
  }
  const { exploration } = choice;
  const selection = {
    auto: undefined,
    ucb1: { ucb1: { exploration } },
    ucb1_tuned: "ucb1_tuned",
    grave: { grave: { exploration: 0 } },
  }[choice.selection];
  return {
    mcts: { threads: choice.threads, memory_limit: bytes, proofs: choice.proofs, selection },
  };
}

/** @param {EngineChoice} choice @returns {Limit} */
export function limitOf(choice) {
  if (choice.limit === "seconds") return { seconds: choice.seconds };
  return simulates(choice.kind)
    ? { simulations: choice.simulations }
    : { nodes: choice.simulations };
}

/** Whether an engine of this kind counts simulations. @param {EngineChoice["kind"]} kind */
export function simulates(kind) {
  return kind === "mcts" || kind === "network";
}

/**
 * The choice, but for what a game does not have and the server does not give.
 * @param {EngineChoice} choice
 * @param {GameInfo | undefined} game
 * @param {About} about
 * @param {string} [position] where the game begins, if that is one of its starts
 * @returns {EngineChoice}
 */
export function suited(choice, game, about, position) {
  const kind = !game || kindsOf(game, position).includes(choice.kind) ? choice.kind : "mcts";
  const threads = Math.max(1, Math.min(choice.threads, about.workers));
  const memory = Math.min(choice.memory, Math.floor(about.memory_bytes / 2 ** 20));
  const seconds = Math.min(choice.seconds, about.longest_search_seconds);
  return { ...choice, kind, threads, memory, seconds };
}

/**
 * @param {GameInfo} game
 * @param {string} [position] where it begins: a network plays on one board
 * @returns {EngineChoice["kind"][]}
 */
export function kindsOf(game, position) {
  const known = game.starts.find((start) => start.position === position);
  const network = known ? known.network : game.starts.some((start) => start.network);
  return [
    "mcts",
    ...(network ? [/** @type {const} */ ("network")] : []),
    ...(game.evaluation ? [/** @type {const} */ ("alphabeta")] : []),
    ...(game.solvable ? [/** @type {const} */ ("solver")] : []),
  ];
}

/**
 * The move to play; with `random` any of those that are as good.
 * @param {Report} report
 * @param {boolean} random
 * @returns {string | null}
 */
export function moveOf(report, random) {
  const best = report.best_move ?? report.best_moves?.[0] ?? report.moves[0]?.move ?? null;
  if (!random || best === null) return best;
  const equal = equalMoves(report, best);
  return equal[Math.floor(Math.random() * equal.length)] ?? best;
}

/**
 * The moves that are as good as the best one, by proof, score or win rate.
 * @param {Report} report
 * @param {string} best
 */
export function equalMoves(report, best) {
  if (report.best_moves?.length) return report.best_moves;
  const first = report.moves.find((found) => found.move === best);
  if (!first) return [best];
  const equal = report.moves.filter((found) => {
    if ((first.proven ?? null) !== (found.proven ?? null)) return false;
    if (first.score !== undefined) {
      return (
        found.bound === "exact" &&
        found.score?.value === first.score?.value &&
        found.score?.plies === first.score?.plies
      );
    }
    if (first.proven) return found.proven_plies === first.proven_plies;
    return (
      (found.win_rate ?? 0) >= (first.win_rate ?? 0) - EQUAL_WIN_RATE &&
      (found.visits ?? 0) >= EQUAL_VISITS * (first.visits ?? 0)
    );
  });
  return equal.length ? equal.map((found) => found.move) : [best];
}
