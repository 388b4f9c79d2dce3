// Cards and tiles as SVG. A card says what it is by number, picture and mark; colour only repeats it.

import { extend, svg } from "./dom.js";
import { glyph } from "./glyphs.js";
import { t } from "./i18n.js";
import { markAt } from "./marks.js";
import { faceName, faceOf } from "./names.js";

const WIDTH = 60;
const HEIGHT = 84;
const NAMED = new Set(["horse", "coup-stick", "weapon", "hide-thief"]); // besides the heroes, whose pictures have to be learned

/** A card face up: `face` as names.js reads it, with the mark of its owner or tribe. */
export function card(face, suit) {
  const owner = face.tribe ?? suit;
  return frame("card", faceName(face), WIDTH, HEIGHT, keyOf(face, owner), [
    svg("rect", { class: "paper", x: 1, y: 1, width: WIDTH - 2, height: HEIGHT - 2, rx: 6 }),
    owner &&
      svg("path", {
        class: `band suit-${owner}`,
        d: `M1 ${HEIGHT - 13}h${WIDTH - 2}v6a6 6 0 0 1-6 6H7a6 6 0 0 1-6-6z`,
      }),
    glyph(face.glyph, {
      x: 13,
      y: face.hero || NAMED.has(face.glyph) ? (face.rank ? 24 : 19) : 28,
      size: face.hero && face.rank ? 32 : 36,
      class: face.hero ? "ink hero" : "ink",
    }),
    face.rank && svg("text", { class: "rank", x: 7, y: 23 }, String(face.rank)),
    (face.hero || NAMED.has(face.glyph)) && named(face),
    owner && svg("g", { class: "suited" }, markAt(owner, face.rank ? 42 : 5, 6, 13)),
    ...hair(face.hair),
  ]);
}

/** The name of a hero below its picture, squeezed if it is long. */
function named(face) {
  const name = t(`card.${face.glyph}`);
  return svg(
    "text",
    {
      class: "hero-name",
      x: WIDTH / 2,
      y: 65,
      "text-anchor": "middle",
      textLength: name.length > 8 ? 54 : null,
      lengthAdjust: "spacingAndGlyphs",
    },
    name,
  );
}

function hair(count = 0) {
  return Array.from({ length: count }, (_, number) =>
    glyph("hair", { x: 44, y: 22 + 11 * number, size: 11, class: "ink hair" }),
  );
}

/** The back of a card. */
export const back = (suit, label = t("card.back")) => turned(suit, label, null, markAt(suit, 18, 30, 24));

/** A hero that was turned down: everybody remembers which one it was. */
export function fallen(card, suit) {
  const { glyph: hero } = faceOf(card);
  const label = t("card.fallen", { card: t(`card.${hero}`) });
  const picture = turned(suit, label, keyOf({ id: card }, suit), glyph(hero, { x: 12, y: 24, size: 36 }));
  return extend(picture, { class: "fallen" });
}

function turned(suit, label, key, sign) {
  return frame("card", label, WIDTH, HEIGHT, key, [
    svg("rect", { class: `back suit-${suit}`, x: 1, y: 1, width: WIDTH - 2, height: HEIGHT - 2, rx: 6 }),
    svg("rect", { class: "back-line", x: 6, y: 6, width: WIDTH - 12, height: HEIGHT - 12, rx: 3 }),
    svg("g", { class: "back-mark" }, sign),
  ]);
}

/** A tile: a number above its picture, or the picture alone. */
export function tile(face) {
  return frame("tile", faceName(face), 48, 48, keyOf(face), [
    svg("rect", { class: `stone stone-${face.glyph}`, x: 1, y: 1, width: 46, height: 46, rx: 9 }),
    glyph(face.glyph, face.rank ? { x: 17, y: 17, size: 29, class: "ink" } : { x: 9, y: 9, size: 30, class: "ink" }),
    face.rank && svg("text", { class: "tile-rank", x: 6, y: 20 }, String(face.rank)),
  ]);
}

/** The card or tile with this id. */
export function drawn(id, suit) {
  const face = { ...(faceOf(id) ?? { glyph: id }), id };
  return face.tile ? tile(face) : card(face, suit);
}

/** By what a piece is known again when it lies elsewhere: its owner's suit and its id. */
export const keyOf = ({ id }, owner = "") => (id ? `${owner}:${id}` : null);

function frame(kind, label, width, height, key, parts) {
  const data = { card: key };
  const props = { viewBox: `0 0 ${width} ${height}`, class: kind, role: "img", "aria-label": label, data };
  return svg("svg", props, ...parts);
}
