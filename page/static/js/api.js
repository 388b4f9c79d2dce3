// The public REST API: one function a method. A refusal is thrown as a `Problem`.

import { keepTime } from "./clocks.js";
import { language } from "./i18n.js";

export const AGAIN_MS = 2000; // after which what could not be read is asked for again
const PASSING = new Set(["too_busy", "store_loading", "store_unavailable"]);

let token;

export const useToken = (secret) => (token = secret);

/** A refusal by the service (RFC 9457). */
export class Problem extends Error {
  constructor(body, status) {
    super(body.detail ?? body.title ?? String(status));
    Object.assign(this, { status, code: body.code, title: body.title, rule: body.rule, errors: body.errors });
    Object.assign(this, { line: body.line, column: body.column });
  }

  /** Whether the reason passes by itself. */
  get isPassing() {
    return PASSING.has(this.code);
  }
}

/** The headers of every request: whose it is, and in which language words are wanted. */
export const headers = (more = {}) => ({
  ...(token ? { Authorization: `Bearer ${token}` } : {}),
  "Accept-Language": language,
  ...more,
});

async function ask(method, path, body, { key, repeats = 2, within = LONGEST_MS, isText = false } = {}) {
  const asked = { method, headers: headers(), credentials: "omit", referrerPolicy: "no-referrer" };
  if (body !== undefined) {
    asked.body = JSON.stringify(body);
    asked.headers["Content-Type"] = "application/json";
  }
  // A repeat after a lost answer has the same key, and so happens once.
  if (method === "POST") asked.headers["Idempotency-Key"] = key ?? newKey();
  const { status, ok, text } = await sent(path, asked, repeats, within);
  if (status === 204) return null;
  if (ok && isText) return text;
  if (!ok) throw new Problem(parsed(text) ?? {}, status);
  return parsed(text) ?? lost("no JSON"); // something between here and the service has answered
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function lost(title) {
  throw new Problem({ code: "offline", title }, 0);
}

const LONGEST_MS = 20_000; // then an answer counts as lost: the service gives up sooner

/** An answer with its whole body: one that breaks off is lost as one that never came. */
async function sent(path, asked, repeats, within) {
  try {
    const answer = await fetch(path, { ...asked, signal: AbortSignal.timeout(within) });
    keepTime(answer);
    const busy = answer.status === 503 && answer.headers.get("Retry-After");
    if (!busy || repeats === 0) return { status: answer.status, ok: answer.ok, text: await answer.text() };
    await pause(Number(busy) * 1000);
  } catch ({ message }) {
    if (repeats === 0) lost(message);
    await pause(700);
  }
  return sent(path, asked, repeats - 1, within);
}

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** A key by which the service knows a request again. */
export function newKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

export const api = {
  get: (path) => ask("GET", path),
  text: (path) => ask("GET", path, undefined, { isText: true }),
  /** Asked once, for what nobody waits for longer than so many milliseconds. */
  glance: (path, within) => ask("GET", path, undefined, { repeats: 0, within }),
  post: (path, body = {}, key) => ask("POST", path, body, { key }),
  put: (path, body = {}) => ask("PUT", path, body),
  delete: (path) => ask("DELETE", path),
};
