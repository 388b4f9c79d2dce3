// Pieces that several parts of the review draw.

import { el } from "../dom.js";
import { mark } from "../marks.js";
import { nameAt } from "../names.js";

/** A seat by its sign and its name. */
export const marked = ({ game, table }, seat) => [mark(game.suits(table)(seat)), ` ${nameAt(table, seat)}`];

/** A table that scrolls by itself where it is wider than its place. */
export const tableOf = (label, columns, rows, caption = null) =>
  el(
    "div",
    { class: "scroller", tabindex: "0", role: "group", "aria-label": label },
    el(
      "table",
      {},
      caption && el("caption", {}, caption),
      el("thead", {}, el("tr", {}, ...columns.map((words) => el("th", { scope: "col" }, words)))),
      el("tbody", {}, ...rows),
    ),
  );
