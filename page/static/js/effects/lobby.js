// What the lobby reads: the games, and of each list as many rows as are looked at.

import { api } from "../api.js";
import { queries } from "../state/lobby.js";

const LONGEST = 200; // rows of a page, at most
const PAGES = 20; // a filter that fits few tables is looked for no further at once

const pathOf = (query) =>
  `/v1/tables?${new URLSearchParams(Object.entries(query).filter(([, value]) => value !== undefined))}`;

/** The first rows of a list, so many if there are: `{ rows, total, next }`. */
async function readList(query, count) {
  const found = { rows: [], total: 0, next: null };
  for (let page = 0; page < PAGES; page += 1) {
    const limit = Math.min(LONGEST, count - found.rows.length);
    const cursor = found.next ?? undefined;
    const { tables, total, next } = await api.get(pathOf({ ...query, limit, cursor }));
    Object.assign(found, { rows: [...found.rows, ...tables], total, next });
    if (!next || found.rows.length >= count) break;
  }
  return found;
}

/** All that the lobby shows: the games, and each list by its name; `count(name)` is how many of its rows are looked at. */
export async function readLobby(filters, known, count) {
  const asked = Object.entries(queries(filters, known, new Date()));
  const [{ games }, ...lists] = await Promise.all([
    api.get("/v1/games"),
    ...asked.map(([name, query]) => readList(query, count(name))),
  ]);
  return { games, lists: Object.fromEntries(asked.map(([name], index) => [name, lists[index]])) };
}
