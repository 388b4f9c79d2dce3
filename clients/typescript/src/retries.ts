/** When a request is sent again, and how long the client waits before. */

import { NoAnswer, problemOf } from "./problems.js";

const FIRST_S = 0.5;
const LONGEST_S = 8;
const KEY = "Idempotency-Key";
const NOTHING_DONE = [429];
const PERHAPS_DONE = [502, 503, 504]; // by a proxy, or by a store that did not answer in time
const OVERTAKEN = "conflict"; // others were faster several times in a row

/** The retries of a request: the waits between them add up to at most `limitS` seconds. */
export class Retries {
  #leftS: number;
  #tries = 0;

  constructor(
    private readonly request: Request,
    private readonly limitS: number,
  ) {
    this.#leftS = limitS;
  }

  /** Starts again after a success. */
  reset(): void {
    this.#leftS = this.limitS;
    this.#tries = 0;
  }

  /** Seconds to wait after no answer came; throws `NoAnswer` if the request must not be repeated. */
  afterLoss(error?: unknown): number {
    const waitS = this.#backoffS();
    if (this.#mayBeRepeated() && waitS <= this.#leftS) return this.#take(waitS);
    const { method, url } = this.request;
    throw new NoAnswer(`${method} ${new URL(url).pathname}: ${error ?? "the stream broke off"}`, { cause: error });
  }

  /** Seconds to wait after a refusal that may pass; throws `Problem` for any other. */
  async afterRefusal(answer: Response): Promise<number> {
    const problem = await problemOf(answer);
    const header = answer.headers.get("Retry-After") ?? "";
    const waitS = /^[0-9]+$/.test(header) ? Number(header) : this.#backoffS();
    if (!this.#mayPass(problem.status, problem.code) || waitS > this.#leftS) throw problem;
    return this.#take(waitS);
  }

  #mayPass(status: number, code: string): boolean {
    if (NOTHING_DONE.includes(status)) return true;
    return this.#mayBeRepeated() && (PERHAPS_DONE.includes(status) || code === OVERTAKEN);
  }

  #mayBeRepeated(): boolean {
    return this.request.method !== "POST" || this.request.headers.has(KEY);
  }

  #backoffS(): number {
    return Math.min(LONGEST_S, FIRST_S * 2 ** this.#tries) * (0.5 + Math.random() / 2);
  }

  #take(waitS: number): number {
    this.#leftS -= waitS;
    this.#tries += 1;
    return waitS;
  }
}

/** Waits so many seconds. */
export function sleep(seconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, seconds * 1000));
}
