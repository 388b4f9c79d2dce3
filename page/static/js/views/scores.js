// The scores as they stand, with the figures that they are made of.

import { el, extend, row, sheet, titled, unseen } from "../dom.js";
import { helpData, helpFor } from "../help-words.js";
import { t } from "../i18n.js";
import { nameAt, namesOf } from "../piece-names.js";
import { portrait } from "../portraits.js";
import { ranked, rowsOf, winnersOf, worthTelling } from "../state/scores.js";

const NO_FIGURES = new Set(["seat", "rank", "total"]);

/** The names of the figures that the rows hold, without those that are all nothing. */
const figuresOf = (rows) =>
  Object.keys(rows[0] ?? {}).filter(
    (name) => !NO_FIGURES.has(name) && rows.some((row) => typeof row[name] === "number"),
  );

/** A figure by its name; what it is and counts is told when it is pointed at or focused. */
function figure(game, name) {
  const key = `score.${name}`;
  if (!helpFor(game, key)) return t(key);
  return el("span", { class: "explained", tabindex: "0", data: { ...helpData(game, key), key } }, t(key));
}

/** A row a figure and a column a seat, the best first: as many as there are, it is never wider than its place. */
export function scoreSheet(table, suitOf) {
  const [scores, winners] = [rowsOf(table), winnersOf(table)];
  if (!scores.length) return null;
  const best = ranked(table);
  const parts = worthTelling(figuresOf(scores), scores);
  const columns = best.map(({ seat }) => {
    const name = nameAt(table, seat);
    return el("span", { title: name }, portrait(table.seats[seat - 1], suitOf(seat)), unseen(name));
  });
  const cell = (value) => String(value ?? "–").replace("-", "−");
  const rows = ["total", ...parts].map((name) => {
    const cells = best.map((each) => cell(each[name]));
    return extend(row(figure(table.game, name), cells), { class: `figure-${name}` });
  });
  const won = winners.length ? el("p", { class: "winners" }, t("score.won", { names: namesOf(table, winners) })) : null;
  return titled("scores", t("scores"), won, sheet([unseen(t("score.figure")), ...columns], rows));
}
