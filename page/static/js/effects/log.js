// Reads what has happened at a table.

import { api } from "../api.js";
import { language, t } from "../i18n.js";

export const RECENT = 5; // at first; the others are read when there is nothing else to do
const PAGE = 500;

/** The events behind `after`, up to `until`, each with its sentence. */
export async function readEvents(table, after, until) {
  const rows = [];
  while (after < until) {
    const page = await readPage(table, after, Math.min(PAGE, until - after));
    rows.push(...page.events.map(worded));
    after = page.events.at(-1)?.version ?? until;
  }
  return rows;
}

/** An event with a sentence; where none is to be had it is called by its type. */
export const worded = (event) => ({ ...event, words: event.words ?? nameOf(event.type) });

const nameOf = (type) => t(`event.${type}`).replace(/(?<!^)[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

async function readPage(table, after, limit) {
  const path = `/v1/tables/${table}/events?after=${after}&limit=${limit}`;
  try {
    return await api.get(`${path}&language=${language}`);
  } catch (problem) {
    if (problem.status < 500) throw problem;
    return api.get(path);
  }
}
