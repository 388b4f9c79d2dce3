// What a seat may believe of the cards that it does not see: a bar a card, for each place that is hidden from it.

import { api } from "../api.js";
import { el, extend, field, select, svg } from "../dom.js";
import { t } from "../i18n.js";
import { cardName, faceName, nameAt } from "../names.js";
import { advice } from "./asking.js";
import { shareWords } from "./numbers.js";

const MOST_CARDS = 8; // more are folded
const TELLING = /^(\w+)-(\d+)-(\d+)$/; // a warrior of Tomahawk by what it shows: name, value, hair
const LAND = /^T\d+$/;
const OWNERS = {
  seats: (table, at) => nameAt(table, at + 1),
  camps: ({ view }, at) => t(`tribe.${view.camps[at].tribe}`),
};
const NUMBERED = { piles: "pile", grounds: "ground" };

/** The bars, in the eyes of the seat that is chosen: at first of the one whose decision it is. */
export function beliefsNode(page) {
  const { table, decision, choice, beliefs } = page;
  const seat = choice.eyes && choice.eyes <= table.seats.length ? choice.eyes : decision.seat;
  const rows = table.seats.map((each) => [String(each.seat), nameAt(table, each.seat)]);
  const change = ({ target }) => page.choose({ eyes: Number(target.value) });
  const eyes = extend(select("believer", rows, String(seat)), { on: { change } });
  const [at, name] = [decision.version - 1, `${decision.version - 1}-${seat}`];
  if (beliefs?.name !== name) ask(page, { name, at, seat });
  return el(
    "section",
    { class: "review-beliefs", "aria-labelledby": "beliefs" },
    el("h3", { id: "beliefs" }, t("review.beliefs")),
    el("p", { class: "hint" }, t("review.beliefs_mean")),
    field(t("eyes"), eyes),
    ...content(page),
  );
}

/** Reads them, once a moment and seat. */
async function ask(page, { name, at, seat }) {
  page.beliefs = { name };
  try {
    const { places } = await api.get(`/v1/tables/${page.id}/beliefs?at=${at}&seat=${seat}`);
    if (page.beliefs.name === name) page.beliefs = { name, places: places.filter(({ cards }) => cards.length) };
  } catch (problem) {
    if (page.beliefs.name === name) page.beliefs = { name, problem };
  }
  page.draw();
}

function content({ beliefs: { places, problem }, shown }) {
  if (problem) return [el("p", { class: "refusal", role: "alert" }, ...advice(problem))];
  if (!places) return [el("p", { class: "empty", role: "status" }, t("plot.loading"))];
  if (!places.length) return [el("p", { class: "empty" }, t("review.nothing_hidden"))];
  return places.map((place) => placeNode(shown.document, place));
}

function placeNode(document, { path, cards }) {
  const title = placeWords(document, path);
  const folded = cards.slice(MOST_CARDS);
  return el(
    "div",
    { class: "review-place" },
    el("h4", {}, title),
    bars(document.game, cards.slice(0, MOST_CARDS)),
    folded.length > 0 &&
      el(
        "details",
        { data: { key: `more-${path}` } },
        el("summary", {}, t("review.more_cards", { n: folded.length })),
        bars(document.game, folded),
      ),
  );
}

const bars = (game, cards) => el("ul", {}, ...cards.map((card) => el("li", {}, ...bar(game, card))));

const bar = (game, { card, likelihood }) => [
  el("span", {}, cardWords(game, card)),
  svg(
    "svg",
    { viewBox: "0 0 100 10", preserveAspectRatio: "none", class: "interval", "aria-hidden": "true" },
    svg("rect", { class: "interval-all", x: 0, y: 0, width: 100, height: 10 }),
    svg("rect", { class: "interval-share", x: 0, y: 0, width: (100 * likelihood).toFixed(1), height: 10 }),
  ),
  el("span", { class: "number" }, shareWords(likelihood)),
];

/** A hidden card by what it shows. */
export function cardWords(game, card) {
  if (game !== "tomahawk") return cardName(card);
  if (LAND.test(card)) return t("review.territory", { id: card });
  const [, name, value, hair] = TELLING.exec(card);
  return faceName({ glyph: name, rank: value, hair: Number(hair) });
}

/** A place by whose or which it is: "Hand of Ann", "Territory 2: face-down cards". */
export function placeWords(document, path) {
  const [name, number, ...rest] = path.slice(1).split("/");
  const inside = OWNERS[name] || NUMBERED[name] ? rest[0] : name;
  const kind = t(`review.place.${inside ?? name}`);
  if (OWNERS[name] && rest.length) return t("review.place_of", { place: kind, name: OWNERS[name](document, number) });
  if (NUMBERED[name] && rest.length) {
    const where = t(NUMBERED[name], { number: Number(number) + 1 });
    return t("review.place_at", { place: kind, where });
  }
  return kind;
}
