/** A `fetch` that repeats requests that may be repeated, and returns only successes. */

import { Retries, sleep } from "./retries.js";

const KEY = "Idempotency-Key";
const TIMEOUT_MS = 30_000;
const WITHOUT_BODY = [204, 304];

/** Returns such a `fetch`, whose answers are complete; throws `Problem` for a refusal and `NoAnswer` if none came. */
export function resending(plain: typeof fetch, retryS: number): typeof fetch {
  return async (input, init) => {
    const request = keyed(new Request(input, init));
    const retries = new Retries(request, retryS);
    for (;;) {
      let answer: Response;
      try {
        answer = await whole(plain, request);
      } catch (error) {
        if (request.signal.aborted) throw error;
        await sleep(retries.afterLoss(error));
        continue;
      }
      if (answer.ok) return answer;
      await sleep(await retries.afterRefusal(answer));
    }
  };
}

/** An answer with its whole body: one that breaks off is lost. */
async function whole(plain: typeof fetch, request: Request): Promise<Response> {
  const signal = AbortSignal.any([request.signal, AbortSignal.timeout(TIMEOUT_MS)]);
  const answer = await plain(request.clone(), { signal });
  const body = await answer.arrayBuffer();
  return new Response(WITHOUT_BODY.includes(answer.status) ? null : body, answer);
}

function keyed(request: Request): Request {
  if (request.method === "POST" && !request.headers.has(KEY)) request.headers.set(KEY, randomKey());
  return request;
}

// `crypto.randomUUID` exists only in secure contexts; a page may be served over plain http.
function randomKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
