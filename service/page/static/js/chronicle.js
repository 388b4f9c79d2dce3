// All that has happened at a table, as far as it was read: the newest events first of all, the others when asked for.

import { api } from "./api.js";
import { language, t } from "./i18n.js";

const RECENT = 30;
const PAGE = 500;

export class Chronicle {
  constructor(table) {
    Object.assign(this, { table, first: null, last: 0, rows: [], worded: true });
  }

  /** Reads what is newer than what is known; gives the new events. */
  async catchUp(version) {
    if (version <= this.last) return [];
    const known = this.first !== null;
    const after = known ? this.last : Math.max(0, version - RECENT);
    if (!known) this.first = after;
    const news = (await this.#read(after, version)).filter((event) => event.version > this.last);
    this.rows.push(...news);
    this.last = Math.max(this.last, version);
    return known ? news : [];
  }

  /** Reads the beginning too, once. */
  whole() {
    if (this.first) this.reading ??= this.#beginning();
    return this.reading;
  }

  async #beginning() {
    const rows = await this.#read(0, this.first);
    this.rows = [...rows, ...this.rows];
    this.first = 0;
  }

  /** The event that took this one back, if one did. */
  undoing(version) {
    return this.rows.find((event) => event.type === "PlayTakenBack" && event.payload.first <= version && version <= event.payload.last);
  }

  event(version) {
    return this.rows.find((event) => event.version === version);
  }

  async #read(after, until) {
    const rows = [];
    while (after < until) {
      const page = await this.#page(after, Math.min(PAGE, until - after));
      rows.push(...page.events);
      after = page.events.at(-1)?.version ?? until;
    }
    return rows;
  }

  /** A page of events; where no words are to be had, an event is called by its type. */
  async #page(after, limit) {
    const path = `/v1/tables/${this.table}/events?after=${after}&limit=${limit}`;
    const page = this.worded ? await api.get(`${path}&language=${language}`).catch((problem) => this.#wordless(problem, path)) : await api.get(path);
    for (const event of page.events) event.words ??= t(`event.${event.type}`).replace(/(?<!^)[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
    return page;
  }

  #wordless(problem, path) {
    if (problem.status < 500) throw problem;
    this.worded = false;
    return api.get(path);
  }
}

/** Whether an event decides something by rules that it names. */
export const isRuling = (event) => Array.isArray(event?.payload?.rules);
