/** Streams of server-sent events, read on after each break. */

import { createParser, type EventSourceMessage } from "eventsource-parser";

import { Retries, sleep } from "./retries.js";
import { StreamEnded } from "./problems.js";

const LAST_REASON = "table_closed";
const SILENCE_MS = 45_000; // the server sends a sign of life every 15 seconds

/** A stream: its address, the kind of frames to read, and where it goes on. */
export interface Stream {
  fetch: typeof fetch;
  url: string;
  headers: Record<string, string>;
  retryS: number;
  /** The id of the last frame that was read. */
  last?: string | undefined;
  /** The event of the frames to read; undefined: all of them. */
  kind?: string;
}

/** The items of a stream to its end, connecting again after each break; leaving the loop closes it. */
export async function* follow<T>(stream: Stream): AsyncGenerator<T, void, undefined> {
  const retries = new Retries(requestFor(stream), stream.retryS);
  for (;;) {
    const leaving = new AbortController();
    let waitS: number;
    try {
      const answer = await stream.fetch(requestFor(stream), { signal: leaving.signal });
      if (answer.status === 204) return;
      if (answer.ok) {
        for await (const frame of frames(answer, () => retries.reset())) {
          if (isEnd(frame)) return;
          stream.last = frame.id ?? stream.last;
          if (!stream.kind || stream.kind === frame.event) yield JSON.parse(frame.data);
        }
      }
      waitS = answer.ok ? retries.afterLoss() : await retries.afterRefusal(answer);
    } catch (error) {
      if (!isLoss(error)) throw error;
      waitS = retries.afterLoss(error);
    } finally {
      leaving.abort();
    }
    await sleep(waitS);
  }
}

function requestFor({ url, headers, last }: Stream): Request {
  const place: Record<string, string> = last === undefined ? {} : { "Last-Event-ID": last };
  return new Request(url, { headers: { ...headers, ...place, Accept: "text/event-stream" }, redirect: "error" });
}

/** The frames of an answer; calls `heard` for everything that comes, signs of life too. */
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

/** What comes next; throws after too long a silence. */
async function unlessSilent<T>(coming: Promise<T> | undefined): Promise<T | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const never = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new TypeError("nothing was heard")), SILENCE_MS);
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
