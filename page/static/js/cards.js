// Cards and tiles as SVG. A card says what it is by number, picture and mark; colour only repeats it.

import { extend, svg } from "./dom.js";
import { drawing, glyph, markAt } from "./glyphs.js";
import { t } from "./i18n.js";
import { faceName, faceOf } from "./piece-names.js";

const WIDTH = 60;
const HEIGHT = 84;
const NAMED = new Set(["horse", "coup-stick", "weapon", "hide-thief"]); // besides the heroes, whose pictures have to be learned

/** A card face up: `face` as piece-names.js reads it, with the mark of its owner or tribe. */
export function card(face, suit) {
  const owner = face.tribe ?? suit;
  return frame(face.hero ? "card hero-card" : "card", faceName(face), [WIDTH, HEIGHT], keyOf(face, owner), owner, [
    art([face.tribe && "raider", face.glyph, !face.hero && face.rank]),
    edge("band"),
    edge("edge"),
    owner && markAt(owner, 5, 26, 12),
    face.rank
      ? svg("text", { class: "rank", x: 5, y: 22 }, face.rank)
      : glyph(face.glyph, { x: 4, y: 5, size: 18, class: "ink" }),
    (face.hero || NAMED.has(face.glyph)) && named(t(`card.${face.glyph}`)),
    face.hair > 0 && art(["hair", face.hair]),
  ]);
}

/** The drawing of a face, by its name and value. */
const art = (names) => drawing(`art-${names.filter(Boolean).join("-")}`, { class: "art" });

const edge = (name) => svg("rect", { class: name, x: 1, y: 1, width: WIDTH - 2, height: HEIGHT - 2, rx: 6 });

/** The name at the foot, in two lines if it is long. */
function named(name) {
  const lines = name.length > 10 ? name.split(/\s(?=\S+$)|(?<=-)/) : [name];
  const top = HEIGHT - 4 - 9.5 * lines.length;
  return svg(
    "g",
    { class: "name" },
    svg("path", { class: "plate", d: `M1 ${top}h${WIDTH - 2}v${HEIGHT - top - 7}a6 6 0 0 1-6 6H7a6 6 0 0 1-6-6z` }),
    lines.map((line, number) => svg("text", { x: WIDTH / 2, y: top + 9 + 9.5 * number }, line)),
  );
}

/** The back of a card. */
export const back = (suit, label = t("card.back")) => turned(suit, label, null, markAt(suit, 18, 30, 24));

/** A hero that was turned down: everybody remembers which one it was. */
export function fallen(card, suit) {
  const { glyph: hero } = faceOf(card);
  const label = t("card.fallen", { card: t(`card.${hero}`) });
  const picture = turned(suit, label, keyOf({ id: card }, suit), glyph(hero, { x: 16, y: 28, size: 28 }));
  return extend(picture, { class: "fallen" });
}

const turned = (suit, label, key, sign) =>
  frame("card", label, [WIDTH, HEIGHT], key, suit, [
    art(["back"]),
    edge("edge"),
    svg("g", { class: "back-mark" }, sign),
  ]);

/** A tile: a number above its picture, or the picture alone. */
export function tile(face) {
  return frame("tile", faceName(face), [48, 48], keyOf(face), null, [
    art(["tile", face.glyph, face.rank]),
    svg("rect", { class: "edge", x: 1, y: 1, width: 46, height: 46, rx: 9 }),
    face.rank && svg("text", { class: "rank", x: 5, y: 18 }, face.rank),
  ]);
}

/** An animal, to be counted with others of its kind. */
export const creature = (name) => svg("svg", { viewBox: "0 0 48 40", class: "creature" }, drawing(`bit-${name}`));

/** The card or tile with this id. */
export function drawn(id, suit) {
  const face = { ...(faceOf(id) ?? { glyph: id }), id };
  return face.tile ? tile(face) : card(face, suit);
}

/** By what a piece is known again when it lies elsewhere: its owner's suit and its id. */
export const keyOf = ({ id }, owner = "") => (id ? `${owner}:${id}` : null);

function frame(kind, label, [width, height], key, suit, parts) {
  const props = { viewBox: `0 0 ${width} ${height}`, class: suit ? `${kind} suit-${suit}` : kind, role: "img" };
  return svg("svg", { ...props, "aria-label": label, data: { card: key } }, ...parts);
}
