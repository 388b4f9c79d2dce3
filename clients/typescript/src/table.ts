/** A table: what happened there, what may be played, and playing it. */

import type { Client } from "./client.js";
import * as operations from "./generated/sdk.gen.js";
import type * as models from "./generated/types.gen.js";
import { NoDecision } from "./problems.js";

/** A move of any game. */
export type Move = models.Move;
/** An open decision of any game, with its legal moves. */
export type OpenDecision = models.OpenDecision;
/** A moment of a table, as its tables, events and receipts name it: the version with the hash of its event. */
export type Seen = Pick<models.Receipt, "version" | "hash">;

type Language = "en" | "fr";
const PAGE = 1000;
const MARK = 8; // letters of a hash that name a history

/** A table, as its client's account may see it and play at it. */
export class Table {
  readonly id: string;
  readonly game: models.GameName;

  constructor(
    private readonly client: Client,
    opened: models.Table,
  ) {
    this.id = opened.id;
    this.game = opened.game;
  }

  /** The table as it is, seen from my seat if I have one. */
  now(): Promise<models.Table> {
    return this.at();
  }

  /** The table at a version, as a seat saw it; `all` shows every seat's cards when the game is over. */
  at(version?: number, { seat }: { seat?: number | "all" } = {}): Promise<models.Table> {
    const query = { at: version, seat: seat === undefined ? undefined : String(seat) };
    return operations.getTable({ ...this.#here(), query }).then(known);
  }

  /** The events behind a version, so far; with a language each has its sentence as `words`. */
  async *events({ after = 0, language }: { after?: number; language?: Language } = {}): AsyncGenerator<models.Event> {
    for (let following: number | null = after; following !== null;) {
      const query = { after: following, limit: PAGE, language };
      const page: models.Events = known(await operations.listEvents({ ...this.#here(), query }));
      yield* page.events;
      following = page.next;
    }
  }

  /** The events behind a version, and those to come, until the table is closed. */
  stream({ after = 0, language }: { after?: number; language?: Language } = {}): AsyncGenerator<models.Event> {
    const query = language ? `?language=${language}` : "";
    return this.client.follow<models.Event>(`/v1/tables/${this.id}/events${query}`, { last: String(after) });
  }

  /** The decisions that are open to me, with the legal moves of each. */
  moves(): Promise<models.Moves> {
    return operations.listMoves(this.#here());
  }

  /** The same each time I have any, until the table is closed: answer, and go on with the loop. */
  async *turns(): AsyncGenerator<models.Moves> {
    let seen = 0;
    const news = async function* (table: Table): AsyncGenerator<models.Moves> {
      for (let told = -1; ;) {
        const moves = await table.moves();
        seen = moves.version;
        if (moves.decisions.length === 0 || moves.version <= told) return;
        told = moves.version;
        yield moves;
      }
    };
    yield* news(this);
    for await (const event of this.stream({ after: seen })) {
      // those that were recorded together are read together
      if (event.version > seen && event.version === event.batch[1]) yield* news(this);
    }
  }

  /**
   * Plays a move as the answer to a decision, of which it may be the only one; throws `Problem` if it is refused.
   *
   * With `seen` (a table, an event, a receipt) the move counts only if nothing has happened since (412 otherwise).
   */
  async play(move: Move, decision?: OpenDecision, { seen }: { seen?: Seen } = {}): Promise<models.Played> {
    const answered = decision ?? onlyDecision(await this.moves());
    const expected: Record<string, string> = seen
      ? { "If-Match": `"${seen.version}-${seen.hash.slice(0, MARK)}"` }
      : {};
    // the decision's key: a program that was killed and asks again plays once
    const headers = { "Idempotency-Key": `${this.id}-${answered.id}`, ...expected };
    const body = { game: this.game, seat: answered.seat, decision: answered.id, move };
    return known(await operations.playMove({ ...this.#here(), body, headers }));
  }

  /** Whether a seat may play a move now, and if not the rule that forbids it. */
  check(move: Move, seat: number): Promise<models.Check> {
    return operations.checkMove({ ...this.#here(), body: { game: this.game, seat, move } });
  }

  /** Takes a seat; a table with an arbiter asks for consent to that arbiter by name. */
  sit(seat: number, { arbiter }: { arbiter?: string } = {}): Promise<models.Table> {
    return operations.takeSeat({ ...this.#at(seat), body: arbiter ? { arbiter } : {} });
  }

  /** Leaves a seat, as long as the game has not begun. */
  leave(seat: number): Promise<models.Table> {
    return operations.leaveSeat(this.#at(seat));
  }

  #here(): { client: Client["api"]; path: { table: string } } {
    return { client: this.client.api, path: { table: this.id } };
  }

  #at(seat: number): { client: Client["api"]; path: { table: string; seat: number } } {
    return { client: this.client.api, path: { table: this.id, seat } };
  }
}

function onlyDecision(moves: models.Moves): OpenDecision {
  const [first, ...more] = moves.decisions;
  if (first && more.length === 0) return first;
  throw new NoDecision(`${moves.decisions.length} decisions are open to me: name one of those in table.moves()`);
}

/** The answer of an operation that may have none (204, 304), as it is not asked here. */
function known<T>(answer: T | void): T {
  if (answer === undefined) throw new TypeError("an answer without a body");
  return answer;
}
