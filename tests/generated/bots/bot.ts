/** A bot with the types that openapi-typescript generates: `bot.js SERVER GAME` prints how its game ended, as JSON. */

import createClient from "openapi-fetch";

import type { components, paths } from "./api.js";

type Schemas = components["schemas"];

/** The first move that an entry of the legal moves stands for. */
function unfold(entry: Schemas["LegalMove"]): Schemas["Move"] {
  const { type, choose, from, piles } = entry;
  if (typeof choose !== "number" || !Array.isArray(from)) return entry;
  const cards = from.slice(0, choose);
  if (!Array.isArray(piles)) return { type, cards };
  return { type, cards: piles.map((pile, place) => ({ pile, card: cards[place] })) };
}

/** The data of an answer; throws what the server refused. */
function dataOf<T>({ data, error }: { data?: T; error?: unknown }): T {
  if (data === undefined) throw new Error(JSON.stringify(error));
  return data;
}

async function main(baseUrl: string, game: Schemas["GameName"]): Promise<void> {
  const anybody = createClient<paths>({ baseUrl });
  const { token } = dataOf(await anybody.POST("/v1/players", { body: { name: "generated", bot: true } }));
  const client = createClient<paths>({ baseUrl, headers: { Authorization: `Bearer ${token.secret}` } });
  const missing = await client.GET("/v1/tables/{table}", { params: { path: { table: "t_missing" } } });
  const seats: Schemas["SeatRequest"][] = [{ kind: "me" }, { kind: "ai", level: "uniform" }];
  const { id } = dataOf(await client.POST("/v1/tables", { body: { game, seats } }));
  const params = { path: { table: id } };
  for (;;) {
    const query = { wait: 20 };
    const moves = dataOf(await client.GET("/v1/tables/{table}/moves", { params: { ...params, query } }));
    if (moves.status === "finished") break;
    for (const decision of moves.decisions) {
      const [entry] = decision.moves.slice(-1);
      if (!entry) throw new Error("a decision without moves");
      const body = { decision: decision.id, move: unfold(entry) };
      dataOf(await client.POST("/v1/tables/{table}/moves", { params, body }));
    }
  }
  const all = { params: { ...params, query: { limit: 1000 } } };
  const page = dataOf(await client.GET("/v1/tables/{table}/events", all));
  if (typeof page === "string") throw new Error("a stream was not asked for");
  console.log(JSON.stringify({ problem: missing.error?.code, types: page.events.map((event) => event.type) }));
}

await main(process.argv[2] ?? "", process.argv[3] ?? "");
