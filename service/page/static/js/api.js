// The public REST API: one function a method. A refusal is thrown as a `Problem`.

import { language } from "./i18n.js";

let token;

export const useToken = (secret) => (token = secret);

/** A refusal by the service (RFC 9457). */
export class Problem extends Error {
  constructor(body, status) {
    super(body.detail ?? body.title ?? String(status));
    Object.assign(this, { status, code: body.code, title: body.title, rule: body.rule, errors: body.errors });
    Object.assign(this, { line: body.line, column: body.column });
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
  const answer = await sent(path, asked, repeats, within);
  if (answer.status === 204) return null;
  if (answer.ok && isText) return answer.text();
  const read = await answer.json().catch(() => ({}));
  if (!answer.ok) throw new Problem(read, answer.status);
  return read;
}

const LONGEST_MS = 20_000; // then an answer counts as lost: the service gives up sooner

async function sent(path, asked, repeats, within) {
  try {
    const answer = await fetch(path, { ...asked, signal: AbortSignal.timeout(within) });
    const busy = answer.status === 503 && answer.headers.get("Retry-After");
    if (!busy || repeats === 0) return answer;
    await pause(Number(busy) * 1000);
  } catch (lost) {
    if (repeats === 0) throw new Problem({ code: "offline", title: lost.message }, 0);
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
  delete: (path) => ask("DELETE", path),
};
