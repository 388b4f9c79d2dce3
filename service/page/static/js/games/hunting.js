// What Big Manitou and Manitou share: three hunting grounds, parties, hands and trials between heroes.

import { back, drawn } from "../cards.js";
import { el } from "../dom.js";
import { t } from "../i18n.js";
import { mark } from "../marks.js";
import { seatName } from "../names.js";
import { fact, row, section } from "./parts.js";

const HAND = ["card"];
const POOL = ["cards"];

/** The grounds; `stakes(ground, pointer)` draws what lies there to be won. */
export function grounds(table, tools, suitOf, stakes) {
  const drawnGrounds = table.view.grounds.map((ground, index) => {
    const pointer = `/view/grounds/${index}`;
    const title = t("ground", { number: ground.ground });
    const node = section("ground", title, tools.at(`${pointer}/stakes`, row(stakes(ground, pointer), "stakes")));
    const sides = ground.sides.map((side, number) => sideOf(table, tools, suitOf, side, `${pointer}/sides/${number}`));
    node.append(el("div", { class: "sides" }, ...sides));
    const lay = tools.target(node, ["ground", "to_ground"], ground.ground, t("move.here", { place: title }));
    if (lay) node.append(lay);
    tools.landing(node, ["ground", "to_ground"], ground.ground);
    return tools.at(pointer, node);
  });
  return el("div", { class: "grounds" }, ...drawnGrounds);
}

function sideOf(table, tools, suitOf, side, pointer) {
  const own = side.seat === table.seat;
  const suit = suitOf(side.seat);
  const cards = side.cards.map((laid, number) => {
    const picture = laid.face_up ? drawn(laid.card, suit) : fallen(laid.card, suit);
    const piece = own ? tools.piece(["card"], laid.card, picture, { drag: true }) : el("span", { class: "piece" }, picture);
    return tools.at(`${pointer}/cards/${number}`, piece);
  });
  const name = seatName(table.seats[side.seat - 1]);
  const owner = el("span", { class: "owner", title: name }, mark(suit), el("span", { class: "unseen" }, name));
  return tools.at(pointer, el("div", { class: `side${own ? " own" : ""}` }, owner, row(cards, "laid")));
}

/** A hero that was turned down: a back, but everybody remembers which one it was. */
function fallen(card, suit) {
  const picture = back(suit, t("card.fallen", { card: t(`card.${card.split("-")[0]}`) }));
  picture.classList.add("fallen");
  return picture;
}

/** One's own cards: the hand to play from, the reserve to choose a party from. */
export function ownCards(table, tools, suit) {
  const index = table.view.seats.findIndex((seat) => seat.seat === table.seat);
  if (index < 0) return null;
  const own = table.view.seats[index];
  const heaps = [
    ["hand", HAND, { ask: true, drag: true }],
    ["party", [], {}],
    ["reserve", POOL, {}],
    ["pile", [], {}],
  ];
  const parts = heaps
    .filter(([name]) => own[name]?.length)
    .map(([name, fields, how]) => {
      const cards = own[name].map((card) => tools.piece(fields, card, drawn(card, suit), how));
      const title = `${t(`heap.${name}`)} (${cards.length})`;
      const asked = own[name].some((card) => tools.composer?.may(fields, card) || tools.composer?.picks(fields, card));
      return tools.at(`/view/seats/${index}/${name}`, name === "hand" || asked ? section(`heap heap-${name}`, title, row(cards)) : folded(name, title, cards));
    });
  return el("div", { class: "own-cards" }, ...parts);
}

/** Cards that one may look at but has nothing to do with now. */
const folded = (name, title, cards) => el("details", { class: `heap heap-${name}` }, el("summary", {}, title), row(cards));

/** What everybody may know of a seat's hidden cards. */
export function heaps(seat, suit) {
  const counts = [["hand", seat.hand_count], ["pile", seat.pile_count], ["party", seat.party_count], ["reserve", seat.reserve_count]];
  const shown = counts.filter(([, count]) => count).map(([name, count]) => fact(t(`heap.${name}`), count));
  return el("div", { class: "facts" }, ...shown);
}

/** During a secret choice: who has chosen; who has still to choose is marked as acting. */
export const chosen = (view, seat) =>
  view.phase === "party" && seat.party_chosen ? el("span", { class: "badge done" }, t("seat.chosen")) : null;
