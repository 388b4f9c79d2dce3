// What Big Manitou and Manitou share: three hunting grounds, parties, hands and trials between heroes.

import { drawn, fallen } from "../../cards.js";
import { el, unseen } from "../../dom.js";
import { capital, pair, t } from "../../i18n.js";
import { mark } from "../../glyphs.js";
import { nameAt } from "../../piece-names.js";
import { contest, force } from "../../state/standing-totals.js";
import { PARTS } from "../../state/composer.js";
import { field, horizon } from "./land.js";
import { fact, pile, row, section, told } from "./parts.js";

const { hand: HAND, reserve: RESERVE, laid: LAID, ground: GROUND } = PARTS.manitou;
const HEAPS = [
  ["hand", HAND],
  ["party", []],
  ["reserve", RESERVE],
  ["pile", []],
];

const LANDS = ["plain", "river", "hills"];

/** The grounds; `stakes(ground, pointer)` draws what lies there to be won, of which there are `kind`: tiles or cards. */
export function grounds(table, tools, suitOf, kind, stakes) {
  const found = table.view.grounds.map((ground, index) => {
    const pointer = `/view/grounds/${index}`;
    const title = t("ground", { number: ground.ground });
    const prize = tools.at(`${pointer}/stakes`, row(stakes(ground, pointer), "stakes"));
    const place = tools.place(GROUND, ground.ground, t("move.here", { place: title }));
    const standing = contest(ruled(table), ground);
    const sides = ownLast(ground.sides, table.seat).map(([side, number]) =>
      sideOf(table, tools, suitOf, side, sumOf(standing, side.seat, kind), `${pointer}/sides/${number}`),
    );
    const node = el(
      "section",
      { class: `ground land-of-${LANDS[index]}${place.name}`, "aria-label": title, on: place.on },
      field(LANDS[index]),
      place.button,
      el("header", { class: "ground-head" }, horizon(LANDS[index]), el("h2", {}, title), prize),
      el("div", { class: "sides" }, ...sides),
    );
    return tools.at(pointer, node);
  });
  return el("div", { class: `grounds seats-${table.seats.length}` }, ...found);
}

/** A view with the house rules by which it is counted. */
const ruled = ({ view, options }) => ({ ...view, options });

/** The sides with their places, one's own nearest. */
const ownLast = (sides, seat) =>
  sides.map((side, number) => [side, number]).sort(([one], [other]) => (one.seat === seat) - (other.seat === seat));

function sideOf(table, tools, suitOf, side, sum, pointer) {
  const own = side.seat === table.seat;
  const suit = suitOf(side.seat);
  const cards = side.cards.map((laid, number) => {
    const picture = laid.face_up ? drawn(laid.card, suit) : fallen(laid.card, suit);
    const asked = own && tools.asks(LAID, [laid.card]);
    const piece = asked
      ? tools.piece(LAID, laid.card, picture, { drag: true })
      : el("span", { class: "piece" }, picture);
    return tools.at(`${pointer}/cards/${number}`, piece);
  });
  const name = nameAt(table, side.seat);
  const owner = el("span", { class: "owner", title: name }, mark(suit), unseen(name));
  return tools.at(pointer, el("div", { class: `side${own ? " own" : ""}` }, owner, row(cards, "laid"), sum));
}

/** The total of a seat on a ground, how it compares, and how much would be taken if the hunt ended now. */
function sumOf({ totals, tied, first, takes }, seat, kind) {
  const [total, taken] = [totals.get(seat), takes.get(seat)];
  const place = (first === seat && "leads") || (tied.includes(seat) && "tied") || "";
  const words = [
    total !== undefined && pair(t("ground.strength"), total),
    place && t(`ground.${place}`),
    taken && t(`ground.takes.${kind}`, { n: taken }),
  ].filter(Boolean);
  if (!words.length) return null;
  const figure = total !== undefined && el("strong", { class: "side-total" }, String(total));
  const signs = taken && el("span", { class: `takes of-${kind}` }, ...Array.from({ length: taken }, () => el("span")));
  return told(`side-sum ${place}`, words.join(" · "), figure, signs);
}

/** One's own cards: the hand to play from, the reserve to choose a party from; what is not asked for is folded. */
export function ownCards(table, tools, suit) {
  const index = table.view.seats.findIndex((seat) => seat.seat === table.seat);
  const own = table.view.seats[index];
  if (!own?.hand) return [];
  return HEAPS.filter(([name]) => own[`${name}_count`]).map(([name, fields]) => {
    if (!own[name]) return unseenHeap(name, own[`${name}_count`], suit);
    const open = name === "hand" || tools.asks(fields, own[name]);
    const cards = own[name].map((card) =>
      tools.piece(open ? fields : [], card, drawn(card, suit), { drag: name === "hand" }),
    );
    const title = `${t(`heap.${name}`)} (${cards.length})`;
    return tools.at(
      `/view/seats/${index}/${name}`,
      open ? section(`heap heap-${name}`, title, row(cards)) : folded(name, title, cards),
    );
  });
}

/** Cards of one's own that one has not looked at: a party drawn blind and what it left in the reserve (BM-R5). */
const unseenHeap = (name, count, suit) =>
  section(`heap heap-${name}`, t(`heap.${name}`), row([pile(suit, count, t("heap.unseen"))]));

/** Cards that one may look at but has nothing to do with now. */
const folded = (name, title, cards) =>
  el(
    "details",
    { class: `heap heap-${name} folded`, data: { key: `heap-${name}` } },
    el("summary", {}, title),
    row(cards),
  );

/** What everybody may know of a seat's hidden cards, and its force, by which the penalty falls. */
export function heaps(table, seat) {
  const counts = HEAPS.map(([name]) => [t(`heap.${name}`), seat[`${name}_count`]]);
  const known = [...counts, [t("ground.force"), force(ruled(table), seat.seat)]];
  const shown = known.filter(([, count]) => count).map(([name, count]) => fact(name, count));
  const dealer = table.view.dealer === seat.seat && el("span", {}, capital(t("dealer")));
  return el("div", { class: "facts" }, ...shown, dealer);
}

/** The seat to act after the one that lays a card: the next with cards left. */
export function next({ view: { phase: now, turn_order: order, to_act: acting, seats } }) {
  if (now !== "play") return null;
  const at = order.indexOf(acting[0]);
  const hasCards = (seat) => seats[seat - 1].hand_count + seats[seat - 1].pile_count > 0;
  return [...order.slice(at + 1), ...order.slice(0, at)].find(hasCards);
}

/** During a secret choice: whether the seat has chosen. */
export const hasChosen = (view, seat) => view.phase === "party" && seat.party_chosen;
