// What several parts of the review show: seats, tables, and figures in words. What follows ± is twice the standard error: in
// 19 of 20 cases it is no further off.

import { el, sheet } from "../dom.js";
import { mark } from "../glyphs.js";
import { capital, language, t } from "../i18n.js";
import { nameAt } from "../piece-names.js";

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

const ERRORS = 2;

const written = (value, options) => new Intl.NumberFormat(language, options).format(value);
const plain = (value) => written(value, { maximumFractionDigits: 1 });
const fine = (value) => written(value, { maximumFractionDigits: 2 });
const PERCENT = { style: "percent", maximumFractionDigits: 0 };
const percent = (value) => written(value, PERCENT);
const swing = (value) => written(value, { ...PERCENT, signDisplay: "exceptZero" });
const signed = (value) => written(value, { maximumFractionDigits: 1, signDisplay: "exceptZero" });

const FORMS = { margin: signed, victory: percent, behind: signed, loss: fine, swing };
const SPREADS = { margin: plain, victory: percent, behind: plain, loss: fine };

/** A value of a figure, such as `margin`. */
export const valueWords = (figure, value) => FORMS[figure](value);

/** A mean of a figure with its error. */
export const meanWords = (figure, { mean, error }) =>
  t("review.mean", { mean: FORMS[figure](mean), error: SPREADS[figure](ERRORS * error) });

/** Points of lead that were lost. */
export const lossWords = plain;

/** A share. */
export const shareWords = percent;
