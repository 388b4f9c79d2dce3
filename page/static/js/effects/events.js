// The events of a table: read page by page, and followed as Server-Sent Events. These come over fetch, as EventSource
// cannot send the Authorization header.

import { api, headers } from "../api.js";
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

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 4000; // a service that comes back is noticed within 5 seconds
const SILENCE_MS = 40000; // the service sends a comment every 15 seconds; a longer silence is a lost connection

/**
 * Follows a table behind a version until it is closed or `stop` is called on what this returns.
 * `onEvent` is told of every event as it is read here, with its sentence; `onState` of "live", "lost" and "ended".
 */
export function follow(table, after, { onEvent, onState }) {
  const stopped = new AbortController();
  const seen = { last: after, pause: FIRST_PAUSE_MS };
  run(table, seen, stopped.signal, { onEvent, onState });
  return { stop: () => stopped.abort() };
}

async function run(table, seen, stopped, listeners) {
  while (!stopped.aborted) {
    try {
      if (await listen(table, seen, stopped, listeners)) return listeners.onState("ended");
    } catch {
      if (stopped.aborted) return;
    }
    listeners.onState("lost");
    await pause(seen.pause * (0.5 + Math.random() / 2), stopped);
    seen.pause = Math.min(seen.pause * 2, LONGEST_PAUSE_MS);
  }
}

/** One connection; true if the stream has ended for good, and not merely broken off. */
function listen(table, seen, stopped, { onEvent, onState }) {
  const path = `/v1/tables/${table}/events?language=${language}`;
  return connection(path, stopped, { "Last-Event-ID": String(seen.last) }, async ({ status }, frames) => {
    if (status === 204) return true;
    onState("live");
    seen.pause = FIRST_PAUSE_MS;
    for await (const frame of frames) {
      if (frame.event === "end") return endsFor(JSON.parse(frame.data).reason);
      if (!frame.id) continue;
      seen.last = frame.id;
      onEvent(JSON.parse(frame.data));
    }
    return false;
  });
}

/**
 * One connection to a stream: returns what `read(answer, frames)` does, which may leave the frames alone. It breaks off when
 * `stopped` is aborted, nothing is heard for long or the browser is offline.
 */
export async function connection(path, stopped, more, read) {
  const silence = new AbortController();
  const breakOff = () => silence.abort();
  let timer = setTimeout(breakOff, SILENCE_MS);
  const heard = () => {
    clearTimeout(timer);
    timer = setTimeout(breakOff, SILENCE_MS);
  };
  addEventListener("offline", breakOff); // the browser knows before the connection breaks
  try {
    const answer = await fetch(path, {
      headers: headers({ Accept: "text/event-stream", ...more }),
      cache: "no-store",
      signal: AbortSignal.any([stopped, silence.signal]),
    });
    if (!answer.ok) throw new Error(`status ${answer.status}`);
    return await read(answer, framesOf(answer.body, heard));
  } finally {
    clearTimeout(timer);
    removeEventListener("offline", breakOff);
  }
}

/** Whether a stream that ends for this reason has ended for good. */
function endsFor(reason) {
  // The table has not the events any more that this page was told: nothing here can be gone on from.
  if (reason === "log_damaged") location.reload();
  return !mayGoOn(reason);
}

/** A token that was exchanged ends the streams that were opened with it, and the new one opens them again. */
export const mayGoOn = (reason) => reason === "access_ended";

/** The frames of a stream, each as an object of its fields; `heard()` is called at each. */
async function* framesOf(body, heard) {
  let text = "";
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    text += part.value;
    const whole = text.split("\n\n");
    text = whole.pop();
    for (const frame of whole) {
      heard();
      yield Object.fromEntries(frame.split("\n").map(field));
    }
  }
}

function field(line) {
  const colon = line.indexOf(":");
  return [line.slice(0, colon), line.slice(colon + 1).trimStart()];
}

function pause(milliseconds, signal) {
  return new Promise((resolve) => {
    const over = () => {
      clearTimeout(timer);
      removeEventListener("online", over);
      resolve();
    };
    const timer = setTimeout(over, milliseconds);
    addEventListener("online", over);
    signal.addEventListener("abort", over, { once: true });
  });
}
