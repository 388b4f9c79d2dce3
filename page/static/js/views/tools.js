// What the games draw with: pieces that can be clicked when a legal move has them, and places that can be highlighted.

import { button, el, extend } from "../dom.js";
import { t } from "../i18n.js";
import { formInUse, picks, slots, status } from "../state/composer.js";
import { pileOf } from "../state/placement.js";

let lifted = null; // what is dragged

export class Tools {
  /** `table` is the API's document, `composition` what may be chosen (or null), `act` does what a click asks for. */
  constructor(table, composition, act) {
    Object.assign(this, { table, composition, act, seen: new Map(), offered: new Set() });
  }

  /** Marks a node as the picture of a place of the document, named by a JSON Pointer. */
  at(pointer, node) {
    return extend(node, { data: { path: pointer } });
  }

  /** Whether one of these values may be picked, or is. */
  asks(fields, values) {
    if (!this.composition) return false;
    return values.some((value) => this.#picked(fields, value) || this.#status(fields, value) === "can");
  }

  /** The card that is planned for a pile, before it is confirmed. */
  plannedAt(pile) {
    const placed = this.composition && formInUse(this.composition)?.placed;
    return placed?.find(([where]) => where === pile)?.[1];
  }

  /** Whether a card lies already where it is to be played. */
  isPlanned(card) {
    const form = this.composition && formInUse(this.composition);
    return form?.how === "placement" && pileOf(form, card) !== undefined;
  }

  /** A card or tile: a button if it can be picked. `fields` are the parts of a move that it may stand for. */
  piece(fields, value, picture, { label, drag = false } = {}) {
    const id = JSON.stringify([fields, value]);
    const before = this.seen.get(id) ?? 0;
    this.seen.set(id, before + 1);
    const state = this.#state(fields, value, before);
    if (!state) return el("span", { class: "piece" }, picture);
    this.#offer(fields, value);
    const on = { click: () => this.#click(fields, value, state) };
    if (drag) on.dragstart = (event) => lift(event, fields, value);
    return button(picture, null, {
      class: `piece ${state}`,
      "aria-pressed": String(state === "picked"),
      "aria-label": label,
      title: state === "cannot" ? t("move.why_not_this") : null,
      draggable: drag && state !== "cannot" ? "true" : null,
      data: { key: `${id}${before}` },
      on,
    });
  }

  #click(fields, value, state) {
    const does = { picked: "unpick", cannot: "whyNot" };
    this.act[does[state] ?? "pick"](fields, value);
  }

  #picked = (fields, value, before = 0) => picks(this.composition, fields, value) > before;

  #status = (fields, value) => status(this.composition, fields, value);

  #state(fields, value, before = 0) {
    if (!this.composition || !fields.length) return null;
    return this.#picked(fields, value, before) ? "picked" : this.#status(fields, value);
  }

  #offer(fields, value) {
    for (const field of fields) this.offered.add(`${field}=${JSON.stringify(value)}`);
  }

  /** Whether the drawing itself offers this part of a move. */
  offers(form, field, value) {
    return [field, `${form.type}.${field}`].some((name) => this.offered.has(`${name}=${JSON.stringify(value)}`));
  }

  /**
   * A place to put what was picked: makes the node take clicks and drops, and gives the button for the keyboard; null as
   * long as there is nothing to put here. Where no legal move goes the button asks why.
   */
  target(node, fields, value, label) {
    if (this.composition) this.#offer(fields, value);
    const state = this.#state(fields, value);
    if (!state || !this.#aiming(fields)) return null;
    const cannot = state === "cannot" || state === "change";
    const choose = () => this.#click(fields, value, cannot ? "cannot" : state);
    const click = (event) => event.target.closest("button, a, summary") || choose();
    extend(node, { class: `target ${cannot ? "cannot" : state}`, on: { click } });
    return button(cannot ? t("move.why_not") : label, choose, {
      class: `lay ${cannot ? "cannot" : state}`,
      data: { key: `target${JSON.stringify([fields, value])}` },
    });
  }

  /** Whether a place is what is looked for: a card was picked, or nothing but places is left to choose. */
  #aiming(fields) {
    const form = formInUse(this.composition);
    if (!form) return false;
    if (form.card != null || form.picked?.length > 0) return true;
    const open = slots(this.composition).filter(({ values }) => !values.length);
    return form.how === "listed" && open.every(({ field }) => fields.includes(field));
  }

  /** Lets a card that is dragged be dropped on the node. */
  landing(node, fields, value) {
    if (!this.composition) return;
    const drop = (event) => {
      event.preventDefault();
      if (lifted) this.act.drop(lifted, fields, value);
    };
    extend(node, { on: { dragover: (event) => event.preventDefault(), drop } });
  }
}

function lift(event, fields, value) {
  lifted = { fields, value };
  event.dataTransfer.effectAllowed = "move";
  event.dataTransfer.setData("text/plain", String(value));
}
