// A branch of a game as a row of moments, from the one that it has in common with another branch: each is a table and a
// version behind which one more event of the game had happened.

import { api } from "./api.js";
import { readEvents } from "./effects/log.js";
import { undoing } from "./state/log.js";

// What tables of every game have; all other events are the game's own, and those are counted.
const NOT_PLAY =
  /^(Table(Opened|Forked|Closed)|Seat(Taken|Left|HandedOver|Resigned)|Play(Continued|TakenBack)|Clock|Deadline|Dispute|Arbiter|Offer|SeedRevealed)/;

export class Branch {
  /** The branch `table` behind version `common.version` of the table `common.table`. */
  static async read(table, common) {
    const moments = [{ table: common.table, version: common.version, event: null }];
    for (const { id, after, until } of await segments(table, common)) {
      const rows = await readEvents(id, 0, until);
      const counts = ({ version, type }) => version > after && !NOT_PLAY.test(type) && !undoing({ rows }, version);
      const own = rows.filter(counts);
      moments.push(...own.map((event) => ({ table: id, version: event.version, event })));
    }
    return new Branch(table, moments);
  }

  constructor(table, moments) {
    Object.assign(this, { table, moments });
  }

  /** The events that are told of this branch. */
  get rows() {
    return this.moments.flatMap(({ event }) => event ?? []);
  }

  get last() {
    return this.moments.length - 1;
  }

  /** What is reached after so many events; the end, if there are fewer. */
  at(number) {
    return this.moments[Math.min(number, this.last)];
  }

  document(number) {
    const { table, version } = this.at(number);
    return api.get(`/v1/tables/${table}?at=${version}`);
  }
}

/** The tables that lead to this one, the eldest first, each with the versions that count: behind `after`, up to `until`. */
async function segments(table, common) {
  const found = [];
  let id = table;
  let { version: until, forked_from: from } = await api.get(`/v1/tables/${id}`);
  while (id !== common.table) {
    found.unshift({ id, after: 0, until });
    [id, until] = [from.table, from.version];
    if (id !== common.table) from = (await api.get(`/v1/tables/${id}`)).forked_from;
  }
  return [{ id, after: common.version, until }, ...found];
}
