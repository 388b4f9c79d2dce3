// Big Manitou: tiles on three grounds, cylinders, tiles held.

import { drawn, tile } from "../cards.js";
import { el } from "../dom.js";
import { icon } from "../glyphs.js";
import { t } from "../i18n.js";
import { cardName, faceOf } from "../names.js";
import { chosen, grounds, heaps, ownCards } from "./hunting.js";
import { fact, row, seats, section } from "./parts.js";

const suitOf = (seat) => seat;

export const suits = () => suitOf;

export const nameOf = (table, field, value) => (field === "ground" || field === "to_ground" ? t("ground", { number: value }) : cardName(value));

/** The whole table. */
export function draw(table, tools) {
  const { view } = table;
  return [
    el("p", { class: "stage" }, fact(t("hunt"), `${view.hunt}/${view.hunts}`), view.phase && fact(t("phase"), t(`phase.${view.phase}`)), fact(t("bag"), view.bag_left)),
    seats(table, suitOf, (number) => seatOf(table, tools, number)),
    grounds(table, tools, suitOf, (ground, pointer) => stakes(ground, tools, pointer)),
    ownCards(table, tools, suitOf(table.seat)),
  ];
}

function stakes(ground, tools, pointer) {
  return ground.tiles.map((id, number) => tools.at(`${pointer}/tiles/${number}`, tools.piece(["tiles"], id, drawn(id))));
}

function seatOf(table, tools, number) {
  const { view } = table;
  const seat = view.seats[number - 1];
  const pointer = `/view/seats/${number - 1}`;
  return [
    el("div", { class: "badges" }, chosen(view, seat), view.dealer === number && el("span", { class: "badge" }, t("dealer")), ...cylinders(view, number)),
    heaps(seat),
    tools.at(`${pointer}/tiles`, number === table.seat ? ownTiles(seat, tools) : tilesHeld(seat)),
  ];
}

const cylinders = (view, seat) =>
  ["totem", "horse"]
    .filter((kind) => view[`${kind}_cylinder`] === seat)
    .map((kind) => el("span", { class: "badge cylinder" }, icon(kind), " ", t(`cylinder.${kind}`)));

/** The tiles of another seat: one of each face, with how many there are. */
function tilesHeld(seat) {
  const faces = Map.groupBy(seat.tiles, (id) => cardName(id));
  const stacks = [...faces].map(([name, ids]) =>
    el("span", { class: "stack", title: `${ids.length} × ${name}` }, tile(faceOf(ids[0])), ids.length > 1 && el("span", { class: "count" }, `×${ids.length}`)),
  );
  return row(stacks, "tiles");
}

function ownTiles(seat, tools) {
  const asked = seat.tiles.some((id) => tools.composer?.may(["tile"], id));
  if (!asked) return tilesHeld(seat);
  return section("paying", t("move.discard_tile"), row(seat.tiles.map((id) => tools.piece(["tile"], id, drawn(id))), "tiles"));
}
