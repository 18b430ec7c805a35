/** What a server says, or an engine in the page, as types. Nothing here runs. */

/**
 * @typedef {{name: string, title: string, players: number, evaluation: boolean, solvable: boolean,
 *   rules: string, position_format: string,
 *   starts: {name: string, position: string, network: boolean}[]}} GameInfo
 */
/**
 * @typedef {{text: string, from: number | null, to: number | null, cells?: number[],
 *   label?: string}} Move
 */
/**
 * @typedef {{kind: "grid", columns: number, rows: number, cells: string[], last: number[],
 *   wrap: "square" | "hex" | "points", files: string[], ranks: string[]}} GridBoard
 */
/** @typedef {{kind: "piles", piles: number[]}} PilesBoard */
/** @typedef {{kind: "cards", hands: string[][], to_beat: string[] | null}} CardsBoard */
/** @typedef {GridBoard | PilesBoard | CardsBoard} Board */
/**
 * @typedef {{session: string, version: number, game: string, title: string, position: string,
 *   start: string,
 *   board: Board, mover: number, players: number, moves: Move[], played: string[], undone: number,
 *   outcome: null | {scores: number[], text: string}, thinking: null | number,
 *   settings: Settings, network: boolean, link: string}} View
 */
/** @typedef {Record<string, Record<string, any>>} Settings */
/** @typedef {{settings: Settings, network: boolean}} Engine */
/** @typedef {"win" | "draw" | "loss"} Proven */
/**
 * A move of any searcher's report; each fills in what it has.
 * @typedef {{move: string, visits?: number, win_rate?: number | null, lcb?: number | null,
 *   proven?: Proven | null, proven_plies?: number | null, pv?: string[],
 *   prior?: number | null,
 *   score?: Score | null, bound?: string, depth?: number, nodes?: number,
 *   value?: Proven | null, distance?: number | null, points?: number | null}} MoveReport
 */
/** @typedef {{value: number | null, plies: number | null, proven?: Proven | null}} Score */
/**
 * @typedef {{best_move?: string, win_rate?: number | null, scores?: number[],
 *   proven?: Proven | null, proven_plies?: number | null, simulations?: number, seconds: number,
 *   nodes: number, nodes_per_second?: number, bytes?: number, peak_bytes?: number,
 *   workers: number, stop_reason: string, memory_full?: boolean, evicted?: number,
 *   moves: MoveReport[], pv?: string[], depth?: number, score?: Score, value?: Proven | null,
 *   distance?: number | null, best_moves?: string[], simulations_per_second?: number}} Report
 */
/**
 * @typedef {{search: number, position: string, ply: number, thinking: boolean, waiting: boolean,
 *   error: {code: string, message: string} | null, report: Report, simulations_per_second:
 *   number, memory_bytes: number,
 *   known_before: number}} Search
 */
/**
 * @typedef {{move: string, visits: number, in_flight: number, win_rate: number | null,
 *   proven: Proven | null, proven_plies: number | null, child: number | null,
 *   child_visits: number}} Branch
 */
/**
 * @typedef {{number: number | null, position: string, mover: number, visits: number, rollouts:
 *   number,
 *   win_rate: number | null, outcome: {scores: number[], text: string} | null,
 *   branch_count: number, branches: Branch[], board: Board, moves_text?: string[]}} TreeNode
 */
/**
 * @typedef {{seconds?: number, simulations?: number, nodes?: number, depth?: number,
 *   only?: string[], except?: string[]}} Limit
 */
/**
 * What the server lends a session.
 * @typedef {{version: string, workers: number, memory_bytes: number, sessions: number,
 *   idle_seconds: number, longest_search_seconds: number}} About
 */
/**
 * What one engine is and how strong it plays.
 * @typedef {{kind: "mcts" | "network" | "alphabeta" | "solver", limit: "seconds" | "simulations",
 *   seconds: number, simulations: number, threads: number, memory: number,
 *   selection: "auto" | "ucb1" | "ucb1_tuned" | "grave", exploration: number, proofs: boolean,
 *   ponder: boolean, random: boolean}} EngineChoice
 */
/**
 * How a game ended that its rules had not ended yet, and by whom.
 * @typedef {{how: "resigned" | "time" | "agreed", player: number}} Ending
 */
/**
 * A clock for both sides: minutes for the game, seconds more after each move.
 * @typedef {{on: boolean, minutes: number, increment: number}} ClockChoice
 */
/** @typedef {"play" | "watch" | "analyse" | "compare"} Mode */

export {};
