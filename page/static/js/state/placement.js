// A card for each of several piles: `{choose, from, piles}`. A card is picked first, then the pile that it goes to.

export const form = ({ type, choose, from, piles }) => ({
  how: "placement",
  type,
  choose,
  from,
  piles,
  fields: ["card", "pile"],
  placed: [], // [pile, card]
  card: null,
});

const at = (form, pile) => form.placed.find(([where]) => where === pile)?.[1];

/** The pile that a card lies at. */
export const pileOf = (form, card) => form.placed.find(([, lies]) => lies === card)?.[0];

export function status(form, field, value) {
  if (field === "card") return form.from.includes(value) ? "can" : null;
  return form.piles.includes(value) && (form.card !== null || at(form, value) !== undefined) ? "can" : null;
}

export function picks(form, field, value) {
  if (field === "card") return form.card === value || pileOf(form, value) !== undefined ? 1 : 0;
  return at(form, value) === undefined ? 0 : 1;
}

export function pick(form, [field], value) {
  return field === "card" ? { ...form, card: value } : lay(form, value);
}

const lay = (form, pile) =>
  form.card === null ? form : { ...without(form, pile, form.card), placed: laid(form, pile), card: null };
const without = (form, pile, card) => ({
  ...form,
  placed: form.placed.filter(([where, lies]) => where !== pile && lies !== card),
});
const laid = (form, pile) => [...without(form, pile, form.card).placed, [pile, form.card]];

export function unpick(form, [field], value) {
  if (field === "pile") return form.card === null ? without(form, value, null) : lay(form, value);
  return form.card === value ? { ...form, card: null } : without(form, null, value);
}

export const aim = (form) => cleared(form);

export const cleared = (form) => ({ ...form, placed: [], card: null });

export const begun = (form) => form.card !== null || form.placed.length > 0;

export function ready(form) {
  if (form.placed.length < form.choose) return null;
  return { type: form.type, cards: form.piles.map((pile) => ({ pile, card: at(form, pile) })) };
}

export const settled = () => false;

export const slots = (form) =>
  form.piles.map((pile) => {
    const card = at(form, pile);
    const values = card === undefined ? [] : [{ pile, card }];
    return { field: "pile", pile, values, implied: false, active: false, need: values.length ? 0 : 1 };
  });

export const values = (form, field) => (field === "card" ? form.from : form.piles);
