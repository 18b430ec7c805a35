/** A board of cells: squares, points or hexagons. */

import { s, set } from "../lib/dom.js";
import { t } from "../words.js";
import { geometryOf } from "./geometry.js";
import { GridInput } from "./input.js";
import { drawDots, drawGhost, drawHint, drawLabels, drawLast, drawMarks } from "./layers.js";
import { enter, leave, slide, turnOver } from "./motion.js";
import { cellLabel } from "./naming.js";
import { skinOf } from "./skins.js";

/** @import {GridBoard} from "../types.js" */
/** @import {BoardView, Scene} from "./board.js" */
/** @import {Geometry} from "./geometry.js" */
/** @import {Skin} from "./skins.js" */

const LAYERS = /** @type {const} */ ([
  "ground",
  "labels",
  "last",
  "pieces",
  "front",
  "dots",
  "marks",
  "hint",
  "cells",
]);

/** @implements {BoardView} */
export class GridView {
  element = s("svg", { class: "board grid", role: "group" });
  layers = /** @type {Record<typeof LAYERS[number], SVGGElement>} */ ({});
  /** @type {Scene | null} */
  scene = null;
  /** @type {Geometry | null} */
  geometry = null;
  /** @type {Skin | null} */
  skin = null;
  /** @type {Map<number, {code: string, node: SVGElement}>} */
  pieces = new Map();
  /** @type {SVGElement[]} */
  cells = [];
  ratio = 1;
  #look = "";

  /** @param {(move: string) => void} play */
  constructor(play) {
    for (const name of LAYERS) {
      this.layers[name] = s("g", { class: name });
      this.element.append(this.layers[name]);
    }
    this.input = new GridInput(this, play);
  }

  /** @param {Scene} scene */
  show(scene) {
    const board = /** @type {GridBoard} */ (scene.board);
    const look = [
      scene.game,
      board.columns,
      board.rows,
      scene.flipped,
      scene.letters,
      t("board"),
    ].join();
    const fresh = look !== this.#look;
    this.scene = scene;
    if (fresh) {
      this.#look = look;
      this.#build(board, scene);
    }
    if (!this.geometry || !this.skin) return;
    this.#place(board, scene, !fresh);
    this.input.refresh();
    drawLast(this, board);
    drawMarks(this, scene);
    drawHint(this, scene);
    for (const [cell, target] of this.cells.entries()) {
      const label = cellLabel(scene, board, cell);
      if (target.getAttribute("aria-label") !== label) set(target, { "aria-label": label });
    }
    this.element.classList.toggle("preview", scene.preview);
  }

  /** @param {GridBoard} board @param {Scene} scene */
  #build(board, scene) {
    const geometry = geometryOf(board, scene.flipped);
    const skin = skinOf(scene.game, board);
    this.geometry = geometry;
    this.skin = skin;
    const { margin } = skin;
    const [width, height] = [geometry.width + 2 * margin, geometry.height + 2 * margin];
    set(this.element, {
      viewBox: `${-margin} ${-margin} ${width} ${height}`,
      "aria-label": t("board"),
      "data-game": scene.game,
    });
    this.ratio = width / height;
    for (const layer of Object.values(this.layers)) layer.replaceChildren();
    this.pieces.clear();
    this.layers.ground.append(...skin.ground(geometry, board));
    if (skin.front) this.layers.front.append(...skin.front(geometry));
    if (skin.labels) drawLabels(this, board);
    this.cells = board.cells.map((_, cell) =>
      s("path", {
        class: "cell",
        d: geometry.shape(cell),
        "data-cell": cell,
        role: "button",
        tabindex: -1,
      }),
    );
    this.layers.cells.append(...this.cells);
    this.input.build();
  }

  /** @param {GridBoard} board @param {Scene} scene @param {boolean} moving */
  #place(board, scene, moving) {
    const { geometry, skin } = this;
    if (!geometry || !skin) return;
    const step = scene.step && scene.step.move.from !== null ? scene.step : null;
    const from = step && (step.back ? step.move.to : step.move.from);
    const to = step && (step.back ? step.move.from : step.move.to);
    for (const [cell, code] of board.cells.entries()) {
      const was = this.pieces.get(cell);
      if ((was?.code ?? "") === code) continue;
      if (code === "") {
        this.pieces.delete(cell);
        if (!was) continue;
        if (moving && cell !== from) leave(was.node);
        else was.node.remove();
        continue;
      }
      const [x, y] = geometry.center(cell);
      const node = skin.piece(code, scene.letters);
      const holder = s("g", { transform: `translate(${x} ${y})` }, node);
      this.layers.pieces.append(holder);
      this.pieces.set(cell, { code, node: holder });
      if (!moving) {
        was?.node.remove();
        continue;
      }
      if (was && skin.turn) {
        turnOver(was.node, node);
        continue;
      }
      if (was) leave(was.node);
      if (cell === to && from !== null) {
        const [left, top] = geometry.center(from);
        slide(node, left - x, top - y);
      } else if (!was) {
        enter(node, skin.enter, y + skin.margin);
      }
    }
  }

  /** Shows what can be done with the piece selected or under the pointer. */
  hints() {
    drawDots(this);
    drawGhost(this);
  }

  focus() {
    this.input.focus();
  }
}
