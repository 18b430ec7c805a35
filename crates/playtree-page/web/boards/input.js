/** Clicks, drags and keys on a board of cells, turned into moves. */

import { set } from "../lib/dom.js";

/** @import {Move} from "../types.js" */
/** @import {GridView} from "./grid.js" */

/** How far the pointer goes before a press is a drag, in pixels. */
const DRAG = 6;

export class GridInput {
  /** The cell of the piece to be moved. @type {number | null} */
  selected = null;
  /** The move under the pointer. @type {Move | null} */
  pointed = null;
  /** The cell that has the keyboard. */
  cursor = 0;
  /** @type {{cell: number, x: number, y: number, moving: boolean, fresh: boolean} | null} */
  #drag = null;

  /** @param {GridView} view @param {(move: string) => void} play */
  constructor(view, play) {
    this.view = view;
    this.play = play;
    const board = view.element;
    board.addEventListener("pointerdown", (event) => this.#down(event));
    board.addEventListener("pointermove", (event) => this.#move(event));
    board.addEventListener("pointerup", (event) => this.#up(event));
    board.addEventListener("pointercancel", () => this.#drop());
    board.addEventListener("pointerleave", () => this.#point(null));
    board.addEventListener("keydown", (event) => this.#key(event));
    board.addEventListener("focusin", (event) => {
      const cell = cellOf(event);
      if (cell !== null) this.#moveCursor(cell, false);
    });
  }

  /** The board has other cells now. */
  build() {
    this.selected = null;
    this.pointed = null;
    this.#drag = null;
    this.cursor = Math.min(this.cursor, this.view.cells.length - 1);
    this.#moveCursor(Math.max(this.cursor, 0), false);
  }

  /** The moves are others now. */
  refresh() {
    const moves = this.view.scene?.moves ?? [];
    if (!moves.some((move) => move.from === this.selected)) this.selected = null;
    if (!moves.some((move) => move.text === this.pointed?.text)) this.pointed = null;
    this.view.hints();
    const from = new Set(moves.map((move) => move.from));
    for (const [cell, target] of this.view.cells.entries()) {
      const can = from.has(cell) || this.#setting(cell) !== null || this.#target(cell) !== null;
      target.classList.toggle("can", can);
      target.classList.toggle("movable", from.has(cell));
    }
  }

  focus() {
    this.view.cells[this.cursor]?.focus();
  }

  /** The move that sets a stone on a cell. @param {number} cell @returns {Move | null} */
  #setting(cell) {
    const { scene, skin, geometry } = this.view;
    if (!scene || !geometry) return null;
    const same = skin?.columns
      ? (/** @type {number} */ to) => to % geometry.columns === cell % geometry.columns
      : (/** @type {number} */ to) => to === cell;
    return (
      scene.moves.find((move) => move.from === null && move.to !== null && same(move.to)) ?? null
    );
  }

  /** The move of the selected piece to a cell. @param {number} cell */
  #target(cell) {
    if (this.selected === null) return null;
    const moves = this.view.scene?.moves ?? [];
    return moves.find((move) => move.from === this.selected && move.to === cell) ?? null;
  }

  /** @param {number} cell */
  #movable(cell) {
    return this.view.scene?.moves.some((move) => move.from === cell) ?? false;
  }

  /** What a click on a cell, or Enter, does. @param {number} cell */
  choose(cell) {
    const move = this.#target(cell) ?? this.#setting(cell);
    if (move) {
      this.#select(null);
      this.pointed = null;
      this.play(move.text);
    } else {
      this.#select(this.#movable(cell) && cell !== this.selected ? cell : null);
    }
  }

  /** @param {number | null} cell */
  #select(cell) {
    this.selected = cell;
    this.refresh();
  }

  /** @param {number | null} cell */
  #point(cell) {
    const move = cell === null ? null : this.#setting(cell);
    if (move?.text === this.pointed?.text) return;
    this.pointed = move;
    this.view.hints();
  }

  /** @param {PointerEvent} event */
  #down(event) {
    const cell = cellOf(event);
    if (cell === null || event.button !== 0) return;
    const fresh = cell !== this.selected;
    this.#drag = { cell, x: event.clientX, y: event.clientY, moving: false, fresh };
    if (this.#movable(cell) && !this.#target(cell)) {
      this.#select(cell);
      this.view.element.setPointerCapture(event.pointerId);
    }
  }

  /** @param {PointerEvent} event */
  #move(event) {
    const drag = this.#drag;
    if (!drag || drag.cell !== this.selected) {
      if (event.pointerType === "mouse") this.#point(cellOf(event));
      return;
    }
    const [x, y] = [event.clientX - drag.x, event.clientY - drag.y];
    drag.moving ||= Math.hypot(x, y) > DRAG;
    const piece = this.view.pieces.get(drag.cell)?.node;
    if (!drag.moving || !piece) return;
    const scale = this.view.element.getScreenCTM()?.a ?? 1;
    piece.classList.add("dragged");
    piece.parentNode?.append(piece);
    piece.style.translate = `${x / scale}px ${y / scale}px`;
  }

  /** @param {PointerEvent} event */
  #up(event) {
    const drag = this.#drag;
    const cell = cellOf(event);
    this.#drop();
    if (!drag || cell === null) return;
    if (drag.moving) {
      if (this.#target(cell)) this.choose(cell);
    } else if (cell === drag.cell) {
      if (this.selected === cell && drag.fresh && !this.#target(cell)) return;
      this.choose(cell);
    }
  }

  #drop() {
    const piece = this.#drag && this.view.pieces.get(this.#drag.cell)?.node;
    this.#drag = null;
    if (!piece) return;
    piece.classList.remove("dragged");
    piece.style.translate = "";
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const steps = /** @type {Record<string, [number, number]>} */ ({
      ArrowLeft: [-1, 0],
      ArrowRight: [1, 0],
      ArrowUp: [0, -1],
      ArrowDown: [0, 1],
    });
    const step = steps[event.key];
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (step && this.view.geometry) {
      this.#moveCursor(this.view.geometry.step(this.cursor, ...step), true);
    } else if (event.key === "Enter" || event.key === " ") {
      this.choose(this.cursor);
    } else if (event.key === "Escape" && this.selected !== null) {
      this.#select(null);
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }

  /** @param {number} cell @param {boolean} focus */
  #moveCursor(cell, focus) {
    const { cells } = this.view;
    if (cells[this.cursor]) set(cells[this.cursor], { tabindex: -1 });
    this.cursor = cell;
    if (!cells[cell]) return;
    set(cells[cell], { tabindex: 0 });
    if (focus) cells[cell].focus();
  }
}

/** @param {Event} event */
function cellOf(event) {
  const point =
    event instanceof PointerEvent
      ? document.elementFromPoint(event.clientX, event.clientY)
      : event.target;
  const cell =
    point instanceof Element ? point.closest("[data-cell]")?.getAttribute("data-cell") : null;
  return cell == null ? null : Number(cell);
}
