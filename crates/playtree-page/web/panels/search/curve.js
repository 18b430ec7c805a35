/** The win rate over the game, as a curve; a click goes to the move. */

import { h, s, set } from "../../lib/dom.js";
import { percent } from "../../lib/numbers.js";
import { sideName } from "../../boards/naming.js";
import { t } from "../../words.js";

/** @import {Table} from "../../table/table.js" */

const WIDTH = 340;
const HEIGHT = 96;

/** @param {Table} table */
export function curve(table) {
  const area = s("path", { class: "area" });
  const line = s("path", { class: "line" });
  const dots = s("g", { class: "dots" });
  const now = s("line", { class: "now", y1: 0, y2: HEIGHT });
  const label = s("text", { class: "rate", "text-anchor": "end" });
  const chart = s(
    "svg",
    {
      class: "curve",
      viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
      role: "img",
      onclick: (/** @type {MouseEvent} */ event) => goTo(event),
    },
    s("line", { class: "half", x1: 0, x2: WIDTH, y1: HEIGHT / 2, y2: HEIGHT / 2 }),
    area,
    line,
    now,
    dots,
    label,
  );
  const title = h("h2", { title: t("curve.hint") });
  const element = h("section", { class: "curve-card" }, title, chart);
  let shown = "";
  let plies = 1;

  /** @param {MouseEvent} event */
  function goTo(event) {
    const box = chart.getBoundingClientRect();
    const ply = Math.round(((event.clientX - box.left) / box.width) * plies);
    void table.walk(ply - table.view.played.length);
  }

  return {
    element,
    update() {
      const { view } = table;
      const points = table.curve.points(view);
      const key = JSON.stringify([points, view.played.length, view.undone, view.game, t("curve")]);
      if (key === shown) return;
      shown = key;
      const text = t("curve", { side: sideName(view.game, 0) });
      title.textContent = text;
      plies = Math.max(8, view.played.length + view.undone, ...points.map((point) => point.ply));
      /** @param {number} ply */
      const x = (ply) => (ply / plies) * (WIDTH - 16) + 8;
      /** @param {number} rate */
      const y = (rate) => HEIGHT - 6 - rate * (HEIGHT - 12);
      const path = points
        .map(({ ply, rate }) => `${x(ply).toFixed(1)} ${y(rate).toFixed(1)}`)
        .join("L");
      const [first, last] = [points[0], points.at(-1)];
      set(line, { d: path && `M${path}` });
      set(area, {
        d: first && last ? `M${x(first.ply)} ${y(0.5)}L${path}L${x(last.ply)} ${y(0.5)}z` : "",
      });
      set(now, { x1: x(view.played.length), x2: x(view.played.length) });
      dots.replaceChildren(
        ...points.map((point) =>
          s(
            "circle",
            {
              cx: x(point.ply),
              cy: y(point.rate),
              r: point.proven ? 3.4 : 2.4,
              class: point.proven ? "proven" : null,
            },
            s("title", {}, `${point.ply} ${point.move ?? ""} ${percent(point.rate)}`),
          ),
        ),
      );
      const here = points.find((point) => point.ply === view.played.length) ?? last;
      label.textContent = here ? percent(here.rate) : "";
      if (here) {
        set(label, {
          x: Math.max(58, Math.min(WIDTH - 6, x(here.ply) - 6)),
          y: here.rate > 0.55 ? y(here.rate) + 16 : y(here.rate) - 8,
        });
      }
      chart.setAttribute("aria-label", here ? `${text}: ${percent(here.rate)}` : text);
    },
  };
}
