// A camp: its tipi, its herd, its prestige, what lies beside it, and the raid that stands before it.

import { back, card, drawn } from "../../../cards.js";
import { el, extend, svg } from "../../../dom.js";
import { icon, mark, markAt } from "../../../glyphs.js";
import { pair, t } from "../../../i18n.js";
import { cardName, faceOf, nameAt } from "../../../piece-names.js";
import { PARTS } from "../../../state/composer.js";
import { sign, told } from "../parts.js";
import { inside, standing } from "./lanes.js";

const { camp: CAMP, proposal: PROPOSAL } = PARTS["plenty-coups"];
const HORSES_WITHOUT_POINT = 5; // PC-6.2: each horse beyond them is a point
const FEATHERS = 4; // PC-1.5

const tribeName = (tribe) => t(`tribe.${tribe}`);

/** Horses side by side, by fives so that they can be counted. */
export const herd = (count, from = count) =>
  Array.from({ length: count }, (_, number) =>
    el("span", { class: `grazing${number < from ? "" : " counted"}` }, icon("horse")),
  );

/** A camp on the plain with what stands before it; it takes what is aimed at a tribe. */
export function campOf(table, tools, index, place) {
  const { view } = table;
  const camp = view.camps[index];
  const seat = table.seats[camp.seat - 1];
  const at = (field, node) => tools.at(`/view/camps/${index}/${field}`, node);
  const name = tribeName(camp.tribe);
  const aimed = tools.place(CAMP, camp.tribe, t("move.this_camp", { camp: name }));
  const node = el(
    "section",
    {
      class: `camp suit-${camp.tribe}${seat && camp.seat === table.seat ? " own" : ""}${aimed.name}`,
      style: inside(place.camp),
      "aria-label": pair(name, seat ? nameAt(table, camp.seat) : t("camp.shared")),
      data: { camp: camp.tribe, campShared: seat ? null : "" },
      on: aimed.on,
    },
    aimed.button,
    tipi(camp.tribe),
    el("h2", {}, name),
    ...turn(view, tools, camp),
    at(
      "horses",
      told("herd", t("horses", { n: camp.horses }), ...herd(camp.horses, HORSES_WITHOUT_POINT), number(camp.horses)),
    ),
    at("off_herd", prestige(camp)),
    camp.extra > 0 && at("extra", told("extra", t("camp.extra_points", { n: camp.extra }), `+${camp.extra}`)),
    !seat && at("hand_count", sign("hand", t("seat.hand", { n: camp.hand_count }), camp.hand_count)),
    el("span", { class: "beside" }, ...beside(view, tools, camp, at)),
  );
  return [node, raidOn(view, tools, camp, place), repelledAt(view, tools, camp, place)];
}

const number = (count) => el("strong", {}, String(count));

const tipi = (tribe) =>
  svg(
    "svg",
    { class: "tipi", viewBox: "0 0 48 48", "aria-hidden": "true" },
    svg("path", { class: "poles", d: "M19 2l5 9 5-9M24 1v10" }),
    svg("path", { class: "hide", d: "M24 8 45 46H3z" }),
    svg("path", { class: "door", d: "M24 30l6 16H18z" }),
    markAt(tribe, 18, 17, 12),
  );

const fire = () =>
  svg(
    "svg",
    { class: "icon", viewBox: "0 0 48 48" },
    svg("path", { d: "M27 2c3 11 13 15 13 28 0 9-7 16-16 16S8 39 8 30c0-7 4-11 7-16 1 5 3 7 5 8 1-8 2-14 7-20z" }),
  );

/** A fire at the camp whose turn it is; who has to answer meanwhile is said in words. */
function turn(view, tools, { tribe }) {
  const answers = view.acting_tribe !== view.turn && view.acting_tribe === tribe;
  return [
    view.turn === tribe && tools.at("/view/turn", told("fire", t("camp.turn"), fire())),
    answers && tools.at("/view/acting_tribe", el("span", { class: "badge acting" }, el("span", {}, t("camp.answers")))),
  ];
}

/** Prestige as feathers on a stick, with a notch for each that is still to be won. */
const prestige = ({ off_herd: points, extra }) =>
  told(
    "prestige",
    t("camp.prestige", { n: points }),
    ...Array.from({ length: FEATHERS }, (_, place) =>
      place < points - extra ? el("span", { class: "feather" }, icon("feather")) : el("span", { class: "notch" }),
    ),
  );

/** The ally's warrior, proposals, a gift, and a coup-stick of disdain. */
function beside(view, tools, camp, at) {
  const made = view.proposals.flatMap((each, index) =>
    each.tribe === camp.tribe ? [tools.at(`/view/proposals/${index}`, proposal(each, tools))] : [],
  );
  return [
    camp.ally && at("ally", allied(camp)),
    camp.disdained && at("disdained", told("disdain", t("camp.disdained"), drawn("coup-stick"))),
    ...made,
    view.offer?.tribe === camp.tribe && tools.at("/view/offer", gift(view.offer)),
  ];
}

/** A card with the mark of the tribe that it is meant for. */
const meantFor = (tribe, picture) => [picture, el("span", { class: "meant" }, mark(tribe))];

function allied({ ally, ally_card: id }) {
  const label = t("camp.allied", { tribe: tribeName(ally), card: cardName(id) });
  return told("alliance", label, ...meantFor(ally, drawn(id)));
}

function proposal({ tribe, to, card: id }, tools) {
  const label = t("proposal.told", { tribe: tribeName(tribe), to: tribeName(to), card: cardName(id) });
  const picture = meantFor(to, card(faceOf(id)));
  if (!tools.asks(PROPOSAL, [tribe])) return told("proposal", label, ...picture);
  return el("span", { class: "proposal" }, tools.piece(PROPOSAL, tribe, el("span", {}, ...picture), { label }));
}

function gift({ tribe, to, free, give }) {
  const label = t(free ? "gift.free" : "gift.told", { tribe: tribeName(tribe), to: tribeName(to) });
  return told("gift", label, ...meantFor(to, give ? drawn(give) : back(tribe)));
}

/** The raid before a camp: there is at most one (PC-R11). Its arrow comes from the raider's camp. */
function raidOn({ raids }, tools, { tribe: target }, place) {
  const index = raids.findIndex((raid) => raid.target === target);
  if (index < 0) return null;
  const { tribe, printed, bonus, attack, round, marker, due, cards } = raids[index];
  const strength = bonus ? t("raid.sum", { printed, bonus, attack }) : attack;
  const label = [
    t("raid.told", { tribe: tribeName(tribe), target: tribeName(target), strength, round }),
    t(`raid.${marker}`),
    ...(due ? [t("raid.due")] : []),
  ].join(" ");
  return tools.at(`/view/raids/${index}`, standingAt(place, due ? "due" : "", label, number(attack), cardsOf(cards)));
}

/** A raid that was repelled in this turn, as long as a coup can be marked on it (PC-4.50). */
function repelledAt({ repelled, turn }, tools, { tribe }, place) {
  if (!repelled || turn !== tribe) return null;
  const label = t("raid.repelled", { tribe: tribeName(repelled.tribe) });
  return tools.at(
    "/view/repelled",
    standingAt(place, "repelled", label, mark(repelled.tribe), cardsOf(repelled.cards)),
  );
}

const standingAt = (place, name, label, ...pictures) =>
  extend(told(`raid ${name}`, label, ...pictures), { style: standing(place.raid) });

const cardsOf = (cards) => el("span", { class: "small-cards" }, ...cards.map((id) => drawn(id)));
