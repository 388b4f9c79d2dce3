// How much of a game was luck: what made the lead of each seat, and for one of them where chance changed most.

import { el, item, pressing, row, titled } from "../dom.js";
import { pair, t, together } from "../i18n.js";
import { nameAt } from "../piece-names.js";
import { addressOf } from "../router.js";
import { mostOf } from "./figures.js";
import { marked, meanWords, tableOf, valueWords } from "./parts.js";

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
  const rows = seats.map((each) => {
    const means = [...parts, "adjusted"].map((name) => meanWords("margin", each[name]));
    return row(marked(page, each.seat), [leadWords(each.margin), ...means]);
  });
  const known = seats.filter(({ player }) => player).map(({ seat }) => nameAt(page.table, seat));
  return titled(
    "review-accuracy luck-sums",
    t("luck.sums"),
    tableOf("luck.sums", columns, rows),
    el("p", { class: "hint" }, t("luck.sums_means")),
    known.length > 0 && el("p", { class: "hint" }, t("luck.known", { names: together(known) })),
  );
}

/** Of the seat that the address names, else of the first. */
function moments(page) {
  const { seats } = page.luck;
  const { seat: chosen } = seats.find(({ seat }) => seat === page.choice.eyes) ?? seats[0];
  const numbers = seats.map(({ seat }) => seat);
  const how = { key: "luck", wordsOf: (seat) => marked(page, seat), chosen, press: (eyes) => page.choose({ eyes }) };
  return titled(
    "luck-moments",
    t("luck.most"),
    pressing(t("luck.whose"), "review-figures", numbers, how),
    el("ol", { class: "luck-most" }, ...mostOf(page.luck, chosen).map((each) => item(momentLink(page, each)))),
  );
}

function momentLink(page, { version, change }) {
  const when = version ? t("luck.event", { version }) : t("luck.deal");
  return el("a", { href: addressOf(page.id, Math.max(1, version)) }, pair(when, leadWords(change)));
}
