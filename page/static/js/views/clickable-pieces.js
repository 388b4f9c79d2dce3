// What the games draw with: pieces that can be clicked when a legal move has them, and places that can be highlighted.

import { button, el, extend } from "../dom.js";
import { t } from "../i18n.js";
import { aims, formInUse, picks, status } from "../state/composer.js";

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
    return values.some((value) => ["picked", "can", "swap"].includes(this.stateOf(fields, value)));
  }

  /** The cards that are planned for piles: `[pile, card]`. */
  get placed() {
    return formInUse(this.composition)?.placed ?? [];
  }

  /** Whether a card waits for the pile that it goes to. */
  get lifts() {
    return formInUse(this.composition)?.card != null;
  }

  /** A card or tile: a button if it can be picked. `fields` are the parts of a move that it may stand for. */
  piece(fields, value, picture, { label, drag = false } = {}) {
    const id = JSON.stringify([fields, value]);
    const before = this.seen.get(id) ?? 0;
    this.seen.set(id, before + 1);
    const state = this.stateOf(fields, value, before);
    if (!state) return el("span", { class: "piece" }, picture);
    this.offer(fields, value);
    const dragstart = (event) => lift(event, fields, value);
    return el(
      "button",
      {
        type: "button",
        class: `piece ${state}`,
        "aria-pressed": String(state === "picked"),
        "aria-label": label,
        draggable: drag && state !== "cannot" ? "true" : null,
        on: { click: () => this.#click(fields, value, state), ...(drag && { dragstart }) },
        data: { key: `${id}${before}` },
      },
      picture,
    );
  }

  #click(fields, value, state) {
    const does = { picked: "unpick", cannot: "whyNot" };
    this.act[does[state] ?? "pick"](fields, value);
  }

  /** Whether a thing is picked, or what picking it would do; null if it is no part of the move. */
  stateOf(fields, value, before = 0) {
    if (!this.composition || !fields.length) return null;
    return picks(this.composition, fields, value) > before ? "picked" : status(this.composition, fields, value);
  }

  /** Notes that the drawing offers this part of a move: it need not be offered by words. */
  offer(fields, value) {
    for (const field of fields) this.offered.add(`${field}=${JSON.stringify(value)}`);
  }

  /** Whether the drawing itself offers this part of a move. */
  offers(form, field, value) {
    return [field, `${form.type}.${field}`].some((name) => this.offered.has(`${name}=${JSON.stringify(value)}`));
  }

  /**
   * A place to put what was picked: what the node needs to take clicks and drops (`name`, `on`), and `button`, which lies
   * below all that is in the node: it is for the keyboard, and named by `label`.
   */
  place(fields, value, label) {
    if (!this.composition) return { name: "", on: {}, button: null };
    this.offer(fields, value);
    const on = {
      dragover: (event) => event.preventDefault(),
      drop: (event) => {
        event.preventDefault();
        if (lifted) this.act.drop(lifted, fields, value);
      },
    };
    const known = this.stateOf(fields, value);
    const state = known === "picked" && this.lifts ? "swap" : known;
    if (!state) return { name: "", on, button: null };
    const isAimed = state === "picked" || aims(this.composition, fields);
    const isMeant = isAimed || !formInUse(this.composition);
    const does = () => (isMeant ? this.#click(fields, value, state) : this.act.forbid(t("prompt.card_first")));
    const click = ({ target }) => target.closest("button:not(.lay), a, summary") || does();
    if (!isAimed) return { name: "", on: { ...on, click }, button: null };
    const data = { key: `target${JSON.stringify([fields, value])}` };
    return {
      name: ` target ${state}`,
      on: { ...on, click },
      button: button("", null, { class: "lay", "aria-label": label, data }),
    };
  }
}

function lift(event, fields, value) {
  lifted = { fields, value };
  event.dataTransfer.effectAllowed = "move";
  event.dataTransfer.setData("text/plain", String(value));
}
