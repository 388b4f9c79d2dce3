/** A server, and an account there. */

import { follow, type Followed } from "./following.js";
import { createClient, type Client as Generated } from "./generated/client/index.js";
import * as operations from "./generated/sdk.gen.js";
import type * as models from "./generated/types.gen.js";
import { patient } from "./sending.js";
import { Table } from "./table.js";

/** A seat: `me`, `open`, the level of an AI player, or as the API has it. */
export type Seat = "me" | "open" | models.LevelName | models.SeatRequest;

/** What a table is opened with, besides its game. */
export type Opening = Omit<models.OpeningRequest, "game" | "seats"> & { seats: Seat[] };

/** What is told of the feed: from where on, batches of a game, of tables of a player, events of some types; with sentences. */
export type FeedAsked = Omit<NonNullable<models.ReadFeedData["query"]>, "limit" | "type"> & { types?: string[] };

/** Settings of a client. */
export interface Settings {
  token?: string;
  /** How many seconds it waits in all, at most, to repeat what may be repeated. */
  patienceS?: number;
  /** What sends a request: the `fetch` of the browser or of Node.js. */
  fetch?: typeof fetch;
}

const PATIENCE_S = 60;
const FEED_PAGE = 200; // batches, as many as the server gives at once

/** A server, and the account of a token if there is one. */
export class Client {
  readonly url: string;
  /** For the functions in `operations`: `operations.openDispute({ client: client.api, … })`. */
  readonly api: Generated;
  readonly patienceS: number;
  token: string | undefined;
  readonly #plain: typeof fetch;

  constructor(url: string, { token, patienceS = PATIENCE_S, fetch: plain = globalThis.fetch }: Settings = {}) {
    this.url = url.replace(/\/+$/, "");
    this.token = token;
    this.patienceS = patienceS;
    this.#plain = (input, init) => plain(input, init);
    this.api = createClient({
      baseUrl: this.url,
      auth: () => this.token,
      fetch: patient(this.#plain, patienceS),
      redirect: "error", // a token is for this server alone
      responseStyle: "data",
      throwOnError: true,
    });
  }

  /** Creates an account and acts for it from now on; `token` is what to keep. */
  async register(name: string, { bot = false }: { bot?: boolean } = {}): Promise<models.NewPlayer> {
    const made = await operations.createPlayer({ client: this.api, body: { name, bot } });
    this.token = made.token.secret;
    return made;
  }

  /** Opens a table. */
  async open(game: models.GameName, { seats, ...more }: Opening): Promise<Table> {
    const body = { game, seats: seats.map(seatOf), ...more };
    return new Table(this, await operations.openTable({ client: this.api, body }));
  }

  /** A table by its id. */
  async table(table: string): Promise<Table> {
    const found = await operations.getTable({ client: this.api, path: { table } });
    if (!found) throw new TypeError("an answer without a body");
    return new Table(this, found);
  }

  /** Loads a text in notation, to be looked at as a table: it replays by the rules, and no record proves it. */
  async transcribe(text: string, visibility: models.Visibility = "private"): Promise<Table> {
    const loaded = await operations.loadTranscript({ client: this.api, body: { text, visibility } });
    return this.table(loaded.id);
  }

  /** The public tables of a status. */
  async *tables(status: models.TableStatus = "running"): AsyncGenerator<models.LobbyRow> {
    for (let cursor: string | null | undefined; cursor !== null;) {
      const page: models.Lobby = await operations.listTables({ client: this.api, query: { status, cursor } });
      yield* page.tables;
      cursor = page.next;
    }
  }

  /** The decisions that wait for me at all my tables, and each further one as soon as it does; for ever. */
  waiting(): AsyncGenerator<models.Waiting> {
    return this.follow<models.Waiting>("/v1/inbox", { tells: "decision" });
  }

  /**
   * The pages of the feed of all public tables behind a cursor, to its end; `next` is the place behind each.
   *
   * Keep `next` together with what you made of the page: whoever goes on from there misses and repeats nothing.
   */
  async *feedPages({ cursor, ...wanted }: FeedAsked = {}): AsyncGenerator<models.Feed> {
    for (let place = cursor; ;) {
      const query = { ...filters(wanted), cursor: place, limit: FEED_PAGE };
      const page: models.Feed = await operations.readFeed({ client: this.api, query });
      yield page;
      if (page.lag === 0) return;
      place = page.next;
    }
  }

  /** The batches of those pages; each has the `cursor` behind it. */
  async *feed(asked: FeedAsked = {}): AsyncGenerator<models.FeedBatch> {
    for await (const page of this.feedPages(asked)) yield* page.batches;
  }

  /** The same, and all that are recorded from now on; for ever. */
  streamFeed({ cursor, ...wanted }: FeedAsked = {}): AsyncGenerator<models.FeedBatch> {
    const query = new URLSearchParams(filters(wanted));
    const last = cursor === undefined ? {} : { last: cursor };
    return this.follow<models.FeedBatch>(`/v1/feed?${query}`, { tells: "batch", ...last });
  }

  /** What a stream of the API tells, to its end, however often it breaks off. */
  follow<T>(path: string, asked: Pick<Followed, "last" | "tells">): AsyncGenerator<T> {
    const headers: Record<string, string> = this.token ? { Authorization: `Bearer ${this.token}` } : {};
    return follow<T>({ plain: this.#plain, url: this.url + path, headers, patienceS: this.patienceS, ...asked });
  }
}

function filters({
  types,
  ...wanted
}: Omit<FeedAsked, "cursor">): Omit<FeedAsked, "cursor" | "types"> & { type?: string } {
  return types ? { ...wanted, type: types.join(",") } : wanted;
}

function seatOf(seat: Seat): models.SeatRequest {
  if (typeof seat !== "string") return seat;
  if (seat === "me" || seat === "open") return { kind: seat };
  return { kind: "ai", level: seat };
}
