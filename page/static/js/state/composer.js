// From picks to a move, without anything changed in place. The legal moves of a decision are grouped by their kind into
// forms. A form has slots, which picks fill; what may be picked next are the parts of those moves that fit all picks.

import * as listed from "./listed.js";
import * as placement from "./placement.js";
import * as pool from "./pool.js";

const HOW = { listed, pool, placement };
const how = (form) => HOW[form.how];

/** All that one open decision allows, with nothing picked: `form` is the index of the form in use. */
export function compose(decision) {
  const types = [...new Set(decision.moves.map((move) => move.type))];
  const forms = types.map((type) => formOf(decision.moves.filter((move) => move.type === type)));
  return { decision, forms, form: forms.length === 1 ? 0 : null, waiting: null };
}

function formOf(moves) {
  const [first] = moves;
  if (!("choose" in first)) return listed.form(moves);
  return "piles" in first ? placement.form(first) : pool.form(first);
}

/** A party filled in, where one has to be chosen: it can be taken as it is, or changed. */
export function suggested(composition) {
  const form = formInUse(composition);
  return form && how(form).suggested ? withForm(composition, how(form).suggested(form)) : composition;
}

/** The form in use, or null while several kinds of move are open. */
export const formInUse = (composition) => (composition === null ? null : (composition.forms[composition.form] ?? null));

const withForm = (composition, form) => ({
  ...composition,
  waiting: null,
  forms: composition.forms.map((each, index) => (index === composition.form ? form : each)),
});

const fieldFor = (form, fields, value) =>
  knowing(form, fields).find((field) => how(form).status(form, field, value) === "can");
// A thing may stand for a part of one kind of move alone: `take_cards.cards`. In the order of the slots.
const knowing = (form, fields) =>
  form.fields.filter((field) => fields.includes(field) || fields.includes(`${form.type}.${field}`));

/** The kinds of move to choose from; after a pick that several allow, those that do. */
export function kinds(composition) {
  const { waiting, forms } = composition;
  return waiting ? forms.filter((form) => fieldFor(form, waiting.fields, waiting.value)) : forms;
}

/** How often a value is picked. */
export function picks(composition, fields, value) {
  const form = formInUse(composition);
  if (!form) return composition.waiting && same(composition.waiting, { fields, value }) ? 1 : 0;
  return knowing(form, fields).reduce((sum, field) => sum + how(form).picks(form, field, value), 0);
}

const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);

/**
 * What a pick would do: "can" be added, "change" what was picked before, or it "cannot" be, and the service can say
 * why; null where the fields are no part of the move.
 */
export function status(composition, fields, value) {
  const form = formInUse(composition);
  const found = (form ? [form] : composition.forms).flatMap((each) =>
    knowing(each, fields).map((field) => how(each).status(each, field, value)),
  );
  return ["can", "change", "cannot"].find((each) => found.includes(each)) ?? null;
}

/** Chooses the kind of move; what was picked before the kind was chosen is picked in it. */
export function choose(composition, type) {
  const { waiting } = composition;
  const index = composition.forms.findIndex((form) => form.type === type);
  const chosen = { ...composition, form: index, waiting: null };
  const fresh = withForm(chosen, how(chosen.forms[index]).cleared(chosen.forms[index]));
  return waiting ? pick(fresh, waiting.fields, waiting.value) : fresh;
}

/** Adds a pick, to the slot that is aimed at or else to the first that it fits. */
export function pick(composition, fields, value) {
  if (composition.form === null) return pickKind(composition, fields, value);
  const form = formInUse(composition);
  return withForm(composition, how(form).pick(form, knowing(form, fields), value));
}

function pickKind(composition, fields, value) {
  const open = composition.forms.filter((form) => fieldFor(form, fields, value));
  if (open.length > 1) return { ...composition, waiting: { fields, value } };
  if (!open.length) return composition;
  return pick(choose({ ...composition, waiting: null }, open[0].type), fields, value);
}

/** Takes a pick back. */
export function unpick(composition, fields, value) {
  const form = formInUse(composition);
  if (!form) return { ...composition, waiting: null };
  return withForm(composition, how(form).unpick(form, knowing(form, fields), value));
}

/** Aims the next pick at a slot, which is emptied. */
export const aim = (composition, field) =>
  withForm(composition, how(formInUse(composition)).aim(formInUse(composition), field));

/** Nothing picked, and the choice among the kinds of move open again. */
export function clear(composition) {
  const forms = composition.forms.map((form) => how(form).cleared(form));
  return { ...composition, forms, form: forms.length === 1 ? 0 : null, waiting: null };
}

/** Whether there is anything to clear. */
export function begun(composition) {
  if (composition.form === null) return composition.waiting !== null;
  return composition.forms.length > 1 || how(formInUse(composition)).begun(formInUse(composition));
}

/** The move that the picks mean, or null as long as they leave a choice. */
export function ready(composition) {
  const form = formInUse(composition);
  return form ? how(form).ready(form) : null;
}

/** Whether every slot was filled by hand, so that a move that is laid at once is whole. */
export function settled(composition) {
  const form = formInUse(composition);
  return form !== null && how(form).settled(form);
}

/** The parts of the move: `{field, values, implied, active, need}`; `need` is how many values are still missing. */
export const slots = (composition) =>
  formInUse(composition) ? how(formInUse(composition)).slots(formInUse(composition)) : [];

/** The values that a field may take, in the order of the list. */
export const values = (form, field) => how(form).values(form, field);

/** A whole move with a part that no legal move has: the service can say which rule forbids it; null if there is none. */
export function attempt(composition, fields, value) {
  const form = formInUse(composition) ?? composition.forms.find((each) => knowing(each, fields).length);
  const field = form && knowing(form, fields)[0];
  return field && how(form).attempt ? how(form).attempt(form, field, value) : null;
}
