// Checks an archive as `events/verify.py` does: each event's hash covers the hash before it, its version and its public
// envelope; each opened secret fits its commitment; a batch is whole; times do not run backwards. It knows no game.

const FORMAT = "wintercount-archive";
const FORMAT_VERSION = 1;
const HEADER = ["events", "format", "format_version", "game", "head", "rules_version", "table"];
const TOLD = ["game", "texts", "used_ms", "words"]; // what the API adds to an event, and no archive has
const LINE_FEED = 10;
const BESIDE = ["hash", "opened", ...TOLD]; // what is added to the envelope for its reader
const GENESIS = new Uint8Array(32);

const encoder = new TextEncoder();

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

/** What cannot be read, at the header (place 0) or at a version; `kind` says why. */
class Unreadable extends Error {
  constructor(place, kind) {
    super(`${kind} at ${place}`);
    Object.assign(this, { place, kind });
  }
}

/** The lines in some bytes, without their line feeds; a last line that has none makes `whole` false. */
function* linesOf(bytes) {
  for (let start = 0; start < bytes.length;) {
    const end = bytes.indexOf(LINE_FEED, start);
    yield { bytes: bytes.subarray(start, end < 0 ? bytes.length : end), whole: end >= 0 };
    start = end < 0 ? bytes.length : end + 1;
  }
}

/** The JSON object of a line, which is written canonically: so no name occurs twice either. */
function parse(line, place) {
  let value;
  let text;
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(line.bytes);
    value = JSON.parse(text);
    if (line.whole && canonical(value) === text && isObject(value)) return value;
  } catch {
    throw new Unreadable(place, "no_json");
  }
  throw new Unreadable(place, "not_canonical");
}

/** The event of a line. */
function eventIn(line, version) {
  const event = parse(line, version);
  if (TOLD.some((name) => Object.hasOwn(event, name))) throw new Unreadable(version, "told_along");
  return event;
}

const isObject = (value) => value !== null && typeof value === "object" && !Array.isArray(value);

/** The first line, if it is one of an archive that is known here. */
function header(line) {
  if (!line || !new TextDecoder().decode(line.bytes).includes(FORMAT)) throw new Unreadable(0, "no_archive");
  const head = parse(line, 0);
  if (head.format !== FORMAT) throw new Unreadable(0, "no_archive");
  if (head.format_version !== FORMAT_VERSION) throw new Unreadable(0, "other_format");
  if (Object.keys(head).sort().join() !== HEADER.join()) throw new Unreadable(0, "header_fields");
  return head;
}

/** Throws unless the first event opens the table that the header names. */
function checkOpening(head, event) {
  const opened = isObject(event.payload) ? event.payload : {};
  const same = (name) => opened[name] === head[name] || (opened[name] === undefined && head[name] === null);
  if (event.table !== head.table || !same("game") || !same("rules_version")) throw new Unreadable(1, "other_table");
}

/** Whether the browser has cryptography to make hashes with: it gives it to pages from https, and from this machine, alone. */
export const canHash = () => Boolean(globalThis.crypto?.subtle);

const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

/** The bytes that so many lower-case hexadecimal digits write; throws otherwise. */
function fromHex(text, size) {
  if (typeof text !== "string" || text.length !== 2 * size || !/^[0-9a-f]*$/.test(text))
    throw new TypeError("no such digits");
  return Uint8Array.from({ length: size }, (_, place) => parseInt(text.slice(2 * place, 2 * place + 2), 16));
}

/** SHA-256 of bytes and text put together. */
async function sha256(...parts) {
  const bytes = parts.map((part) => (typeof part === "string" ? encoder.encode(part) : part));
  const whole = new Uint8Array(bytes.reduce((sum, each) => sum + each.length, 0));
  let at = 0;
  for (const each of bytes) {
    whole.set(each, at);
    at += each.length;
  }
  return new Uint8Array(await crypto.subtle.digest("SHA-256", whole));
}

/** A version as the chain has it: 8 bytes, big endian. */
function eightBytes(version) {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(version));
  return bytes;
}

/** Canonical JSON (docs/log.md): names in code point order, no white space, UTF-8 unescaped; there are no floats. */
function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  const members = Object.keys(value).sort(byCodePoints);
  return `{${members.map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`).join(",")}}`;
}

/** JavaScript compares halves of characters: those beyond the first 65,536 would come before some that they follow. */
function byCodePoints(one, other) {
  const [left, right] = [Array.from(one), Array.from(other)];
  for (let place = 0; place < Math.min(left.length, right.length); place++) {
    const difference = left[place].codePointAt(0) - right[place].codePointAt(0);
    if (difference) return difference;
  }
  return left.length - right.length;
}
