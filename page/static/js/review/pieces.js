// Pieces that several parts of the review draw.

import { el, sheet } from "../dom.js";
import { capital, t } from "../i18n.js";
import { mark } from "../glyphs.js";
import { nameAt } from "../names.js";

/** A seat by its sign and its name. */
export const marked = ({ game, table }, seat) => [mark(game.suits(table)(seat)), ` ${nameAt(table, seat)}`];

/** A table that scrolls by itself where it is wider than its place. */
export const tableOf = (key, columns, rows, caption = null) =>
  el(
    "div",
    { class: "scroller", tabindex: "0", role: "group", "aria-label": t(key) },
    sheet(
      columns.map((column) => capital(t(column))),
      rows,
      caption,
    ),
  );
