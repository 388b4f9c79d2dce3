// What each ruling was worth to each seat. A seat's lead is its total less the best total of the others; its swing by a
// ruling is how much its lead changed from just before the ruling to just before the next one, or to the end of all that
// followed from the same move.

import { isRuling } from "./log.js";

/** `{event, swings}` for every ruling that stands; `totalsAt(version)` gives seats with their totals. */
function swingsOf(events, totalsAt) {
  return events.filter(isRuling).map((event) => {
    const end = lastOf(event, events);
    const [before, after] = [leads(totalsAt(event.version - 1)), leads(totalsAt(end))];
    return { event, swings: new Map([...after].map(([seat, lead]) => [seat, lead - (before.get(seat) ?? 0)])) };
  });
}

const MOST = 3;

/** The rulings that changed a lead most, each with the seat that gained by it: the greatest first. */
export function largestSwings(events, totalsAt) {
  const gains = swingsOf(events, totalsAt).map(({ event, swings }) => {
    const [seat, swing] = [...swings].sort(([, one], [, other]) => other - one)[0] ?? [null, 0];
    return { event, seat, swing };
  });
  const telling = gains.filter(({ swing }) => swing > 0);
  return telling
    .sort((one, other) => other.swing - one.swing || one.event.version - other.event.version)
    .slice(0, MOST);
}

/** The last event that counts for a ruling. */
function lastOf(ruling, events) {
  const next = events.find((event) => event.version > ruling.version && isRuling(event));
  return next && next.version <= ruling.batch[1] ? next.version - 1 : ruling.batch[1];
}

function leads(totals) {
  return new Map(
    totals.map(({ seat, total }) => [
      seat,
      total - Math.max(...totals.filter((row) => row.seat !== seat).map((row) => row.total)),
    ]),
  );
}
