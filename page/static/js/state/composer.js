// From picks to a move, without anything changed in place. The legal moves of a decision are grouped by their kind into
// forms. Picks are kept in their order, and each form is filled with them; the forms that take them all are open.

import * as listed from "./move-tokens.js";
import * as placement from "./placement.js";
import * as pool from "./choose-from-pool.js";

const HOW = { listed, pool, placement };
const how = (form) => HOW[form.how];

/** All that one decision allows, with nothing picked; `before` is what it was one step ago. */
export function compose(decision) {
  const types = [...new Set(decision.moves.map((move) => move.type))];
  const forms = types.map((type) => formOf(decision.moves.filter((move) => move.type === type)));
  return { decision, forms, kind: null, picks: [], open: forms, before: null };
}

function formOf(moves) {
  const [first] = moves;
  if (!("choose" in first)) return listed.form(moves);
  return "piles" in first ? placement.form(first) : pool.form(first);
}

/** A choice of several filled in: it can be taken as it is, or changed. */
export function suggested(composition) {
  const form = formInUse(composition);
  const picked = form && how(form).suggested ? how(form).suggested(form) : [];
  return picked.length ? { ...change(composition, { picks: picked }), before: null } : composition;
}

/** Whether a decision leaves no choice. */
export const isForced = ({ moves: [first, ...others] }) =>
  !others.length && (!("choose" in first) || (!first.piles && first.choose === first.from.length));

// A thing may stand for a part of one kind of move alone: `take_cards.cards`. In the order of the parts.
const knowing = (form, fields) =>
  form.fields.filter((field) => fields.includes(field) || fields.includes(`${form.type}.${field}`));

const add = (form, { fields, value }) => form && how(form).pick(form, knowing(form, fields), value);

const allowed = ({ forms, kind }) => (kind ? forms.filter(({ type }) => type === kind) : forms);

/** The forms that take all these picks, filled with them. */
const filled = (composition, picks) =>
  allowed(composition)
    .map((form) => picks.reduce(add, form))
    .filter(Boolean);

function change(composition, parts) {
  const next = { ...composition, ...parts, before: composition };
  const open = filled(next, next.picks);
  return { ...next, open, picks: open.length === 1 && how(open[0]).laid ? how(open[0]).laid(open[0]) : next.picks };
}

/** The form in use: the only one, or the only one with parts to choose; null while several kinds of move are open. */
export function formInUse(composition) {
  const open = composition?.open ?? [];
  const parted = open.filter(({ fields }) => fields.length);
  return (parted.length || open.length) === 1 ? (parted[0] ?? open[0]) : null;
}

/** The kinds of move to choose from, beside the one in use. */
export const kinds = (composition) =>
  composition.kind ? [] : composition.open.filter((form) => form !== formInUse(composition));

/** How often a value is picked. */
export const picks = ({ open }, fields, value) =>
  Math.max(
    0,
    ...open.map((form) => knowing(form, fields).reduce((sum, field) => sum + how(form).count(form, field, value), 0)),
  );

/**
 * What a pick would do: "can" be added, "swap" for one of its kind, or it "cannot" be, and the service can say why; null
 * where it is no part of the move.
 */
export function status(composition, fields, value) {
  if (!allowed(composition).some((form) => knowing(form, fields).length && how(form).knows(form, value))) return null;
  const fits = (picked) => filled(composition, [...picked, { fields, value }]).length > 0;
  if (fits(composition.picks)) return "can";
  return fits(composition.picks.filter((each) => !meet(each.fields, fields))) ? "swap" : "cannot";
}

const isSame = (one, other) => JSON.stringify(one) === JSON.stringify(other);
export const bare = (field) => field.slice(field.indexOf(".") + 1);
const meet = (some, others) => some.some((one) => others.some((other) => bare(one) === bare(other)));

/** Adds a pick; where it does not fit, the oldest pick that is in its way gives way, or else all that are. */
export function pick(composition, fields, value) {
  const asked = { fields, value };
  const fits = (picked) => filled(composition, picked).length > 0;
  const without = composition.picks.map((_, index) => composition.picks.toSpliced(index, 1));
  const rest = composition.picks.reduceRight(
    (kept, each) => (fits([each, ...kept, asked]) ? [each, ...kept] : kept),
    [],
  );
  const kept = [composition.picks, ...without, rest].find((picked) => fits([...picked, asked]));
  return kept ? change(composition, { picks: [...kept, asked] }) : composition;
}

/** Takes a pick back. */
export function unpick(composition, fields, value) {
  const isIt = (each) => meet(each.fields, fields) && isSame(each.value, value);
  const index = composition.picks.findLastIndex(isIt);
  return index < 0 ? composition : change(composition, { picks: composition.picks.toSpliced(index, 1) });
}

/** Chooses the kind of move; what was picked before is picked in it. */
export const choose = (composition, kind) => change(composition, { kind });

/** As it was one step before. */
export const undo = (composition) => composition.before ?? composition;

/** The move that the picks mean, or null as long as they leave a choice. */
export function ready(composition) {
  const form = formInUse(composition);
  return form ? how(form).ready(form) : null;
}

/** The move that the last pick completed and that goes at once: not a choice of several, nor a first look at what a thing is good for. */
export function done(composition) {
  const { forms, kind, picks: picked } = composition;
  const isMeant = forms.filter(({ fields }) => fields.length).length < 2 || kind !== null || picked.length > 1;
  return isMeant && !formInUse(composition)?.weighed ? ready(composition) : null;
}

/** The part to be picked next, and how many of it at least: `{field, need}`; null if none is missing. */
export function next(composition) {
  const form = formInUse(composition);
  return form ? how(form).next(form) : null;
}

/** Whether a part of these fields may be aimed at: something was chosen, or nothing else is left to choose. */
export function aims(composition, fields) {
  const form = formInUse(composition);
  const isNext = form !== null && knowing(form, fields).includes(next(composition)?.field);
  return isNext || (composition.before !== null && form?.how !== "placement");
}

/** The last pick and the one that it took the place of; null if it took none's. */
export function swapped({ before, picks: now }) {
  const beside = (some, others) => some.find((one) => !others.some((other) => isSame(one.value, other.value)));
  const [taken, left] = before ? [beside(now, before.picks), beside(before.picks, now)] : [];
  return taken && left ? [taken, left] : null;
}

/** The values that a field may take, in the order of the list. */
export const values = (form, field) => how(form).values(form, field);

/** A whole move with a part that no legal move has: the service can say which rule forbids it; null if there is none. */
export function attempt(composition, fields, value) {
  const { picks: picked } = composition;
  const knows = (form) => [...picked, { fields }].every((each) => knowing(form, each.fields).length);
  const form = allowed(composition).find(knows);
  if (!form || form.how !== "listed") return null;
  const begun = picked.reduce((now, each) => add(now, each) ?? now, form);
  return listed.attempt(begun, knowing(form, fields)[0], value);
}

// Which parts of a move a drawn thing stands for, by game: a card of one's hand in Plenty Coups may be given, discarded
// or laid. What is drawn is offered with these parts, and what is not drawn is chosen by words.
// A part with a kind of move before it is meant in that kind alone: cards are taken from the display, not of the hand.

const HUNTING = { hand: ["card"], reserve: ["cards"], laid: ["card"], ground: ["ground", "to_ground"] };

export const PARTS = {
  manitou: HUNTING,
  "big-manitou": { ...HUNTING, stakes: ["tiles"], tile: ["tile"] },
  tomahawk: { hand: ["card"], pile: ["pile"], special: ["keep"], swap: ["choose_specials.keep"] },
  "plenty-coups": {
    hand: ["card", "raid.cards", "defend.cards", "discard_after_hunt.cards", "discard_excess.cards", "discard", "give"],
    camp: ["target", "to", "tribe", "from"],
    display: ["take_cards.cards"],
    proposal: ["from"],
    tribe: ["tribe"],
  },
};
