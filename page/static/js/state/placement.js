// A card for each of several piles: `{choose, from, piles}`. A card is picked first, then the pile that it goes to.

export const form = ({ type, choose, from, piles }) => ({
  how: "placement",
  type,
  choose,
  from,
  piles,
  fields: ["card", "pile"],
  weighed: true,
  placed: [], // [pile, card]
  card: null, // in hand, lifted
});

const at = ({ placed }, pile) => placed.find(([where]) => where === pile)?.[1];

export const knows = ({ from, piles }, value) => from.includes(value) || piles.includes(value);

export function count(form, field, value) {
  return (field === "card" ? form.card === value : at(form, value) !== undefined) ? 1 : 0;
}

/** What is lifted anew, or laid where something lies, takes its place. */
export function pick(form, [field], value) {
  if (field === "card") return form.from.includes(value) ? { ...without(form, null, value), card: value } : null;
  if (form.card === null || !form.piles.includes(value)) return null;
  return { ...form, placed: [...without(form, value, null).placed, [value, form.card]], card: null };
}

const without = (form, pile, card) => ({
  ...form,
  placed: form.placed.filter(([where, lies]) => where !== pile && lies !== card),
});

/** The picks without those that others have replaced. */
export function laid({ placed, card }) {
  const lifted = card === null ? [] : [{ fields: ["card"], value: card }];
  const pairs = placed.flatMap(([pile, lies]) => [
    { fields: ["card"], value: lies },
    { fields: ["pile"], value: pile },
  ]);
  return [...pairs, ...lifted];
}

export function ready(form) {
  if (form.placed.length < form.choose) return null;
  return { type: form.type, cards: form.piles.map((pile) => ({ pile, card: at(form, pile) })) };
}

export function next({ choose, placed, card }) {
  if (card !== null) return { field: "pile", need: 1 };
  return placed.length < choose ? { field: "card", need: choose - placed.length } : null;
}

export const values = (form, field) => (field === "card" ? form.from : form.piles);
