/** The client in TypeScript: what it does when answers get lost, streams break off, and requests are refused. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { Client, LegalMoves, NoAnswer, Problem, StreamEnded, operations } from "wintercount-client";

const ADDRESS = process.env["ADDRESS"] ?? "";

function problem(status: number, code: string, headers: Record<string, string> = {}): Response {
  return new Response(JSON.stringify({ code, detail: "no", status, rule: "MA-4.3" }), { status, headers });
}

/** A `fetch` that answers in this order, and what it was asked. */
function answering(...answers: (Response | Error)[]): { fetch: typeof fetch; asked: Request[] } {
  const asked: Request[] = [];
  return {
    asked,
    fetch: async (input) => {
      asked.push(new Request(input));
      const answer = answers.shift() ?? new Error("nothing left to answer");
      if (answer instanceof Error) throw answer;
      return answer;
    },
  };
}

const opened = (): Response => Response.json({ id: "t_a", game: "manitou" }, { status: 201 });

test("a stream that is cut goes on after the last event", async () => {
  const client = new Client(ADDRESS);
  const { id } = await client.tables.open("manitou", { seats: ["uniform", "uniform"] });
  const places: (string | null)[] = [];
  const cutting: typeof fetch = async (input, init) => {
    const request = new Request(input, init);
    const answer = await fetch(request);
    if (request.headers.get("Accept") !== "text/event-stream") return answer;
    places.push(request.headers.get("Last-Event-ID"));
    return places.length === 1 ? cutBehind(answer, 5) : answer;
  };
  const told: number[] = [];
  const table = await new Client(ADDRESS, { fetch: cutting }).tables.get(id);
  for await (const event of table.events({ follow: true })) told.push(event.version);
  assert.deepEqual(
    told,
    Array.from({ length: told.length }, (_, place) => place + 1),
  );
  assert.equal(told.length, (await table.state()).version);
  // Behind the version stands how its hash begins.
  assert.deepEqual(
    places.map((place) => place?.split("-")[0]),
    ["0", "5"],
  );
});

/** The same answer, whose stream breaks behind so many events. */
function cutBehind(answer: Response, events: number): Response {
  let left = events;
  const cutter = new TransformStream<string, string>({
    transform(text, controller) {
      for (const line of text.split(/(?<=\n)/)) {
        controller.enqueue(line);
        if (line.startsWith("data:")) left -= 1;
        if (left === 0) {
          controller.enqueue("\n");
          controller.terminate();
          return;
        }
      }
    },
  });
  const body = answer.body
    ?.pipeThrough(new TextDecoderStream())
    .pipeThrough(cutter)
    .pipeThrough(new TextEncoderStream());
  return new Response(body ?? null, answer);
}

test("a lost answer is asked for again, and the move is played once", async () => {
  const keys: (string | null)[] = [];
  const losing: typeof fetch = async (input, init) => {
    const request = new Request(input, init);
    const answer = await fetch(request.clone());
    if (request.method !== "POST" || !request.url.endsWith("/moves")) return answer;
    keys.push(request.headers.get("Idempotency-Key"));
    if (keys.length > 1) return answer;
    await answer.text();
    throw new TypeError("cut");
  };
  const [ann, bob] = [new Client(ADDRESS, { fetch: losing }), new Client(ADDRESS)];
  await bob.register("Bob");
  const table = await ann.tables.open("manitou");
  await (await bob.tables.get(table.id)).sit(2);
  const { value: turn } = await table.turns().next();
  assert.ok(turn);
  const played = await turn.play(turn.moves.random());
  const chosen = [];
  for await (const event of table.events()) if (event.type === "PartyChosen") chosen.push(event);
  assert.deepEqual(keys, Array(2).fill(`${table.id}-${turn.id}`));
  assert.equal(chosen.length, 1);
  assert.equal(played.receipt.version, chosen[0]?.batch[1]);
});

test("what is refused for now is sent again, under one key, as Retry-After says", async () => {
  const { fetch, asked } = answering(
    problem(429, "too_many_requests", { "Retry-After": "0" }),
    problem(503, "store_loading", { "Retry-After": "0" }),
    opened(),
  );
  const table = await new Client("http://server", { token: "wc_token", fetch, retryS: 0 }).tables.open("manitou", {
    seats: ["me", "greedy", { kind: "player", player: "p_b" }],
  });
  assert.equal(table.id, "t_a");
  assert.equal(new Set(asked.map((request) => request.headers.get("Idempotency-Key"))).size, 1);
  assert.equal(asked[0]?.headers.get("Authorization"), "Bearer wc_token");
  assert.deepEqual((await asked[0]?.json())?.seats[1], { kind: "ai", level: "greedy" });
});

test("any other refusal is thrown with code, rule and detail", async () => {
  for (const refusal of [
    problem(422, "move_refused"),
    problem(429, "too_many_requests", { "Retry-After": "61" }),
    new Response("<html>", { status: 418 }),
  ]) {
    const { fetch, asked } = answering(refusal);
    await assert.rejects(new Client("http://server", { fetch }).tables.get("t_a"), (error) => {
      assert.ok(error instanceof Problem);
      if (refusal.status === 422) assert.deepEqual([error.code, error.rule], ["move_refused", "MA-4.3"]);
      return error.status === refusal.status;
    });
    assert.equal(asked.length, 1);
  }
});

test("a server that stays away is given up", async () => {
  const away = answering(new TypeError("down"), new TypeError("down"));
  await assert.rejects(new Client("http://server", { ...away, retryS: 0 }).tables.get("t_a"), NoAnswer);
  assert.equal(away.asked.length, 1);
});

for (const reason of ["table_closed", "access_ended", "log_damaged"]) {
  test(`a stream ends: ${reason}; an event of an unknown type is read like any other`, async () => {
    const frames = `retry: 1000\n\n: alive\n\nid: 7\nevent: Invented\ndata: {"type":"Invented","version":7}\n\nevent: end\ndata: {"reason":"${reason}"}\n\n`;
    const { fetch, asked } = answering(opened(), new Response(frames));
    const table = await new Client("http://server", { fetch }).tables.get("t_a");
    const told: string[] = [];
    const reading = (async () => {
      for await (const event of table.events({ after: 6, follow: true })) told.push(event.type);
    })();
    if (reason === "table_closed") await reading;
    else await assert.rejects(reading, StreamEnded);
    assert.deepEqual(told, ["Invented"]);
    assert.equal(asked[1]?.headers.get("Last-Event-ID"), "6");
  });
}

test("a quiet stream that breaks off again and again is opened again each time", async () => {
  const quiet = (): Response => new Response(": wintercount\nretry: 1000\n\n: still here\n\n");
  const end = new Response(`event: end\ndata: {"reason":"table_closed"}\n\n`);
  const { fetch, asked } = answering(opened(), quiet(), quiet(), quiet(), quiet(), quiet(), end);
  const table = await new Client("http://server", { fetch, retryS: 1 }).tables.get("t_a");
  for await (const event of table.events({ follow: true })) assert.fail(event.type);
  assert.equal(asked.length, 7);
});

test("an operation without a method is sent by its function", async () => {
  const client = new Client(ADDRESS);
  const played = await client.tables.open("tomahawk", { seats: ["uniform", "uniform"] });
  for await (const event of played.events({ follow: true })) assert.equal(event.game, "tomahawk");
  const text = await operations.exportNotation({ client: client.api, path: { table: played.id } });
  const loaded = await operations.loadTranscript({ client: client.api, body: { text, visibility: "private" } });
  const then = await (await client.tables.get(loaded.id)).state(20, { seat: 2 });
  assert.deepEqual([then.game, then.version, then.seat, then.transcribed], ["tomahawk", 20, 2, true]);
});

test("a random legal move of an entry for many is one of its moves", () => {
  const party = new LegalMoves([{ type: "choose_party", choose: 2, from: ["a", "b", "c"] }]).random();
  assert.equal(new Set(Array.isArray(party["cards"]) ? party["cards"] : []).size, 2);
  const entry = { type: "play_cards", choose: 1, from: ["a"], piles: [3] };
  assert.deepEqual(new LegalMoves([entry]).random(), { type: "play_cards", cards: [{ pile: 3, card: "a" }] });
});

/** Which batches they are; the order of those of different partitions depends on where a page begins. */
const keysOf = (batches: { table: string; first: number }[]) =>
  batches.map(({ table, first }) => `${table} ${first}`).sort();

test("the feed is read page by page, goes on from any place, and is filtered", async () => {
  const client = new Client(ADDRESS);
  const table = await client.tables.open("tomahawk", { seats: ["uniform", "uniform"] });
  for await (const event of table.events({ follow: true })) assert.equal(event.game, "tomahawk");
  const batches = [];
  for await (const batch of client.feed()) batches.push(batch);
  const versions = batches.filter((batch) => batch.table === table.id).flatMap(({ first, last }) => [first, last]);
  assert.deepEqual(
    versions,
    [...versions].sort((one, other) => one - other),
  );
  assert.equal(versions.at(-1), (await table.state()).version);
  const middle = Math.floor(batches.length / 2);
  const rest = [];
  for await (const batch of client.feed({ cursor: batches[middle - 1]?.cursor ?? "" })) rest.push(batch);
  assert.deepEqual(keysOf(rest), keysOf(batches.slice(middle)));
  for await (const { events } of client.feed({ game: "tomahawk", type: "GameEnded" }))
    assert.deepEqual(
      events.map(({ type }) => type),
      ["GameEnded"],
    );
});

test("the feed as a stream that is cut goes on after the last frame", async () => {
  const before = [];
  for await (const batch of new Client(ADDRESS).feed()) before.push(batch);
  const places: (string | null)[] = [];
  const cutting: typeof fetch = async (input, init) => {
    const request = new Request(input, init);
    places.push(request.headers.get("Last-Event-ID"));
    const answer = await fetch(request);
    return places.length === 1 ? cutBehind(answer, 4) : answer;
  };
  const told = [];
  for await (const batch of new Client(ADDRESS, { fetch: cutting }).feed({ follow: true })) {
    told.push(batch);
    if (told.length === before.length) break;
  }
  assert.deepEqual(keysOf(told), keysOf(before));
  assert.deepEqual(places, [null, told[3]?.cursor]);
});

test("a place that is gone ends the stream of the feed", async () => {
  const frames = 'id: c1\nevent: lag\ndata: {"lag":3}\n\nevent: end\ndata: {"reason":"cursor_gone"}\n\n';
  const { fetch, asked } = answering(new Response(frames));
  const feed = new Client("http://server", { fetch }).feed({
    cursor: "c0",
    type: "CardPlayed,GameEnded",
    follow: true,
  });
  await assert.rejects(feed.next(), StreamEnded);
  assert.equal(asked[0]?.headers.get("Last-Event-ID"), "c0");
  assert.equal(new URL(asked[0]?.url ?? "").searchParams.get("type"), "CardPlayed,GameEnded");
});
