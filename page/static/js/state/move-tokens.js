// Moves of one kind that are listed one by one, taken apart into tokens: `card="hunter-7"`.

const token = (field, value) => `${field}=${JSON.stringify(value)}`;
const fieldOf = (one) => one.slice(0, one.indexOf("="));
const valueOf = (one) => JSON.parse(one.slice(one.indexOf("=") + 1));
const copies = (tokens, one) => tokens.filter((other) => other === one).length;
const items = (value) => (Array.isArray(value) ? value : [value]);

const tokensOf = ({ type: _, ...parts }) =>
  Object.entries(parts).flatMap(([field, value]) => items(value).map((item) => token(field, item)));

/** Whether the tokens hold all that was picked, copies counted. */
const holds = (tokens, picked) => picked.every((one) => copies(tokens, one) >= copies(picked, one));

export function form(moves) {
  const [first] = moves;
  const fields = Object.keys(first).filter((field) => field !== "type");
  const sizes = (field) => new Set(moves.map((move) => items(move[field]).length));
  const isSame = (field) => moves.every((move) => token(field, move[field]) === token(field, first[field]));
  return {
    how: "listed",
    type: first.type,
    moves: moves.map((move) => ({ move, tokens: tokensOf(move) })),
    fields,
    lists: fields.filter((field) => Array.isArray(first[field])),
    weighed: fields.some((field) => Math.max(...sizes(field)) > 1),
    fixed: fields.filter(isSame), // what is never a choice
    picked: [],
  };
}

/** Of the specials the first two. */
export const suggested = ({ type, moves }) =>
  type === "choose_specials" ? moves[0].move.keep.map((value) => ({ fields: ["keep"], value })) : [];

const candidates = ({ moves }, picked) => moves.filter((row) => holds(row.tokens, picked));
const known = ({ picked }, field) => picked.filter((one) => fieldOf(one) === field).length;

export const knows = () => true;

export const count = ({ picked }, field, value) => copies(picked, token(field, value));

/** Fills the first open part that the value fits; null if there is none. */
export function pick(form, fields, value) {
  const isOpen = (field) => form.lists.includes(field) || !known(form, field);
  const fits = (field) => candidates(form, [...form.picked, token(field, value)]).length > 0;
  const field = fields.find((each) => isOpen(each) && fits(each));
  return field ? { ...form, picked: [...form.picked, token(field, value)] } : null;
}

/** How many values of a part a move has that were not picked. */
const lacking = (form, move, field) => items(move[field]).length - known(form, field);

export function ready(form) {
  const isWhole = ({ move }) => form.fields.every((field) => form.fixed.includes(field) || !lacking(form, move, field));
  return candidates(form, form.picked).find(isWhole)?.move ?? null;
}

export function next(form) {
  const rows = candidates(form, form.picked);
  const open = form.fields.filter((field) => !form.fixed.includes(field));
  const needs = open.map((field) => ({ field, need: Math.min(...rows.map(({ move }) => lacking(form, move, field))) }));
  return needs.find(({ need }) => need > 0) ?? null;
}

export function values(form, field) {
  const all = form.moves.flatMap(({ move }) => items(move[field]));
  return [...new Map(all.map((value) => [JSON.stringify(value), value])).values()];
}

/** The picks with this one, and what is missing taken from the legal move that is nearest to them. */
export function attempt(form, field, value) {
  const others = form.picked.filter((one) => form.lists.includes(field) || fieldOf(one) !== field);
  const asked = [...others, token(field, value)];
  const near = (row) => asked.filter((one) => row.tokens.includes(one)).length;
  const [nearest] = [...form.moves].sort((one, other) => near(other) - near(one));
  const parts = form.fields.map((each) => {
    const own = asked.filter((one) => fieldOf(one) === each).map(valueOf);
    if (!own.length) return [each, nearest.move[each]];
    return [each, form.lists.includes(each) ? own : own[0]];
  });
  return { type: form.type, ...Object.fromEntries(parts) };
}
