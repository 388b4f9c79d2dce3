/** Errors of the client. */

import type { Problem as Body } from "./generated/types.gen.js";

/** A refusal by the server, with its reason (RFC 9457). */
export class Problem extends Error {
  override readonly name = "Problem";
  /** For programs; `body.type` is the page that says what to do about it. */
  readonly code: string;
  readonly detail: string;
  /** The rule of the game that forbids the move. */
  readonly rule: string | undefined;
  readonly retryAfter: number | undefined;
  readonly requestId: string | undefined;

  constructor(
    readonly status: number,
    readonly body: Partial<Body>,
  ) {
    const code = body.code ?? `http_${status}`;
    const detail = body.detail ?? body.title ?? `HTTP ${status}`;
    super(`${code}: ${detail}${body.rule ? ` (${body.rule})` : ""}`);
    this.code = code;
    this.detail = detail;
    this.rule = body.rule;
    this.retryAfter = body.retry_after;
    this.requestId = body.request_id;
  }
}

/** No answer came, however often the request was repeated; whether it had an effect is not known. */
export class NoAnswer extends Error {
  override readonly name = "NoAnswer";
}

/** A stream cannot go on: `access_ended`, or `log_damaged` the server has lost events. */
export class StreamEnded extends Error {
  override readonly name = "StreamEnded";

  constructor(readonly reason: string) {
    super(reason);
  }
}

/** The problem in an answer; a proxy may answer without a problem document. */
export async function problemOf(answer: Response): Promise<Problem> {
  const text = await answer.text();
  return new Problem(answer.status, bodyOf(text));
}

function bodyOf(text: string): Partial<Body> {
  try {
    const body: Partial<Body> | null = JSON.parse(text);
    return body !== null && typeof body === "object" ? body : {};
  } catch {
    return {};
  }
}
