// From clicks to a move. The legal moves are taken apart into tokens, `card="hunter-7"`; what may be clicked next are the
// tokens of those moves that fit everything clicked so far.

const token = (field, value) => `${field}=${JSON.stringify(value)}`;
const count = (tokens, one) => tokens.filter((other) => other === one).length;

function tokensOf(move) {
  return Object.entries(move).flatMap(([field, value]) =>
    field === "type" ? [] : (Array.isArray(value) ? value : [value]).map((item) => token(field, item)),
  );
}

/** Whether the tokens hold all that was picked, copies counted. */
const fits = (tokens, picked) => picked.every((one) => count(tokens, one) >= count(picked, one));

/** Moves of one type that are listed one by one. */
class Listed {
  constructor(type, moves) {
    this.type = type;
    this.moves = moves.map((move) => ({ move, tokens: tokensOf(move) }));
    this.fields = Object.keys(moves[0]).filter((field) => field !== "type");
    this.lists = this.fields.filter((field) => Array.isArray(moves[0][field]));
    this.picked = [];
  }

  candidates(picked = this.picked) {
    return this.moves.filter((row) => fits(row.tokens, picked));
  }

  knows(field) {
    return this.fields.includes(field);
  }

  may(field, value) {
    return this.candidates([...this.#apart(field), token(field, value)]).length > 0;
  }

  /** What is picked, without what a new pick of this field would replace. */
  #apart(field) {
    return this.lists.includes(field) ? this.picked : this.picked.filter((one) => !one.startsWith(`${field}=`));
  }

  picks(field, value) {
    return count(this.picked, token(field, value));
  }

  pick(field, value) {
    const kept = this.#apart(field);
    const one = token(field, value);
    const grown = [...kept, one];
    this.picked = this.candidates(grown).length > 0 || !this.lists.includes(field) ? grown : [one];
  }

  unpick(field, value) {
    this.picked = this.picked.toSpliced(this.picked.lastIndexOf(token(field, value)), 1);
  }

  clear() {
    this.picked = [];
  }

  /** The move that the picks mean, if they leave no choice. */
  ready() {
    const found = this.candidates();
    const exact = found.find((row) => row.tokens.length === this.picked.length);
    return (exact ?? (found.length === 1 ? found[0] : undefined))?.move ?? null;
  }

  /** Whether every part was picked by hand, so that nothing is left to confirm. */
  get settled() {
    return this.lists.length === 0 && this.fields.length === this.picked.length && this.ready() !== null;
  }

  /** A whole move that is not among the legal ones: the service can say which rule forbids it. */
  refused() {
    if (this.lists.length || this.picked.length < this.fields.length || this.candidates().length) return null;
    const parts = this.picked.map((one) => [one.slice(0, one.indexOf("=")), JSON.parse(one.slice(one.indexOf("=") + 1))]);
    return { type: this.type, ...Object.fromEntries(parts) };
  }

  /** The values that a field may still take, in the order of the list. */
  values(field) {
    const all = this.moves.flatMap(({ move }) => (Array.isArray(move[field]) ? move[field] : [move[field]]));
    return [...new Map(all.map((value) => [JSON.stringify(value), value])).values()];
  }

  progress() {
    return null;
  }
}

/** A secret choice of so many cards out of a pool: `{choose, from}`. */
class Pool {
  constructor({ type, choose, from }) {
    Object.assign(this, { type, choose, from, fields: ["cards"], chosen: [], settled: false });
  }

  knows(field) {
    return field === "cards";
  }

  may(field, value) {
    return this.from.includes(value) && this.chosen.length < this.choose;
  }

  picks(field, value) {
    return this.chosen.includes(value) ? 1 : 0;
  }

  pick(field, value) {
    if (this.may(field, value)) this.chosen.push(value);
  }

  unpick(field, value) {
    this.chosen = this.chosen.filter((card) => card !== value);
  }

  clear() {
    this.chosen = [];
  }

  ready() {
    return this.chosen.length === this.choose ? { type: this.type, cards: this.chosen } : null;
  }

  refused() {
    return null;
  }

  values() {
    return this.from;
  }

  progress() {
    return { chosen: this.chosen.length, needed: this.choose };
  }
}

/** A card for each of several piles: `{choose, from, piles}`. A card is picked first, then the pile that it goes to. */
class Placement {
  constructor({ type, choose, from, piles }) {
    Object.assign(this, { type, choose, from, piles, fields: ["card", "pile"], placed: new Map(), card: null, settled: false });
  }

  knows(field) {
    return this.fields.includes(field);
  }

  may(field, value) {
    if (field === "card") return this.from.includes(value);
    return this.piles.includes(value) && (this.card !== null || this.placed.has(value));
  }

  picks(field, value) {
    if (field === "card") return this.card === value || this.pileOf(value) !== undefined ? 1 : 0;
    return this.placed.has(value) ? 1 : 0;
  }

  pileOf(card) {
    return [...this.placed].find(([, lies]) => lies === card)?.[0];
  }

  pick(field, value) {
    if (field === "card") this.card = value;
    else this.#lay(value);
  }

  #lay(pile) {
    if (this.card === null) return;
    this.placed.delete(this.pileOf(this.card));
    this.placed.set(pile, this.card);
    this.card = null;
  }

  unpick(field, value) {
    if (field === "pile" && this.card !== null) return this.#lay(value);
    if (field === "card" && this.card === value) return (this.card = null);
    return this.placed.delete(field === "pile" ? value : this.pileOf(value));
  }

  clear() {
    this.placed.clear();
    this.card = null;
  }

  ready() {
    if (this.placed.size < this.choose) return null;
    return { type: this.type, cards: this.piles.map((pile) => ({ pile, card: this.placed.get(pile) })) };
  }

  refused() {
    return null;
  }

  values(field) {
    return field === "card" ? this.from : this.piles;
  }

  progress() {
    return { chosen: this.placed.size, needed: this.choose };
  }
}

function formOf(type, moves) {
  const [first] = moves;
  if (!("choose" in first)) return new Listed(type, moves);
  return "piles" in first ? new Placement(first) : new Pool(first);
}

/** All that one open decision allows, and what has been picked of it. */
export class Composer {
  constructor(decision) {
    this.decision = decision;
    const types = Map.groupBy(decision.moves, (move) => move.type);
    this.forms = [...types].map(([type, moves]) => formOf(type, moves));
    this.form = this.forms.length === 1 ? this.forms[0] : null;
    this.waiting = null;
  }

  /** The kinds of move to choose from; after a click that several allow, only those. */
  get kinds() {
    return this.waiting ? this.forms.filter((form) => this.#field(form, this.waiting)) : this.forms;
  }

  #field(form, { fields, value }) {
    return fields.find((field) => form.knows(field) && form.may(field, value));
  }

  /** How often a value is picked. */
  picks(fields, value) {
    if (!this.form) return this.waiting?.value === value ? 1 : 0;
    return fields.reduce((sum, field) => sum + (this.form.knows(field) ? this.form.picks(field, value) : 0), 0);
  }

  may(fields, value) {
    const forms = this.form ? [this.form] : this.forms;
    return forms.some((form) => this.#field(form, { fields, value }) !== undefined);
  }

  /** Whether a pick that no legal move has would at least say why. */
  mayAsk(fields) {
    const form = this.form ?? this.forms.find((each) => fields.some((field) => each.knows(field)));
    return form instanceof Listed && form.lists.length === 0 && fields.some((field) => form.knows(field));
  }

  choose(form) {
    this.form = form;
    form.clear();
    const field = this.waiting && this.#field(form, this.waiting);
    if (field) form.pick(field, this.waiting.value);
    this.waiting = null;
  }

  /** Back to the choice among the kinds of move. */
  clear() {
    this.forms.forEach((form) => form.clear());
    this.form = this.forms.length === 1 ? this.forms[0] : null;
    this.waiting = null;
  }

  pick(fields, value) {
    const asked = { fields, value };
    if (!this.form) {
      const kinds = this.forms.filter((form) => this.#field(form, asked));
      if (kinds.length > 1) return (this.waiting = asked);
      this.form = kinds[0] ?? this.forms.find((form) => fields.some((field) => form.knows(field)));
    }
    const field = this.#field(this.form, asked) ?? fields.find((each) => this.form.knows(each));
    return this.form.pick(field, value);
  }

  unpick(fields, value) {
    if (!this.form) return (this.waiting = null);
    const field = fields.find((each) => this.form.knows(each) && this.form.picks(each, value));
    return field && this.form.unpick(field, value);
  }
}
