/** What may go wrong: a refusal, no answer, a stream that cannot go on. */

import type { Problem as Body } from "./generated/types.gen.js";

/** The server refused a request, and says why (RFC 9457). */
export class Problem extends Error {
  override readonly name = "Problem";
  /** For programs; the page that `body.type` names says what to do about it. */
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
    const code = body.code ?? `http-${status}`;
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

/** A stream cannot go on: `access_ended`, or `log_damaged` where the server lost events that it had told. */
export class StreamEnded extends Error {
  override readonly name = "StreamEnded";

  constructor(readonly reason: string) {
    super(reason);
  }
}

/** A move was to be played without naming a decision, and not exactly one is open to me. */
export class NoDecision extends Error {
  override readonly name = "NoDecision";
}

/** The refusal in an answer; what is between us and the server may answer without a problem document. */
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
