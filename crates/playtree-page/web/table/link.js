/** A game in the address of the page, and as a text. */

/** @import {View} from "../types.js" */

/** @typedef {{game: string, position?: string, moves: string[]}} Start */

/**
 * Reads what a link says of a game: `#game=othello&position=...&moves=...`.
 * @param {string} hash
 * @returns {Start | null}
 */
export function readLink(hash) {
  const values = new URLSearchParams(hash.replace(/^[^#]*#/, ""));
  const game = values.get("game");
  if (!game) return null;
  return {
    game,
    position: values.get("position") ?? undefined,
    moves: (values.get("moves") ?? "").split(/[ ,]+/).filter(Boolean),
  };
}

/**
 * The game in three lines: its name, the position it began with, its moves.
 * @param {View} view
 */
export function gameText(view) {
  const start = readLink(view.link);
  return `game ${view.game}\nposition ${start?.position ?? ""}\nmoves ${view.played.join(" ")}\n`;
}

/**
 * Reads a game as `gameText` writes it, a link, or a position alone.
 * @param {string} text
 * @param {string} game the game that a position alone is one of
 * @returns {Start}
 */
export function readText(text, game) {
  const trimmed = text.trim();
  const link = trimmed.includes("game=") ? readLink(`#${trimmed.split("#").pop()}`) : null;
  if (link) return link;
  /** @param {string} name */
  const line = (name) => new RegExp(`^${name}[ \\t]*(.*)$`, "m").exec(trimmed)?.[1]?.trim();
  const name = line("game");
  const moves = (line("moves") ?? "").split(/\s+/).filter(Boolean);
  const position = line("position");
  if (name === undefined && position === undefined && line("moves") === undefined) {
    return { game, position: trimmed, moves: [] };
  }
  return { game: name ?? game, position: position || undefined, moves };
}
