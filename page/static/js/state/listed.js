// Moves of one kind that are listed one by one, taken apart into tokens: `card="hunter-7"`.

const token = (field, value) => `${field}=${JSON.stringify(value)}`;
const fieldOf = (one) => one.slice(0, one.indexOf("="));
const valueOf = (one) => JSON.parse(one.slice(one.indexOf("=") + 1));
const count = (tokens, one) => tokens.filter((other) => other === one).length;
const items = (value) => (Array.isArray(value) ? value : [value]);

const tokensOf = ({ type: _, ...parts }) =>
  Object.entries(parts).flatMap(([field, value]) => items(value).map((item) => token(field, item)));

/** Whether the tokens hold all that was picked, copies counted. */
const holds = (tokens, picked) => picked.every((one) => count(tokens, one) >= count(picked, one));

export function form(moves) {
  const fields = Object.keys(moves[0]).filter((field) => field !== "type");
  return {
    how: "listed",
    type: moves[0].type,
    moves: moves.map((move) => ({ move, tokens: tokensOf(move) })),
    fields,
    lists: fields.filter((field) => Array.isArray(moves[0][field])),
    picked: [],
    aimed: null,
  };
}

/** Of the specials the first two; they can be changed. */
export const suggested = (form) => (form.type === "choose_specials" ? { ...form, picked: form.moves[0].tokens } : form);

const candidates = (form, picked) => form.moves.filter((row) => holds(row.tokens, picked));
const isList = (form, field) => form.lists.includes(field);
const isFilled = (form, field) => form.picked.some((one) => fieldOf(one) === field);

/** What stays picked when a field gets a new value: a list grows, any other part is replaced. */
const apart = (form, field) =>
  isList(form, field) ? form.picked : form.picked.filter((one) => fieldOf(one) !== field);

export function status(form, field, value) {
  const one = token(field, value);
  if (candidates(form, [...apart(form, field), one]).length) return "can";
  return candidates(form, [one]).length ? "change" : "cannot";
}

export const picks = (form, field, value) => count(form.picked, token(field, value));

/** The slot for a pick: the one aimed at, the first empty one that it fits, or the last, whose value it replaces. */
function slotFor(form, fields, value) {
  const fitting = fields.filter((field) => status(form, field, value) === "can");
  const open = fitting.filter((field) => isList(form, field) || !isFilled(form, field));
  if (fields.includes(form.aimed)) return form.aimed;
  const known = fields.filter((field) => status(form, field, value) !== "cannot");
  return open[0] ?? fitting.at(-1) ?? known[0] ?? fields[0];
}

/** A new pick stays; of the earlier ones those stay that fit it, the newest first. */
export function pick(form, fields, value) {
  const field = slotFor(form, fields, value);
  const one = token(field, value);
  if (!candidates(form, [one]).length) return form;
  const keep = (kept, each) => (candidates(form, [each, ...kept]).length ? [each, ...kept] : kept);
  return { ...form, aimed: null, picked: apart(form, field).reduceRight(keep, [one]) };
}

export function unpick(form, fields, value) {
  const tokens = fields.map((field) => token(field, value));
  const index = form.picked.findLastIndex((one) => tokens.includes(one));
  return index < 0 ? form : { ...form, picked: form.picked.filter((_, each) => each !== index) };
}

export const aim = (form, field) => ({
  ...form,
  aimed: field,
  picked: form.picked.filter((one) => fieldOf(one) !== field),
});

export const cleared = (form) => ({ ...form, picked: [], aimed: null });

export const begun = (form) => form.picked.length > 0;

/** The parts that all fitting moves have in common, and that were not picked. */
function implied(form) {
  const rows = candidates(form, form.picked);
  const open = form.fields.filter((field) => !isList(form, field) && !isFilled(form, field));
  const [first] = rows;
  const only = open.filter((field) =>
    rows.every(({ move }) => token(field, move[field]) === token(field, first.move[field])),
  );
  return rows.length ? only.map((field) => token(field, first.move[field])) : [];
}

export function ready(form) {
  const rows = candidates(form, form.picked);
  if (rows.length === 1) return rows[0].move;
  const known = form.picked.length + implied(form).length;
  return rows.find((row) => row.tokens.length === known)?.move ?? null;
}

export const settled = (form) =>
  form.lists.length === 0 && form.fields.length === form.picked.length && candidates(form, form.picked).length > 0;

export function slots(form) {
  const whole = ready(form);
  const told = whole ? tokensOf(whole) : implied(form);
  const next =
    form.aimed ?? form.fields.find((field) => !isFilled(form, field) && !told.some((one) => fieldOf(one) === field));
  return form.fields.map((field) => {
    const own = form.picked.filter((one) => fieldOf(one) === field);
    const rest = told.filter((one) => fieldOf(one) === field);
    const shown = own.length >= rest.length ? own : rest;
    return {
      field,
      values: shown.map(valueOf),
      implied: shown !== own,
      active: field === next,
      need: whole ? 0 : missing(form, field, shown.length),
    };
  });
}

/** How many values a field lacks at least. */
function missing(form, field, known) {
  const needed = candidates(form, form.picked).map(({ move }) => items(move[field]).length);
  return Math.max(0, Math.min(...needed) - known);
}

export function values(form, field) {
  const all = form.moves.flatMap(({ move }) => items(move[field]));
  return [...new Map(all.map((value) => [JSON.stringify(value), value])).values()];
}

/** The picks with this one, and what is missing taken from the legal move that is nearest to them. */
export function attempt(form, field, value) {
  const asked = [...apart(form, field), token(field, value)];
  const near = (row) => asked.filter((one) => row.tokens.includes(one)).length;
  const [nearest] = [...form.moves].sort((one, other) => near(other) - near(one));
  const parts = form.fields.map((each) => {
    const own = asked.filter((one) => fieldOf(one) === each).map(valueOf);
    if (!own.length) return [each, nearest.move[each]];
    return [each, isList(form, each) ? own : own[0]];
  });
  return { type: form.type, ...Object.fromEntries(parts) };
}
