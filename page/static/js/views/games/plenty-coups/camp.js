// A camp: whose it is, its herd, its markers and prestige, what lies beside it, and the raid that stands before it.

import { back, card, drawn } from "../../../cards.js";
import { el, extend } from "../../../dom.js";
import { icon } from "../../../glyphs.js";
import { pair, t } from "../../../i18n.js";
import { mark } from "../../../marks.js";
import { cardName, faceOf, seatName } from "../../../names.js";
import { PARTS } from "../../../state/parts.js";
import { besideCard, smallCards, token, told } from "./tokens.js";

const { camp: CAMP, proposal: PROPOSAL } = PARTS["plenty-coups"];
const HORSES_DRAWN = 9; // of more the figure tells
const HORSES_WITHOUT_POINT = 5; // PC-6.2: each horse beyond them is a point

const tribeName = (tribe) => t(`tribe.${tribe}`);

/** A camp on the plain; it takes what is aimed at a tribe. */
export function campOf(table, tools, index) {
  const camp = table.view.camps[index];
  const seat = table.seats[camp.seat - 1];
  const own = seat && camp.seat === table.seat;
  const player = seat ? seatName(seat) : t("camp.shared");
  const label = pair(tribeName(camp.tribe), player);
  const front = el("div", { class: "front" }, raidOn(table, tools, camp), repelledAt(table, tools, camp));
  const node = el(
    "section",
    {
      class: `camp suit-${camp.tribe}${own ? " own" : ""}`,
      "aria-label": label,
      data: { camp: camp.tribe, campShared: seat ? null : "" },
    },
    el("div", { class: "camp-card" }, head(table, tools, camp, player), goods(table, tools, camp, index)),
    front,
  );
  extend(front, {}, tools.target(node, CAMP, camp.tribe, t("move.this_camp", { camp: tribeName(camp.tribe) })));
  tools.landing(node, CAMP, camp.tribe);
  return node;
}

function head({ view }, tools, camp, player) {
  const answers = view.acting_tribe !== view.turn && view.acting_tribe === camp.tribe;
  const badge = (words, name = "") => el("span", { class: `badge ${name}` }, words);
  return el(
    "div",
    { class: "seat-head" },
    mark(camp.tribe),
    el("h2", {}, tribeName(camp.tribe), el("span", { class: "camp-name" }, ` · ${player}`)),
    view.turn === camp.tribe && tools.at("/view/turn", badge(t("camp.turn"), "acting")),
    answers && tools.at("/view/acting_tribe", badge(t("camp.answers"), "acting")),
  );
}

function goods({ view }, tools, camp, index) {
  const at = (field, node) => tools.at(`/view/camps/${index}/${field}`, node);
  return el(
    "div",
    { class: "goods" },
    at("horses", herd(camp)),
    el("div", { class: "beside" }, ...beside(view, tools, camp, at)),
    el(
      "div",
      { class: "markers" },
      at("off_herd", prestige(camp)),
      at("raid_markers", tokens("raid", camp.raid_markers)),
      at("prestige_markers", tokens("prestige", camp.prestige_markers)),
      camp.extra > 0 && at("extra", told("extra", t("camp.extra_points", { n: camp.extra }), `+${camp.extra}`)),
      away(view, camp),
      at("hand_count", inHand(camp)),
    ),
  );
}

function herd({ horses }) {
  const drawnHorses = Array.from({ length: Math.min(horses, HORSES_DRAWN) }, (_, number) =>
    grazing(number < HORSES_WITHOUT_POINT ? "" : "counted"),
  );
  const figure = el("span", { class: "herd-count" }, String(horses));
  return told("herd", t("horses", { n: horses }), ...(horses ? drawnHorses : [grazing("none")]), figure);
}

const grazing = (name) => el("span", { class: `grazing ${name}` }, icon("horse"));

const prestige = ({ off_herd: points }) =>
  told("prestige", t("camp.prestige", { n: points }), icon("feather"), el("strong", {}, String(points)));

const tokens = (side, count) =>
  told("tokens", t(`camp.${side}_side`, { n: count }), ...Array.from({ length: count }, () => token(side)));

/** Where the markers were that stand on raids: their raids tell of them. */
const away = ({ raids }, { tribe }) =>
  el("span", { class: "tokens", "aria-hidden": "true" }, ...raids.filter((raid) => raid.tribe === tribe).map(emptied));

const emptied = () => token("away");

const inHand = ({ hand_count: count }) =>
  told("in-hand", t("seat.hand", { n: count }), icon("hand"), el("span", {}, String(count)));

/** The ally's warrior behind the camp, proposals and a gift beside the herd, a coup-stick of disdain on it. */
function beside(view, tools, camp, at) {
  const ally = camp.ally && at("ally", allied(camp));
  const disdain = camp.disdained && at("disdained", disdained());
  const made = view.proposals.flatMap((each, number) =>
    each.tribe === camp.tribe ? [tools.at(`/view/proposals/${number}`, proposal(each, tools))] : [],
  );
  const offer = view.offer?.tribe === camp.tribe && tools.at("/view/offer", gift(view.offer));
  return [ally, disdain, ...made, offer];
}

function allied({ ally, ally_card: id }) {
  const label = t("camp.allied", { tribe: tribeName(ally), card: cardName(id) });
  return told("alliance", label, besideCard(drawn(id), ally));
}

const disdained = () => told("disdain", t("camp.disdained"), drawn("coup-stick"));

function proposal(made, tools) {
  const label = t("proposal.told", { tribe: tribeName(made.tribe), to: tribeName(made.to), card: cardName(made.card) });
  const picture = card(faceOf(made.card));
  if (!tools.asks(PROPOSAL, [made.tribe])) return told("proposal", label, besideCard(picture, made.to));
  return el("span", { class: "proposal" }, tools.piece(PROPOSAL, made.tribe, besideCard(picture, made.to), { label }));
}

function gift(offer) {
  const kind = offer.free ? "gift.free" : "gift.told";
  const label = t(kind, { tribe: tribeName(offer.tribe), to: tribeName(offer.to) });
  return told("gift", label, besideCard(offer.give ? drawn(offer.give) : back(offer.tribe), offer.to));
}

/** The raid before a camp: there is at most one (PC-R11). */
function raidOn({ view }, tools, camp) {
  const index = view.raids.findIndex((raid) => raid.target === camp.tribe);
  return index < 0 ? null : tools.at(`/view/raids/${index}`, raidOf(view.raids[index]));
}

function raidOf(raid) {
  const { tribe, target, printed, bonus, attack, round } = raid;
  const strength = bonus ? t("raid.sum", { printed, bonus, attack }) : String(attack);
  const words = t("raid.told", { tribe: tribeName(tribe), target: tribeName(target), strength, round });
  const side = t(`raid.${raid.marker}`);
  const label = [words, side, ...(raid.due ? [t("raid.due")] : [])].join(" ");
  return told(
    `raid suit-${tribe}${raid.due ? " due" : ""}`,
    label,
    el("span", { class: "raider" }, mark(tribe), token(raid.marker)),
    smallCards(raid.cards),
    el("span", { class: "strength" }, el("strong", {}, String(attack)), bonus ? el("small", {}, strength) : null),
    raid.due && el("span", { class: "badge" }, t("raid.returns")),
  );
}

/** A raid that was repelled in this turn, as long as a coup can be marked on it (PC-4.50). */
function repelledAt({ view }, tools, camp) {
  if (!view.repelled || view.turn !== camp.tribe) return null;
  const label = t("raid.repelled", { tribe: tribeName(view.repelled.tribe) });
  const cards = smallCards(view.repelled.cards);
  return tools.at(
    "/view/repelled",
    told(`raid repelled suit-${view.repelled.tribe}`, label, mark(view.repelled.tribe), cards),
  );
}
