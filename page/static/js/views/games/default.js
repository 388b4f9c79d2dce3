// Any game that has no drawing of its own: what its view holds as facts, rows of cards and lists, by the names of its
// fields. What a move takes is offered where it lies; what lies nowhere is chosen by words in the tray.

import { drawn } from "../../cards.js";
import { el, item } from "../../dom.js";
import { pair } from "../../i18n.js";
import { mark } from "../../glyphs.js";
import { cardName, faceOf, nameAt } from "../../piece-names.js";
import { values as valuesOf } from "../../state/composer.js";
import { words } from "../../help-words.js";
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

/** A list with an item for each seat, as far as a look tells: what others keep to themselves is null there. */
const isOfSeats = (value, { seats }) => isList(value) && value.length === seats.length && value.includes(null);

/** Whether a part of the view is a list that has nothing but one's own. */
const isOwn = (table, value) =>
  isOfSeats(value, table) &&
  value.every((item, index) => (index === table.view.seat - 1 ? isList(item) && item.length > 0 : item === null));

const partsOf = (table, own) =>
  fields(table.view).filter(([, value]) => !isPlain(value) && isOwn(table, value) === own);

/** Rows and lists of the view, without those that lie in the tray; a piece that a move may take can be pressed. */
export function board(table, tools) {
  const parts = partsOf(table, false).map(([name, value]) =>
    tools.at(
      `/view/${name}`,
      section("plain-part", words(name), shown({ table, tools, name }, value, `/view/${name}`)),
    ),
  );
  return [el("div", { class: "plain-table" }, ...parts)];
}

/** What one has alone: a hand, in games that have one. */
export const hand = (table, tools) =>
  partsOf(table, true).map(([name, value]) => {
    const index = table.view.seat - 1;
    const pieces = shown({ table, tools, name }, value[index], `/view/${name}/${index}`);
    return tools.at(`/view/${name}`, section("heap heap-hand", words(name), pieces));
  });

function shown(part, value, pointer, depth = 0) {
  if (isPlain(value) || !isFilled(value) || depth > DEEPEST) return el("span", {}, told(value) || "–");
  const inside = (name, each) => shown(part, each, `${pointer}/${name}`, depth + 1);
  if (isOfSeats(value, part.table))
    return el("ul", {}, ...value.map((each, index) => ofSeat(part, index + 1, inside(index, each))));
  if (isList(value) && value.every(isPlain)) return pieces(part, value, pointer);
  if (isList(value)) return el("ol", {}, ...value.map((each, index) => item(inside(index, each))));
  const rows = Object.entries(value).filter(([, each]) => isFilled(each));
  return el(
    "dl",
    { class: "figures" },
    ...rows.flatMap(([name, each]) => [el("dt", {}, words(name)), el("dd", {}, inside(name, each))]),
  );
}

const ofSeat = ({ table }, number, content) =>
  item(el("span", { class: "plain-owner" }, mark(number), ` ${nameAt(table, number)}`), content);

/** A row of cards; where a number says little, its button says of what. */
function pieces({ table, tools, name }, values, pointer) {
  const takers = takersOf(table, tools, pointer);
  const drawnOf = (value, index) => {
    const fieldsOf = takers.filter((taker) => taker.values.includes(value)).map(({ field }) => field);
    const picture = faceOf(value) ? drawn(value) : el("span", { class: "plain-card" }, told(value));
    const label = faceOf(value) ? null : pair(words(name), told(value));
    return tools.at(`${pointer}/${index}`, tools.piece(fieldsOf, value, picture, { label }));
  };
  return row(values.map(drawnOf));
}

/** The lists of a value, each with its pointer. */
function listsIn(value, pointer) {
  if (isPlain(value)) return [];
  if (isList(value) && value.every(isPlain)) return [[pointer, value]];
  return Object.entries(value).flatMap(([name, each]) => listsIn(each, `${pointer}/${name}`));
}

/** The parts of the open moves that are picked from a list: where one has all their values, the first such, else any. */
function takersOf(table, { composition }, pointer) {
  const lists = [true, false].flatMap((own) =>
    partsOf(table, own).flatMap(([name, value]) => listsIn(value, `/view/${name}`)),
  );
  const parts = (composition?.forms ?? []).flatMap((form) =>
    form.fields.map((field) => ({ field: `${form.type}.${field}`, values: valuesOf(form, field) })),
  );
  return parts.filter(({ values }) => {
    const source = lists.find(([, list]) => values.every((value) => list.includes(value)));
    return !source || source[0] === pointer;
  });
}

/** What a seat has: the record that the view keeps of it, if it keeps one. */
export function seat(table, tools, number) {
  const { view } = table;
  const own = isList(view.seats) ? view.seats[number - 1] : null;
  const pointer = `/view/seats/${number - 1}`;
  return {
    hand: own?.hand_count,
    details: own
      ? [tools.at(pointer, shown({ table, tools, name: "seats" }, own, pointer))]
      : [el("p", { class: "empty" }, "–")],
  };
}
