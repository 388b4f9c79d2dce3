// A secret choice of so many cards out of a pool: `{choose, from}`.

const HERO = 7.5; // what a hero is worth in a party, as a hunter's strength
const worth = (card) => Number(/^hunter-(\d+)/.exec(card)?.[1] ?? HERO);

export const form = ({ type, choose, from }) => ({ how: "pool", type, choose, from, fields: ["cards"], chosen: [] });

/** The strongest hunters, and heroes. */
export const suggested = (form) => ({
  ...form,
  chosen: [...form.from].sort((one, other) => worth(other) - worth(one)).slice(0, form.choose),
});

export const status = (form, field, value) => (form.from.includes(value) ? "can" : null);

export const picks = (form, field, value) => (form.chosen.includes(value) ? 1 : 0);

/** When all are chosen, the one that was chosen first leaves; of those suggested, the weakest. */
export const pick = (form, [field], value) =>
  status(form, field, value) && !form.chosen.includes(value)
    ? { ...form, chosen: [value, ...form.chosen].slice(0, form.choose) }
    : form;

export const unpick = (form, fields, value) => ({ ...form, chosen: form.chosen.filter((card) => card !== value) });

export const aim = (form) => cleared(form);

export const cleared = (form) => ({ ...form, chosen: [] });

export const begun = (form) => form.chosen.length > 0;

export const ready = (form) => (form.chosen.length === form.choose ? { type: form.type, cards: form.chosen } : null);

export const settled = () => false;

export const slots = (form) => [
  { field: "cards", values: form.chosen, implied: false, active: !ready(form), need: form.choose - form.chosen.length },
];

export const values = (form) => form.from;
