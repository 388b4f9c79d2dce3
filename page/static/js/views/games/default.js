// Any game that has no drawing of its own: what its view holds as facts, rows of cards and lists, by the names of its
// fields. What a move takes is offered where it lies; what lies nowhere is chosen by words in the tray.

import { drawn } from "../../cards.js";
import { el } from "../../dom.js";
import { cardName, faceOf } from "../../names.js";
import { words } from "../../words.js";
import { fact, row, section } from "./parts.js";

const ELSEWHERE = new Set(["game", "options", "seat", "players", "phase", "to_act", "over", "scores", "seats"]);
const DEEPEST = 5;

const isList = Array.isArray;
const isPlain = (value) => value === null || typeof value !== "object";
const isFilled = (value) => (isList(value) ? value.length > 0 : value !== null);

export const suits = () => (seat) => seat;

export const nameOf = (_table, _field, value) => told(value);

/** A value in words: a card by its name, a list by its items, a record by its fields. */
function told(value) {
  if (isList(value)) return value.map(told).join(", ");
  if (isPlain(value)) return typeof value === "string" ? nameOfText(value) : String(value ?? "–");
  return Object.entries(value)
    .map(([name, item]) => `${words(name)} ${told(item)}`)
    .join(", ");
}

const nameOfText = (text) => (faceOf(text) ? cardName(text) : words(text));

const fields = (view) => Object.entries(view).filter(([name, value]) => !ELSEWHERE.has(name) && isFilled(value));

export const facts = ({ view }) =>
  fields(view)
    .filter(([, value]) => isPlain(value))
    .map(([name, value]) => fact(words(name), told(value)));

/** Rows and lists of the view; a piece that a move may take can be pressed. */
export function board({ view }, tools) {
  const parts = fields(view).filter(([, value]) => !isPlain(value));
  return [el("div", { class: "plain-table" }, ...parts.map(([name, value]) => part(tools, name, value)))];
}

const part = (tools, name, value) =>
  tools.at(`/view/${name}`, section("plain-part", words(name), shown(tools, value, `/view/${name}`)));

function shown(tools, value, pointer, depth = 0) {
  if (isPlain(value) || depth > DEEPEST) return el("span", {}, told(value));
  if (isList(value) && value.every(isPlain))
    return row(value.map((each, index) => piece(tools, each, `${pointer}/${index}`)));
  const inside = (name, item) => shown(tools, item, `${pointer}/${name}`, depth + 1);
  if (isList(value)) return el("ul", {}, ...value.map((item, index) => el("li", {}, inside(index, item))));
  const rows = Object.entries(value).filter(([, item]) => isFilled(item));
  return el(
    "dl",
    { class: "figures" },
    ...rows.flatMap(([name, item]) => [el("dt", {}, words(name)), el("dd", {}, inside(name, item))]),
  );
}

function piece(tools, value, pointer) {
  const picture = faceOf(value) ? drawn(value) : el("span", { class: "plain-card" }, told(value));
  return tools.at(pointer, tools.piece(takers(tools, value), value, picture));
}

/** The parts of the open moves that may have this value. */
function takers({ composition }, value) {
  const forms = composition?.forms ?? [];
  const takes = ({ moves = [] }, field) => moves.some(({ move }) => [move[field]].flat().includes(value));
  return [...new Set(forms.flatMap((form) => form.fields.filter((field) => takes(form, field))))];
}

/** What is one's own alone lies on the table like everything else. */
export const hand = () => null;

/** What a seat has: the record that the view keeps of it, if it keeps one. */
export function seat({ view }, tools, number) {
  const own = isList(view.seats) ? view.seats[number - 1] : null;
  const pointer = `/view/seats/${number - 1}`;
  return {
    hand: own?.hand_count,
    details: own ? [tools.at(pointer, shown(tools, own, pointer))] : [el("p", { class: "empty" }, "–")],
  };
}
