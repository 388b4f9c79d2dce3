// How much of a game was luck: what made the lead of each seat, and for one of them where chance changed most.

import { button, el } from "../dom.js";
import { capital, pair, t, together } from "../i18n.js";
import { nameAt } from "../names.js";
import { addressOf } from "../router.js";
import { mostOf } from "./figures.js";
import { meanWords, valueWords } from "./numbers.js";
import { marked, tableOf } from "./pieces.js";

const SUMMED = ["expected", "chance", "own", "others", "ruled"];
const leadWords = (value) => valueWords("margin", value);

/** All that is told of the luck of a game. */
export const luckOf = (page) => [
  el("p", { class: "notice" }, t("luck.covers", { worlds: page.luck.worlds })),
  sums(page),
  moments(page),
];

function sums(page) {
  const { seats } = page.luck;
  const parts = SUMMED.filter((name) => name !== "ruled" || seats.some(({ ruled }) => ruled.mean !== 0));
  const columns = ["score.seat", "luck.margin", ...[...parts, "adjusted"].map((name) => `luck.${name}`)];
  const rows = seats.map((row) =>
    el(
      "tr",
      {},
      el("th", { scope: "row" }, ...marked(page, row.seat)),
      el("td", {}, leadWords(row.margin)),
      ...[...parts, "adjusted"].map((name) => el("td", {}, meanWords("margin", row[name]))),
    ),
  );
  const known = seats.filter(({ player }) => player).map(({ seat }) => nameAt(page.table, seat));
  return el(
    "section",
    { class: "review-accuracy luck-sums", "aria-labelledby": "luck-sums" },
    el("h2", { id: "luck-sums" }, t("luck.sums")),
    tableOf(
      t("luck.sums"),
      columns.map((key) => capital(t(key))),
      rows,
    ),
    el("p", { class: "hint" }, t("luck.sums_means")),
    known.length > 0 && el("p", { class: "hint" }, t("luck.known", { names: together(known) })),
  );
}

/** Of the seat that the address names, else of the first. */
function moments(page) {
  const { seats } = page.luck;
  const { seat: chosen } = seats.find(({ seat }) => seat === page.choice.eyes) ?? seats[0];
  const buttons = seats.map(({ seat }) =>
    button(marked(page, seat), () => page.choose({ eyes: seat }), {
      "aria-pressed": String(seat === chosen),
      data: { key: `luck-${seat}` },
    }),
  );
  return el(
    "section",
    { "aria-labelledby": "luck-most" },
    el("h2", { id: "luck-most" }, t("luck.most")),
    el("div", { class: "review-figures", role: "group", "aria-label": t("luck.whose") }, ...buttons),
    el("ol", { class: "luck-most" }, ...mostOf(page.luck, chosen).map((row) => el("li", {}, momentLink(page, row)))),
  );
}

function momentLink(page, { version, change }) {
  const when = version ? t("luck.event", { version }) : t("luck.deal");
  return el("a", { href: addressOf(page.id, Math.max(1, version)) }, pair(when, leadWords(change)));
}
