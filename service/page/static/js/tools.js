// What the games draw with: pieces that can be clicked when a legal move has them, and places that can be highlighted.

import { button, el } from "./dom.js";
import { t } from "./i18n.js";

export class Tools {
  /** `table` is the API's document, `composer` what may be chosen (or null), `act` what a click leads to. */
  constructor(table, composer, act) {
    Object.assign(this, { table, composer, act, seen: new Map(), offered: new Set() });
  }

  /** Marks a node as the picture of a place of the document, named by a JSON Pointer. */
  at(pointer, node) {
    node.dataset.path = pointer;
    return node;
  }

  /** A card or tile: a button if it can be picked. `fields` are the parts of a move that it may stand for. */
  piece(fields, value, picture, { ask = false, label, drag = false } = {}) {
    const id = JSON.stringify([fields, value]);
    const before = this.seen.get(id) ?? 0;
    this.seen.set(id, before + 1);
    const state = this.#state(fields, value, before, ask);
    if (!state) return el("span", { class: "piece" }, picture);
    this.#offer(fields, value);
    const node = button(picture, () => this.act(fields, value, state === "picked"), {
      class: `piece ${state}`,
      "aria-pressed": String(state === "picked"),
      "aria-label": label,
      draggable: drag && state !== "cannot" ? "true" : null,
      data: { key: `${id}${before}` },
    });
    if (drag) node.addEventListener("dragstart", (event) => this.#lift(event, fields, value));
    return node;
  }

  #state(fields, value, before, ask) {
    if (!this.composer) return null;
    if (this.composer.picks(fields, value) > before) return "picked";
    if (this.composer.may(fields, value)) return "can";
    return ask && this.composer.mayAsk(fields) ? "cannot" : null;
  }

  #offer(fields, value) {
    for (const field of fields) this.offered.add(`${field}=${JSON.stringify(value)}`);
  }

  /** Whether the drawing itself offers this part of a move. */
  offers(field, value) {
    return this.offered.has(`${field}=${JSON.stringify(value)}`);
  }

  /** A place to put what was picked: makes the node take clicks and drops, and gives the button for the keyboard. */
  target(node, fields, value, label) {
    const state = this.#state(fields, value, 0, this.#picking(fields));
    if (this.composer) this.#offer(fields, value); // as soon as there is something to put here
    if (!state || (state === "can" && !this.#picking(fields))) return null;
    const choose = () => this.act(fields, value, state === "picked");
    node.classList.add("target", state);
    node.addEventListener("click", (event) => event.target.closest("button, a") || choose());
    return button(state === "cannot" ? t("move.why_not") : label, choose, {
      class: `lay ${state}`,
      data: { key: `target${JSON.stringify([fields, value])}` },
    });
  }

  #picking(fields) {
    const form = this.composer?.form;
    if (!form) return false;
    return form.card != null || form.picked?.length > 0 || !form.fields.some((field) => !fields.includes(field));
  }

  /** Lets a card that is dragged be dropped on the node. */
  landing(node, fields, value) {
    if (!this.composer) return;
    node.addEventListener("dragover", (event) => event.preventDefault());
    node.addEventListener("drop", (event) => {
      event.preventDefault();
      if (!Tools.lifted) return;
      this.composer.clear();
      this.composer.pick(Tools.lifted.fields, Tools.lifted.value);
      this.act(fields, value, false);
    });
  }

  #lift(event, fields, value) {
    Tools.lifted = { fields, value };
    event.dataTransfer.effectAllowed = "move";
    event.dataTransfer.setData("text/plain", String(value));
  }
}
