// Tomahawk: four piles of territories, warriors face to face, specials.

import { back, card, creature } from "../../cards.js";
import { el } from "../../dom.js";
import { icon } from "../../glyphs.js";
import { capital, pair, t } from "../../i18n.js";
import { faceName } from "../../piece-names.js";
import { battle } from "../../state/standing-totals.js";
import { PARTS } from "../../state/composer.js";
import { rowsOf } from "../../state/scores.js";
import { field, horizon } from "./land.js";
import { fact, figure, pile, row, section, sign, told } from "./parts.js";

const { hand: HAND, pile: PILE, special: SPECIAL, swap: SWAP } = PARTS.tomahawk;
const suitOf = (seat) => (seat === 1 ? "tepee" : "totem");
const DRAWN_AS = { plain: "plain", forest: "forest", mountain: "hills" };

export const suits = () => suitOf;

const faceOfCard = (shown) => ({
  id: shown.card,
  glyph: shown.name,
  rank: String(shown.value),
  hair: shown.hair,
  hero: shown.name !== "warrior",
});

/** What a card shows, if the table's document tells it. */
export function face(table, id) {
  const shown = table.view && cardById(table, id);
  return shown && faceOfCard(shown);
}

const cardsKnown = (seat) => [...(seat.faces ?? []), ...(seat.dealt ?? []), ...(seat.hand ?? [])];

const cardsTurnedUp = ({ slots }) => slots.flatMap(({ cards }) => cards.flatMap(({ card }) => card ?? []));

const cardById = ({ view }, id) =>
  [...view.seats.flatMap(cardsKnown), ...view.piles.flatMap(cardsTurnedUp)].find((shown) => shown.card === id);

function named(table, id) {
  const shown = cardById(table, id);
  return shown ? faceName(faceOfCard(shown)) : id;
}

export function nameOf(table, field, value) {
  if (field === "pile") return t("pile", { number: value?.pile ?? value });
  if (field === "keep") return t("instead", { card: named(table, value.card), other: named(table, value.replaces) });
  if (value?.pile) return pair(t("pile", { number: value.pile }), named(table, value.card));
  return named(table, value);
}

export const facts = ({ view }) => [fact(t("turn"), `${view.turn}/6`), fact(t("supply"), view.supply, "minor")];

export const board = (table, tools) => [
  el(
    "div",
    { class: "territories" },
    ...table.view.piles.map((each, index) => pileOf(table, tools, each, `/view/piles/${index}`)),
  ),
];

/** What a seat has, in its line and opened. */
export function seat(table, tools, number) {
  const own = table.view.seats[number - 1];
  const points = rowsOf(table)[number - 1];
  const counts = [
    ["hand", own.hand_count],
    ["pile", own.pile_left],
    ["cemetery", own.cemetery_count],
  ];
  const heaps = counts.filter(([, count]) => count).map(([name, count]) => fact(t(`heap.${name}`), count));
  const animals = [...new Set(own.won.map((land) => land.species))].map((species) =>
    sign(species, pair(capital(t(`card.${species}`)), animalsOf(own, species)), animalsOf(own, species)),
  );
  return {
    hand: own.hand_count,
    chosen: own.decided,
    signs: [
      points && figure("hair", "scalps", points.scalps),
      tools.at(`/view/seats/${number - 1}/won`, el("span", { class: "signs" }, ...animals)),
    ],
    details: [el("div", { class: "facts" }, ...heaps)],
  };
}

/** How many sacred animals of a species a seat has won. */
const animalsOf = ({ won }, species) =>
  won.reduce((sum, land) => sum + (land.species === species ? land.animals : 0), 0);

function pileOf(table, tools, each, pointer) {
  const title = t("pile", { number: each.pile });
  const seats = table.seat === 1 ? [2, 1] : [1, 2]; // one's own below
  const land = each.territory ? territory(each, seats, table.options) : noTerritory(table.view);
  const terrain = each.territory?.terrain;
  const place = tools.place(PILE, each.pile, t("move.here", { place: title }));
  const [theirs, own] = seats.map((seat) => front(table, tools, each, pointer, seat));
  const below = each.below.map((lies) => t("territory.turns", { n: lies.turns })).join(" · ");
  const rest = el("p", { class: "below" }, below ? pair(t("territory.below"), below) : t("territory.last"));
  const node = el(
    "section",
    {
      class: `territory-pile${terrain ? ` land-of-${terrain}` : ""}${place.name}`,
      "aria-label": title,
      on: place.on,
    },
    el("h2", { class: "unseen" }, title),
    terrain && field(DRAWN_AS[terrain]),
    place.button,
    theirs,
    tools.at(`${pointer}/territory`, land),
    own,
    rest,
  );
  return tools.at(pointer, node);
}

const noTerritory = (view) =>
  el("p", { class: "land land-none" }, t(view.phase === "choose_specials" ? "territory.not_yet" : "territory.none"));

/** What is fought over, with its animals to be counted; the sun over it sinks by the turns that were played. */
function territory(each, seats, options) {
  const { territory: land, slots } = each;
  const turns = [el("strong", {}, capital(t(`card.${land.terrain}`))), t("territory.turns", { n: land.turns })];
  const picto =
    land.picto !== "none" &&
    el("span", { class: `picto picto-${land.picto}` }, icon(land.picto), t(`card.${land.picto}`));
  const animals = Array.from({ length: land.animals }, () => creature(land.species));
  return el(
    "div",
    { class: `land land-${land.terrain}` },
    horizon(DRAWN_AS[land.terrain], slots.length / land.turns),
    el("span", { class: "land-words" }, turns, picto),
    told("land-animals", `${land.animals} × ${t(`card.${land.species}`)}`, animals, el("strong", {}, land.animals)),
    totals(each, seats, options),
  );
}

/** The cards of a seat, and a free place for each turn to come on this territory, or on the first before it is turned up. */
function front(table, tools, each, pointer, seat) {
  const suit = suitOf(seat);
  const fought = each.slots.map((slot, number) => {
    const side = slot.cards[seat - 1];
    return tools.at(`${pointer}/slots/${number}/cards/${seat - 1}`, warrior(side.card, suit, side.value, slot.face_up));
  });
  const laid = each.laid.flatMap((lies, number) =>
    lies.seat === seat ? [tools.at(`${pointer}/laid/${number}`, warrior(lies.card, suit, undefined, false))] : [],
  );
  const planned = tools.placed
    .filter(([pile]) => seat === table.seat && pile === each.pile)
    .map(([pile, id]) => tools.piece(tools.lifts ? [] : PILE, pile, card(faceOfCard(cardById(table, id)), suit)));
  const there = [...fought, ...laid, ...planned];
  const free = Math.max(0, ((each.territory ?? each.below[0])?.turns ?? 0) - there.length);
  const places = Array.from({ length: free }, () => el("span", { class: "free-place" }));
  const own = seat === table.seat ? " own" : "";
  return el("div", { class: `front-side${own}` }, row([...there, ...places], "front"));
}

/** Of both sides what the cards face up would come to if the battle ended now. */
function totals({ slots, territory: land }, seats, options) {
  const shown = slots.filter((slot) => slot.face_up);
  if (!shown.length) return null;
  const stands = battle(options, land.picto, shown);
  const total = (seat) => {
    const sum = stands.totals[seat - 1];
    const figure = el("strong", { class: "side-total" }, String(sum));
    return told(`side-sum${seat === stands.winner ? " leads" : ""}`, pair(t("territory.sum"), sum), figure);
  };
  return el("span", { class: "totals" }, ...seats.map(total));
}

/** A warrior in a slot. Its effects may change its value, which then stands below. */
function warrior(shown, suit, value, faceUp) {
  const picture = shown ? card(faceOfCard(shown), suit) : back(suit);
  const changed = faceUp && shown && value !== shown.value ? el("span", { class: "count" }, `→ ${value}`) : null;
  return el("span", { class: `piece${faceUp ? "" : " covered"}` }, picture, changed);
}

/** One's hand; before the game the specials to choose from. */
export function hand(table, tools) {
  if (table.view.phase === "choose_specials") return [specials(table, tools)].filter(Boolean);
  const seat = table.view.seats[table.seat - 1];
  if (!seat?.hand?.length) return [];
  const kept = seat.hand.filter((shown) => !tools.placed.some(([, id]) => id === shown.card));
  const cards = kept.map((shown) =>
    tools.piece(HAND, shown.card, card(faceOfCard(shown), suitOf(table.seat)), { drag: true }),
  );
  const waiting = pile(suitOf(table.seat), seat.pile_left, t("heap.pile"));
  return [
    tools.at(
      `/view/seats/${table.seat - 1}/hand`,
      section("heap heap-hand", t("heap.hand"), row([...cards, waiting].filter(Boolean))),
    ),
  ];
}

/** The three specials dealt; beside a chosen one the warriors that may leave for it, whose place is kept free before. */
function specials(table, tools) {
  const seat = table.view.seats[table.seat - 1];
  if (!seat?.dealt?.length) return null;
  return section(
    "heap specials",
    t("specials.title"),
    row(
      seat.dealt.map((shown) => special(table, tools, shown, seat.faces)),
      "special-row",
    ),
  );
}

function special(table, tools, shown, faces) {
  const suit = suitOf(table.seat);
  const drawn = (face) => card(faceOfCard(face), suit);
  // Whose scalp is worth most goes first; one of several alike stands for all.
  const leaving = faces
    .filter(({ value }) => value === shown.value)
    .sort((one, other) => other.hair - one.hair)
    .map((face) => ({ face, keep: { card: shown.card, replaces: face.card } }));
  for (const { keep } of leaving) tools.offer(SPECIAL, keep);
  const inState = (...states) => leaving.find(({ keep }) => states.includes(tools.stateOf(SPECIAL, keep)));
  const chosen = inState("picked");
  const { keep } = chosen ?? inState("can") ?? inState("swap") ?? leaving[0];
  const differing = leaving.filter(
    (each, index) => each === chosen || leaving.findIndex(({ face }) => face.hair === each.face.hair) === index,
  );
  const swaps = differing.map((each) =>
    tools.piece(chosen ? SWAP : [], each.keep, drawn(each.face), { label: nameOf(table, "keep", each.keep) }),
  );
  return el(
    "div",
    { class: "special" },
    tools.piece(SPECIAL, keep, drawn(shown)),
    el(
      "div",
      { class: chosen ? "" : "kept-free" },
      el("p", { class: "hint" }, t("specials.instead")),
      row(swaps, "small-cards"),
    ),
  );
}
