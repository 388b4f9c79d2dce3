// The lines of an archive (docs/archive.md): a header, then an event each.

import { canonical } from "./canonical.js";

const FORMAT = "wintercount-archive";
const FORMAT_VERSION = 1;
const HEADER = ["events", "format", "format_version", "game", "head", "rules_version", "table"];
export const TOLD = ["game", "texts", "used_ms", "words"]; // what the API adds to an event, and no archive has
const LINE_FEED = 10;

/** What cannot be read, at the header (place 0) or at a version; `kind` says why. */
export class Unreadable extends Error {
  constructor(place, kind) {
    super(`${kind} at ${place}`);
    Object.assign(this, { place, kind });
  }
}

/** The lines of some bytes, without their line feeds; a last one that has none is told as `whole: false`. */
export function* linesOf(bytes) {
  for (let start = 0; start < bytes.length;) {
    const end = bytes.indexOf(LINE_FEED, start);
    yield { bytes: bytes.subarray(start, end < 0 ? bytes.length : end), whole: end >= 0 };
    start = end < 0 ? bytes.length : end + 1;
  }
}

/** The JSON object of a line, which is written canonically: so no name occurs twice either. */
export function parse(line, place) {
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
export function eventIn(line, version) {
  const event = parse(line, version);
  if (TOLD.some((name) => Object.hasOwn(event, name))) throw new Unreadable(version, "told_along");
  return event;
}

export const isObject = (value) => value !== null && typeof value === "object" && !Array.isArray(value);

/** The first line, if it is one of an archive that is known here. */
export function header(line) {
  if (!line || !new TextDecoder().decode(line.bytes).includes(FORMAT)) throw new Unreadable(0, "no_archive");
  const head = parse(line, 0);
  if (head.format !== FORMAT) throw new Unreadable(0, "no_archive");
  if (head.format_version !== FORMAT_VERSION) throw new Unreadable(0, "other_format");
  if (Object.keys(head).sort().join() !== HEADER.join()) throw new Unreadable(0, "header_fields");
  return head;
}

/** Throws if the first event opens another table than the header tells of. */
export function checkOpening(head, event) {
  const opened = isObject(event.payload) ? event.payload : {};
  const same = (name) => opened[name] === head[name] || (opened[name] === undefined && head[name] === null);
  if (event.table !== head.table || !same("game") || !same("rules_version")) throw new Unreadable(1, "other_table");
}
