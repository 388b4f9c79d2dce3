// A line of the log: the sentence of an event, with people by their names and marks, and cards as small pictures.

import { el } from "../dom.js";
import { icon } from "../glyphs.js";
import { t, together } from "../i18n.js";
import { mark } from "../marks.js";
import { faceName, faceOf, nameAt } from "../names.js";
import { cardsOf, spoken } from "../spoken.js";
import { partsOfLine } from "../state/log-line.js";

const parts = ({ live }, event) => partsOfLine(withLevel(event), { isCard: cardsOf(live.game), spoken });

/** An AI player's level by the word that people read. */
function withLevel(event) {
  const level = event.payload?.ai?.level;
  return level ? { ...event, words: event.words.replace(`(${level})`, `(${t(`level.${level}`)})`) } : event;
}

/** The sentence of an event as nodes. */
export function logLine({ state, game }, event) {
  const suitOf = game.suits(state.live);
  const drawn = parts(state, event).map((part) => {
    if (part.seats) return people(state.live, part.seats, suitOf);
    const face = part.card && faceFor(state, game, part);
    return face ? chip(face, part, event.payload.seat && suitOf(event.payload.seat)) : part.text;
  });
  return drawn.map((node, index) => stopped(node, drawn[index + 1], drawn[index - 1]));
}

const isChip = (part) => part?.props?.role === "img";
const stop = (text) => (typeof text === "string" ? /^[,.;:)]*/.exec(text)[0] : "");

/** A part with the stop that follows a chip drawn on the chip's line: a line could begin with a comma otherwise. */
function stopped(node, next, before) {
  if (isChip(node) && stop(next)) return el("span", { class: "unbroken" }, node, stop(next));
  const drawn = isChip(before) ? stop(node) : "";
  return drawn ? node.slice(drawn.length) : node;
}

/** The same as text, for those who hear it. */
export const logLineText = ({ state }, event) =>
  parts(state, event)
    .map((part) => (part.seats ? together(part.seats.map((seat) => nameOf(state.live, seat))) : part.text))
    .join("");

const nameOf = (live, seat) => (live.seats[seat - 1] ? nameAt(live, seat) : String(seat));

function people(live, seats, suitOf) {
  const drawn = seats.map((seat) =>
    el("strong", { class: `person suit-${suitOf(seat)}` }, mark(suitOf(seat)), nameOf(live, seat)),
  );
  return drawn.flatMap((node, index) => (index ? [index === drawn.length - 1 ? t("list.last") : ", ", node] : [node]));
}

function faceFor({ shown, live, log }, game, { card, face }) {
  if (face) return { id: card, glyph: face.name, rank: String(face.value), hair: face.hair };
  return game.face?.(shown ?? live, card) ?? faceOf(card) ?? revealed(log.rows, card);
}

/** A card or territory of Tomahawk that an event has shown. */
function revealed(rows, card) {
  const land = rows.find(({ payload }) => payload?.face === card && payload.species)?.payload;
  if (land) return { id: card, glyph: land.species, rank: String(land.animals), tile: true };
  const slots = rows.flatMap(({ payload }) => payload?.slots?.flatMap((slot) => slot.cards ?? []) ?? []);
  const face = slots.find((each) => each.card === card);
  return face && { id: card, glyph: face.name, rank: String(face.value), hair: face.hair };
}

/** A card within a line of text; pointed at, it lights up on the table. */
function chip(face, { card }, suit) {
  const owner = face.tribe ?? suit;
  const name = faceName(face);
  return el(
    "span",
    {
      class: `chip${face.tile ? " chip-tile" : ""}${owner ? ` suit-${owner}` : ""}`,
      role: "img",
      "aria-label": name,
      title: name,
      data: { lights: card },
    },
    owner && !face.tile && mark(owner),
    icon(face.glyph),
    el("b", {}, face.rank ?? (face.hero ? t(`card.${face.glyph}`) : "")),
  );
}

/** Lights up on the table what a chip stands for. */
export function lightUp(frame, target, on) {
  const card = target.closest?.("[data-lights]")?.dataset.lights;
  if (!card) return;
  for (const node of frame.querySelectorAll("[data-card]"))
    if (node.dataset.card.endsWith(`:${card}`)) node.classList.toggle("lit", on);
}
