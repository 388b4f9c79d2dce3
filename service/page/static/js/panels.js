// Beside the table: what happened, the rulings, the figures; one of them at a time.

import { el } from "./dom.js";
import { t } from "./i18n.js";
import { eventList } from "./log.js";
import { Plot } from "./plot.js";
import { Rulings } from "./rulings.js";

const NAMES = ["events", "rulings", "figures"];
const DISPUTES = "disputes"; // where the table has disputes

export class Panels {
  constructor(page) {
    this.page = page;
    this.open = "events";
    this.rulings = new Rulings(page);
    this.plot = new Plot(page);
  }

  draw() {
    const tabs = this.#names.map((name) => this.#tab(name));
    const body = el("div", { class: `panel panel-${this.open}`, role: "tabpanel", id: "panel", "aria-labelledby": `tab-${this.open}` }, this.#content());
    return el("section", { class: "panels", "aria-label": t("panels") }, el("div", { class: "tabs", role: "tablist", "aria-label": t("panels") }, ...tabs), body);
  }

  get #names() {
    return this.page.live.disputes ? [...NAMES, DISPUTES] : NAMES;
  }

  #content() {
    const { page } = this;
    const contents = { events: () => eventList(page), rulings: () => this.rulings.draw(), figures: () => this.plot.draw(), disputes: () => page.court.draw() };
    return contents[this.open]();
  }

  #tab(name) {
    const chosen = name === this.open;
    return el("button", { type: "button", role: "tab", id: `tab-${name}`, "aria-selected": String(chosen), "aria-controls": "panel", tabindex: chosen ? "0" : "-1", data: { key: `tab-${name}` }, on: { click: () => this.show(name), keydown: (event) => this.#key(event, name) } }, t(`panel.${name}`));
  }

  show(name, { focus = false } = {}) {
    this.open = name;
    this.page.draw();
    if (focus) document.getElementById(`tab-${name}`).focus();
  }

  #key(event, name) {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const names = this.#names;
    this.show(names.at((names.indexOf(name) + step) % names.length), { focus: true });
  }
}
