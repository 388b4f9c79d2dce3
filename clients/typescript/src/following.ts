/** Streams: what they tell, frame by frame, and where each goes on after it broke off. */

import { createParser, type EventSourceMessage } from "eventsource-parser";

import { Patience, sleep } from "./patience.js";
import { StreamEnded } from "./problems.js";

const LAST_REASON = "table_closed";
const NEVER_HEARD_MS = 45_000; // without a sign of life, of which a server sends one every 15 seconds

/** A stream: where it is, which of its frames are told, and how it goes on. */
export interface Followed {
  plain: typeof fetch;
  url: string;
  headers: Record<string, string>;
  patienceS: number;
  /** The id of the last frame that was read. */
  last?: string | undefined;
  /** The only event of frames that is told; undefined: all of them. */
  tells?: string;
}

/** What a stream tells, to its end, however often it breaks off; leaving the loop closes it. */
export async function* follow<T>(followed: Followed): AsyncGenerator<T, void, undefined> {
  const patience = new Patience(requestFor(followed), followed.patienceS);
  for (;;) {
    const leaving = new AbortController();
    let waitS: number;
    try {
      const answer = await followed.plain(requestFor(followed), { signal: leaving.signal });
      if (answer.status === 204) return;
      if (answer.ok) {
        for await (const frame of frames(answer, () => patience.renew())) {
          if (isEnd(frame)) return;
          followed.last = frame.id ?? followed.last;
          if (!followed.tells || followed.tells === frame.event) yield JSON.parse(frame.data);
        }
      }
      waitS = answer.ok ? patience.afterLoss() : await patience.afterRefusal(answer);
    } catch (error) {
      if (!isLoss(error)) throw error;
      waitS = patience.afterLoss(error);
    } finally {
      leaving.abort();
    }
    await sleep(waitS);
  }
}

function requestFor({ url, headers, last }: Followed): Request {
  const place: Record<string, string> = last === undefined ? {} : { "Last-Event-ID": last };
  return new Request(url, { headers: { ...headers, ...place, Accept: "text/event-stream" }, redirect: "error" });
}

/** The frames of an answer; whatever comes is `heard` of, signs of life too. */
async function* frames(answer: Response, heard: () => void): AsyncGenerator<EventSourceMessage, void, undefined> {
  const found: EventSourceMessage[] = [];
  const parser = createParser({ onEvent: (frame) => found.push(frame) });
  const decoder = new TextDecoder();
  const reader = answer.body?.getReader();
  for (;;) {
    const part = await unlessSilent(reader?.read());
    if (!part || part.done) return;
    heard();
    parser.feed(decoder.decode(part.value, { stream: true }));
    yield* found.splice(0);
  }
}

/** What comes, unless nothing does for too long. */
async function unlessSilent<T>(coming: Promise<T> | undefined): Promise<T | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const never = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new TypeError("nothing was heard")), NEVER_HEARD_MS);
  });
  try {
    return await Promise.race([coming, never]);
  } finally {
    clearTimeout(timer);
  }
}

/** Whether a connection was lost: `fetch` and its bodies fail with a `TypeError`, some of them with a `DOMException`. */
function isLoss(error: unknown): boolean {
  return error instanceof TypeError || error instanceof DOMException;
}

function isEnd(frame: EventSourceMessage): boolean {
  if (frame.event !== "end") return false;
  const { reason }: { reason: string } = JSON.parse(frame.data);
  if (reason !== LAST_REASON) throw new StreamEnded(reason);
  return true;
}
