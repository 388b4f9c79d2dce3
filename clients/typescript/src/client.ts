/** A server, and an account there. */

import { createClient, type Client as Generated } from "./generated/client/index.js";
import * as operations from "./generated/sdk.gen.js";
import type * as models from "./generated/types.gen.js";
import { resending } from "./sending.js";
import { follow, type Stream } from "./streams.js";
import { Table } from "./table.js";

/** A seat: `me`, `open`, the level of an AI player, or an object as in the API. */
export type Seat = string | models.SeatRequest;

/** What a table is opened with: the other fields of the request, and its seats in short. */
export type Opening = Omit<models.OpeningRequest, "game" | "seats"> & { ai?: string; players?: number; seats?: Seat[] };

/** Which batches of the feed: the query of `operations.readFeed`. */
export type FeedQuery = NonNullable<models.ReadFeedData["query"]>;

/** Settings of a client. */
export interface Settings {
  token?: string | undefined;
  /** How many seconds it waits, in all, to repeat a request that may be repeated. */
  retryS?: number;
  /** What sends a request: the `fetch` of the browser or of Node.js. */
  fetch?: typeof fetch;
}

const SERVER = "http://127.0.0.1:8000";
const RETRY_S = 60;

/**
 * A connection to a server, with the account of a token.
 *
 * Without a token, the first table that is opened creates an account for a bot: keep `token` to use it again.
 */
export class Client {
  readonly server: string;
  /** For the functions in `operations`: `operations.openDispute({ client: client.api, … })`. */
  readonly api: Generated;
  readonly retryS: number;
  readonly tables = new Tables(this);
  token: string | undefined;
  readonly #fetch: typeof fetch;

  constructor(server = SERVER, { token, retryS = RETRY_S, fetch: plain = globalThis.fetch }: Settings = {}) {
    this.server = server.replace(/\/+$/, "");
    this.token = token;
    this.retryS = retryS;
    this.#fetch = (input, init) => plain(input, init);
    this.api = createClient({
      baseUrl: this.server,
      auth: () => this.token,
      fetch: resending(this.#fetch, retryS),
      redirect: "error", // a token is for this server alone
      responseStyle: "data",
      throwOnError: true,
    });
  }

  /** Creates an account and uses it from now on; keep `token`. */
  async register(name: string, { bot = true }: { bot?: boolean } = {}): Promise<models.CreatedPlayer> {
    const created = await operations.createPlayer({ client: this.api, body: { name, bot } });
    this.token = created.token.secret;
    return created;
  }

  /** The decisions that wait for the account at all its tables, and each new one; does not end. */
  decisions(): AsyncGenerator<models.Waiting> {
    return this.follow<models.Waiting>("/v1/inbox", { kind: "decision" });
  }

  /** The batches of all public tables after a cursor, each with its own cursor; those to come with `follow`. */
  async *feed({ follow = false, ...query }: FeedQuery & { follow?: boolean } = {}): AsyncGenerator<models.FeedBatch> {
    if (follow) {
      const { cursor, ...filters } = query;
      const asked = new URLSearchParams(Object.entries(filters).map(([name, value]) => [name, String(value)]));
      yield* this.follow<models.FeedBatch>(`/v1/feed?${asked}`, { kind: "batch", last: cursor ?? undefined });
      return;
    }
    for (let cursor = query.cursor; ;) {
      const page: models.Feed = await operations.readFeed({ client: this.api, query: { ...query, cursor } });
      yield* page.batches;
      if (page.lag === 0) return;
      cursor = page.next;
    }
  }

  /** The items of a stream of the API to its end, connecting again after each break. */
  follow<T>(path: string, stream: Pick<Stream, "last" | "kind">): AsyncGenerator<T> {
    const headers: Record<string, string> = this.token ? { Authorization: `Bearer ${this.token}` } : {};
    return follow<T>({ fetch: this.#fetch, url: this.server + path, headers, retryS: this.retryS, ...stream });
  }
}

/** The tables of a server: `client.tables`. */
class Tables {
  constructor(private readonly client: Client) {}

  /** Opens a table: a seat for me, and the others for an AI level or, without `ai`, for anybody; or `seats` names each. */
  async open(game: models.GameName, { ai, players = 2, seats, ...more }: Opening = {}): Promise<Table> {
    if (!this.client.token) await this.client.register("bot");
    const named = seats ?? ["me", ...Array<Seat>(players - 1).fill(ai ?? "open")];
    const body = { game, seats: named.map(seatOf), ...more };
    return new Table(this.client, await operations.openTable({ client: this.client.api, body }));
  }

  /** A table by its id. */
  async get(id: string): Promise<Table> {
    const found = await operations.getTable({ client: this.client.api, path: { table: id } });
    if (!found) throw new TypeError("an answer without a body");
    return new Table(this.client, found);
  }

  /** The public tables; the query is that of `operations.listTables`. */
  async *list(query: NonNullable<models.ListTablesData["query"]> = {}): AsyncGenerator<models.LobbyRow> {
    for (let cursor = query.cursor; ;) {
      const page: models.Lobby = await operations.listTables({ client: this.client.api, query: { ...query, cursor } });
      yield* page.tables;
      if (page.next === null) return;
      cursor = page.next;
    }
  }
}

function seatOf(seat: Seat): models.SeatRequest {
  if (typeof seat !== "string") return seat;
  if (seat === "me" || seat === "open") return { kind: seat };
  return { kind: "ai", level: seat };
}
