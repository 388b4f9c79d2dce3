// A secret choice of so many cards out of a pool: `{choose, from}`.

const HERO = 7.5; // what a hero is worth in a party, as a hunter's strength
const worth = (card) => Number(/^hunter-(\d+)/.exec(card)?.[1] ?? HERO);

/** The strongest hunters, and heroes; the weakest first, as the first gives way. */
export const suggested = ({ choose, from }) =>
  [...from]
    .sort((one, other) => worth(one) - worth(other))
    .slice(-choose)
    .map((value) => ({ fields: ["cards"], value }));

export const form = ({ type, choose, from }) => ({
  how: "pool",
  type,
  choose,
  from,
  fields: ["cards"],
  weighed: true,
  chosen: [],
});

export const knows = ({ from }, value) => from.includes(value);

export const count = ({ chosen }, _field, value) => (chosen.includes(value) ? 1 : 0);

const takes = ({ choose, from, chosen }, value) =>
  chosen.length < choose && from.includes(value) && !chosen.includes(value);

export const pick = (form, fields, value) =>
  fields.length && takes(form, value) ? { ...form, chosen: [...form.chosen, value] } : null;

export const ready = ({ type, choose, chosen }) => (chosen.length === choose ? { type, cards: chosen } : null);

export const next = ({ choose, chosen }) =>
  chosen.length < choose ? { field: "cards", need: choose - chosen.length } : null;

export const values = ({ from }) => from;
