/** `fetch` that sends again what may be sent again, and gives good answers alone. */

import { Patience, sleep } from "./patience.js";

const KEY = "Idempotency-Key";
const TIMEOUT_MS = 30_000;
const WITHOUT_BODY = [204, 304];

/** A `fetch` whose answers are complete; throws `Problem` for a refusal and `NoAnswer` if none came. */
export function patient(plain: typeof fetch, patienceS: number): typeof fetch {
  return async (input, init) => {
    const request = keyed(new Request(input, init));
    const patience = new Patience(request, patienceS);
    for (;;) {
      let answer: Response;
      try {
        answer = await whole(plain, request);
      } catch (error) {
        if (request.signal.aborted) throw error;
        await sleep(patience.afterLoss(error));
        continue;
      }
      if (answer.ok) return answer;
      await sleep(await patience.afterRefusal(answer));
    }
  };
}

/** An answer with its body: one that breaks off in the middle is lost as well. */
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

// `crypto.randomUUID` is there in secure contexts alone, and a page may be read over plain http.
function randomKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
