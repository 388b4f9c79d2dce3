// Big Manitou: tiles on three grounds, cylinders, tiles held.

import { drawn, tile } from "../../cards.js";
import { el } from "../../dom.js";
import { t } from "../../i18n.js";
import { cardName, faceOf } from "../../piece-names.js";
import { PARTS } from "../../state/composer.js";
import { rowsOf } from "../../state/scores.js";
import { grounds, hasChosen, heaps, ownCards } from "./manitou-family.js";
import { fact, figure, row, section, sign } from "./parts.js";

export { next } from "./manitou-family.js";

const { stakes: STAKES, tile: TILE } = PARTS["big-manitou"];
const suitOf = (seat) => seat;

export const suits = () => suitOf;

export const nameOf = (table, field, value) =>
  field === "ground" || field === "to_ground" ? t("ground", { number: value }) : cardName(value);

export const facts = ({ view }) => [
  fact(t("hunt"), `${view.hunt}/${view.hunts}`),
  fact(t("bag"), view.bag_left, "minor"),
];

export const board = (table, tools) => [
  grounds(table, tools, suitOf, "tiles", (ground, pointer) => stakes(ground, tools, pointer)),
];

/** One's cards, and the tiles to pay with when a penalty asks for one. */
export function hand(table, tools) {
  const own = table.view.seats.find((each) => each.seat === table.seat);
  if (!own) return [];
  const paying = tools.asks(TILE, own.tiles)
    ? [
        section(
          "heap paying",
          t("move.discard_tile"),
          row(
            own.tiles.map((id) => tools.piece(TILE, id, drawn(id))),
            "tiles",
          ),
        ),
      ]
    : [];
  return [...paying, ...ownCards(table, tools, suitOf(table.seat))];
}

function stakes(ground, tools, pointer) {
  return ground.tiles.map((id, number) =>
    tools.at(
      `${pointer}/tiles/${number}`,
      tools.asks(STAKES, [id]) ? tools.piece(STAKES, id, drawn(id)) : el("span", { class: "piece" }, drawn(id)),
    ),
  );
}

/** What a seat has, in its line and opened. */
export function seat(table, tools, number) {
  const { view } = table;
  const own = view.seats[number - 1];
  const pointer = `/view/seats/${number - 1}`;
  const points = rowsOf(table)[number - 1];
  return {
    hand: own.hand_count,
    chosen: hasChosen(view, own),
    signs: [points && counted(points), cylinders(view, number)],
    details: [heaps(table, own), tools.at(`${pointer}/tiles`, tilesHeld(own))],
  };
}

/** Bison and tipis, of which the smaller counts (BM-6.1), and tomahawks, of which the most do. */
function counted({ bison_points: bison, tipi_points: tipis, tomahawks, tomahawk_majority: most }) {
  const least = (one, other) => (one < other ? "least" : "");
  return [
    figure("bison", "bison_points", bison, least(bison, tipis)),
    figure("tipi", "tipi_points", tipis, least(tipis, bison)),
    tomahawks > 0 && figure("tomahawk", "tomahawks", tomahawks, most ? "most" : ""),
  ];
}

const cylinders = (view, number) =>
  ["totem", "horse"]
    .filter((kind) => view[`${kind}_cylinder`] === number)
    .map((kind) => sign(kind, t(`cylinder.${kind}`), "", "cylinder"));

/** The tiles of a seat: one of each face, with how many there are. */
function tilesHeld({ tiles }) {
  const names = [...new Set(tiles.map(cardName))];
  const stacks = names.map((name) => {
    const ids = tiles.filter((id) => cardName(id) === name);
    const count = ids.length > 1 && el("span", { class: "count" }, `×${ids.length}`);
    return el("span", { class: "stack", title: `${ids.length} × ${name}` }, tile(faceOf(ids[0])), count);
  });
  return row(stacks, "tiles");
}
