// The log in groups: what one seat did, with all that followed from it. Draws and shuffles in a row are folded.

import { isQuiet } from "./kinds.js";

/** `[{key, seat, rows}]` in the order of the events; `seat` is null for what nobody's move caused. */
export function groupsOf(rows) {
  const groups = [];
  for (const row of rows) {
    const seat = row.by?.seat ?? null;
    const last = groups.at(-1);
    if (last && last.seat === seat) last.rows.push(row);
    else groups.push({ key: row.version, seat, rows: [row] });
  }
  return groups;
}

/** The rows of a group, those in a row that are quiet as a list of their own. */
export function folded(rows) {
  const found = [];
  for (const row of rows) {
    if (!isQuiet(row)) found.push(row);
    else if (Array.isArray(found.at(-1))) found.at(-1).push(row);
    else found.push([row]);
  }
  return found.flatMap((each) => (Array.isArray(each) && each.length === 1 ? each : [each]));
}
