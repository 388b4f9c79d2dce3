// The scores as they stand, with the figures that they are made of.

import { el } from "../dom.js";
import { t } from "../i18n.js";
import { mark } from "../marks.js";
import { seatName } from "../names.js";

const NO_FIGURES = new Set(["seat", "rank", "total"]);

/** The names of the figures that the rows hold, without those that are all nothing. */
export const figuresOf = (rows) =>
  Object.keys(rows[0] ?? {}).filter(
    (name) => !NO_FIGURES.has(name) && rows.some((row) => typeof row[name] === "number"),
  );

export function scoreSheet(table, suitOf) {
  const { scores, winners } = table.scores;
  if (!scores.length) return null;
  const parts = figuresOf(scores).filter((name) => scores.some((row) => row[name]));
  const names = [t("score.total"), ...parts.map((name) => t(`score.${name}`))];
  const header = el(
    "tr",
    {},
    el("th", { scope: "col" }, t("score.seat")),
    ...names.map((name) => el("th", { scope: "col" }, name)),
  );
  const best = [...scores].sort((one, other) => one.rank - other.rank);
  const rows = best.map((row) => {
    const figures = [el("strong", {}, String(row.total)), ...parts.map((name) => String(row[name] ?? "–"))];
    const seat = el("th", { scope: "row" }, mark(suitOf(row.seat)), seatName(table.seats[row.seat - 1]));
    return el("tr", {}, seat, ...figures.map((figure) => el("td", {}, figure)));
  });
  const won = table.view.over
    ? el(
        "p",
        { class: "winners" },
        t("score.won", { names: winners.map((seat) => seatName(table.seats[seat - 1])).join(", ") }),
      )
    : null;
  const sheet = el("table", {}, el("thead", {}, header), el("tbody", {}, ...rows));
  const title = t("scores");
  return el(
    "section",
    { class: "scores", "aria-label": title },
    el("h2", {}, title),
    won,
    el("div", { class: "scroller", tabindex: "0", role: "group", "aria-label": title }, sheet),
  );
}
