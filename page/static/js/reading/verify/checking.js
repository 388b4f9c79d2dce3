// Checks an archive as `events/verify.py` does: each event's hash covers the hash before it, its version and its public
// envelope; each opened secret fits its commitment; a batch is whole; times do not run backwards. It knows no game.

import { canonical } from "./canonical.js";
import { eightBytes, fromHex, hex, sha256 } from "./digests.js";
import { checkOpening, eventIn, header, isObject, linesOf, TOLD, Unreadable } from "./lines.js";

const BESIDE = ["hash", "opened", ...TOLD]; // what is added to the envelope for its reader
const GENESIS = new Uint8Array(32);

/**
 * What was found: `faults` as `{ place, kind, name }` (place 0 is the header), and how much was checked. `progress(done,
 * all)` is called now and then.
 */
export async function checkArchive(bytes, progress = () => {}) {
  const found = { faults: [], head: null, events: 0, opened: 0, sealed: 0, rows: [] };
  try {
    await check(linesOf(bytes), found, progress);
  } catch (problem) {
    if (!(problem instanceof Unreadable)) throw problem;
    found.faults = [{ place: problem.place, kind: problem.kind }];
  }
  return found;
}

async function check(lines, found, progress) {
  found.head = header(lines.next().value);
  const state = { previous: GENESIS, table: null, at: "", batch: [1, 0] };
  for (const line of lines) {
    const version = found.events + 1;
    const event = eventIn(line, version);
    if (version === 1) checkOpening(found.head, event);
    found.events = version;
    found.faults = await eventFaults(event, version, state);
    if (found.faults.length) return;
    count(event, found);
    Object.assign(state, { previous: fromHex(event.hash, 32), table: event.table, at: event.at, batch: event.batch });
    if (version % 50 === 0) progress(version, found.head.events);
  }
  found.faults = endFaults(found, state);
}

function count(event, found) {
  const opened = Object.keys(event.opened ?? {}).length;
  found.opened += opened;
  found.sealed += Object.keys(event.secrets).length - opened;
  found.rows.push({
    version: event.version,
    type: event.type,
    hash: event.hash,
    opened: Object.keys(event.opened ?? {}),
  });
}

/** What is wrong with an event; whatever is no event at all is so too. */
async function eventFaults(event, version, state) {
  const fault = (kind, name) => ({ place: version, kind, name });
  try {
    const found = [...(await ownFaults(event, version, state.previous, fault))];
    const [first, last] = pair(event.batch);
    const same = first === state.batch[0] && last === state.batch[1];
    if (!same && (state.batch[1] >= version || first !== version)) found.push(fault("torn"));
    if (state.table !== null && text(event.table) !== state.table) found.push(fault("other_table"));
    if (text(event.at) < state.at) found.push(fault("backwards"));
    return found;
  } catch (problem) {
    if (problem instanceof TypeError || problem instanceof RangeError) return [fault("no_event")];
    throw problem;
  }
}

async function ownFaults(event, version, previous, fault) {
  if (event.version !== version) return [fault("missing")];
  const found = [];
  const digest = await sha256(previous, eightBytes(version), canonical(envelopeOf(event)));
  if (hex(digest) !== hex(fromHex(event.hash, 32))) found.push(fault("hash"));
  const [first, last] = pair(event.batch);
  if (!(first <= version && version <= last)) found.push(fault("batch"));
  if (Object.hasOwn(event, "now") && !(text(event.now) < text(event.at))) found.push(fault("now"));
  return [...found, ...(await brokenSeals(event, fault))];
}

/** The public envelope: the event without what was added for the reader. */
function envelopeOf(event) {
  const opened = object(event.opened ?? {});
  const [readers, payload] = [object(event.readers), object(event.payload)];
  const hidden = (name) => Object.hasOwn(opened, name) && Object.hasOwn(readers, name);
  const kept = Object.entries(event).filter(([name]) => !BESIDE.includes(name) && !Object.hasOwn(opened, name));
  const open = Object.fromEntries(Object.entries(payload).filter(([name]) => !hidden(name)));
  return { ...Object.fromEntries(kept), payload: open };
}

async function brokenSeals(event, fault) {
  const [secrets, readers] = [object(event.secrets), object(event.readers)];
  for (const commitment of Object.values(secrets)) fromHex(commitment, 32);
  const found = [];
  for (const [name, seal] of Object.entries(event.opened ?? {})) {
    const value = (Object.hasOwn(readers, name) ? event.payload[name] : event[name]) ?? null;
    const digest = await sha256(fromHex(object(seal).salt, 16), canonical(value));
    const fits = Object.hasOwn(secrets, name) && hex(digest) === secrets[name] && Object.keys(seal).join() === "salt";
    if (!fits) found.push(fault("seal", name));
  }
  return found;
}

function endFaults({ head, events }, { previous, batch }) {
  const fault = (place, kind) => [{ place, kind }];
  if (!Number.isInteger(head.events) || events !== head.events) return fault(events + 1, "count");
  if (events && hex(previous) !== head.head) return fault(events, "head");
  if (events && batch[1] !== events) return fault(events + 1, "torn");
  return [];
}

function object(value) {
  if (!isObject(value)) throw new TypeError("no object");
  return value;
}

function text(value) {
  if (typeof value !== "string") throw new TypeError("no text");
  return value;
}

function pair(value) {
  if (!Array.isArray(value) || value.length !== 2 || !value.every(Number.isInteger)) throw new TypeError("no pair");
  return value;
}
