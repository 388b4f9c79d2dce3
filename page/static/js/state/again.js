// The same game once more.

const KEPT = ["game", "options", "visibility", "clock", "arbiter", "disputes", "aids", "ratings"];

/** The table to open after this one: all that was agreed on, the seats turned; people find theirs kept for them. */
export function again(table) {
  const agreed = Object.fromEntries(KEPT.map((name) => [name, table[name]]));
  const rated = table.counted ? table.rated : null; // a result that does not count tells nothing of what was agreed on
  return { ...agreed, rated, seats: turned(table.seats).map((seat) => offer(seat, table.seat)) };
}

/** The seats turned by one: whoever sat last sits first. */
const turned = (seats) => [...seats.slice(-1), ...seats.slice(0, -1)];

/** Whom a seat is offered to. */
function offer({ seat, level, player }, own) {
  if (seat === own) return { kind: "me" };
  if (level) return { kind: "ai", level };
  return player ? { kind: "player", player } : { kind: "open" };
}
