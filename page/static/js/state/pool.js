// A secret choice of so many cards out of a pool: `{choose, from}`.

export const form = ({ type, choose, from }) => ({ how: "pool", type, choose, from, fields: ["cards"], chosen: [] });

export function status(form, field, value) {
  return form.from.includes(value) && form.chosen.length < form.choose ? "can" : null;
}

export const picks = (form, field, value) => (form.chosen.includes(value) ? 1 : 0);

export const pick = (form, [field], value) =>
  status(form, field, value) && !form.chosen.includes(value) ? { ...form, chosen: [...form.chosen, value] } : form;

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
