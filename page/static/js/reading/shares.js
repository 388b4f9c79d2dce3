// Shares with their intervals, drawn and in figures.

import { el, svg } from "../dom.js";
import { language, t } from "../i18n.js";
import { featureWords, wordsOf } from "./features.js";

const MOST_ROWS = 8; // more are folded
const FEW_SEATS = 10; // of fewer, nothing is claimed

/** A feature: each of its values with how often it occurred and how often it won, the most frequent first. */
export function featureNode(feature) {
  const rows = feature.values.map((value) => ({ ...value, words: wordsOf(feature, value.value) }));
  return rowsNode(featureWords(feature), rows, "wins", averageOf(feature));
}

/** How often all of which a feature is told won. */
const averageOf = ({ seats, values }) => values.reduce((sum, { won }) => sum + won, 0) / seats;

/** Rows of words, seats and a share, which `kind` names: `wins`, or the `share` of the seats. */
export function rowsNode(title, rows, kind, average = null) {
  const more = rows.slice(MOST_ROWS);
  return el(
    "div",
    { class: "feature" },
    tableOf(title, rows.slice(0, MOST_ROWS), kind, average),
    more.length > 0 &&
      el(
        "details",
        { data: { key: title } },
        el("summary", {}, t("stat.more", { n: more.length })),
        tableOf(title, more, kind, average),
      ),
  );
}

const tableOf = (title, rows, kind, average) =>
  el(
    "table",
    { class: "shares" },
    el("caption", {}, title),
    el(
      "thead",
      {},
      el(
        "tr",
        {},
        el("th", { scope: "col" }, t("stat.what")),
        el("th", { scope: "col" }, t(`stat.column.${kind}`)),
        el("th", { scope: "col", class: "number" }, t("stat.seats")),
      ),
    ),
    el("tbody", {}, ...rows.map((row) => rowNode(row, row[kind], average))),
  );

const rowNode = (row, share, average) =>
  el(
    "tr",
    {},
    el("th", { scope: "row" }, row.words),
    el("td", {}, share && row.seats >= FEW_SEATS ? shareNode(share, average) : t("stat.too_few")),
    el("td", { class: "number" }, new Intl.NumberFormat(language).format(row.seats)),
  );

const percent = (share) => new Intl.NumberFormat(language, { style: "percent" }).format(share);

function shareNode(share, average) {
  const [low, high] = [share.low, share.high].map(percent);
  return [
    drawn(share, average),
    el("span", {}, el("strong", {}, percent(share.share)), ` ${t("stat.between", { low, high })}`),
  ];
}

/** The interval as a bar, the share as a stroke in it, and the average as a line through all. */
function drawn({ share, low, high }, average) {
  const bar = (name, from, width, y, height) => svg("rect", { class: name, x: 100 * from, width, y, height });
  return svg(
    "svg",
    { class: "interval", viewBox: "0 0 100 16", preserveAspectRatio: "none", "aria-hidden": "true" },
    bar("interval-all", 0, 100, 7, 2),
    bar("interval-range", low, Math.max(100 * (high - low), 0.8), 3, 10),
    average !== null && bar("interval-average", average, 0.5, 0, 16),
    bar("interval-share", Math.min(share, 0.985), 1.5, 1, 14),
  );
}
