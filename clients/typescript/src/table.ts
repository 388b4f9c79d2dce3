/** A table, and the turns of an account there. */

import type { Client } from "./client.js";
import * as operations from "./generated/sdk.gen.js";
import type * as models from "./generated/types.gen.js";
import { LegalMoves, type Move } from "./moves.js";
import { sleep } from "./retries.js";

type Language = "en" | "fr";
const PAGE = 1000;
const WAIT_S = 20; // the server answers as soon as a decision is open
const UNANSWERED_S = 1;

/** A table, as the account of its client may see it and play at it. */
export class Table {
  readonly id: string;
  readonly game: models.GameName;

  constructor(
    private readonly client: Client,
    table: models.Table,
  ) {
    this.id = table.id;
    this.game = table.game;
  }

  /** The table now or at a version, as a seat saw it; `all` shows every hand once the game is over. */
  state(version?: number, { seat }: { seat?: number | "all" } = {}): Promise<models.Table> {
    const query = { at: version, seat: seat === undefined ? undefined : String(seat) };
    return operations.getTable({ ...this.#here(), query }).then(present);
  }

  /**
   * The events after a version, and with `follow` those to come until the table is closed.
   *
   * With a language, each has its sentence as `words`.
   */
  async *events({
    after = 0,
    follow = false,
    language,
  }: { after?: number; follow?: boolean; language?: Language } = {}): AsyncGenerator<models.Event> {
    if (follow) {
      const query = language ? `?language=${language}` : "";
      yield* this.client.follow<models.Event>(`/v1/tables/${this.id}/events${query}`, { last: String(after) });
      return;
    }
    for (let following: number | null = after; following !== null;) {
      const query = { after: following, limit: PAGE, language };
      const page: models.Events = present(await operations.listEvents({ ...this.#here(), query }));
      yield* page.events;
      following = page.next;
    }
  }

  /** Each decision of the account as soon as it is open, once, until the game is over. */
  async *turns(): AsyncGenerator<Turn> {
    const offered = new Set<string>();
    for (;;) {
      const moves = await operations.listMoves({ ...this.#here(), query: { wait: WAIT_S } });
      const fresh = moves.decisions.filter(({ id }) => !offered.has(id));
      for (const decision of fresh) {
        offered.add(decision.id);
        yield new Turn(this, this.client, decision);
      }
      if (moves.status === "finished") return;
      // the server answers at once as long as a decision is open
      if (moves.decisions.length > 0 && fresh.length === 0) await sleep(UNANSWERED_S);
    }
  }

  /** Takes a seat; at a table with an arbiter, consents to that arbiter by id. */
  sit(seat: number, { arbiter }: { arbiter?: string } = {}): Promise<models.Table> {
    return operations.takeSeat({ ...this.#at(seat), body: arbiter ? { arbiter } : {} });
  }

  /** Leaves a seat before the game has started. */
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

/** A decision of the account, to be answered with one of its `moves`. */
export class Turn {
  readonly id: string;
  readonly seat: number;
  /** RFC 3339, or null without a clock. */
  readonly deadline: string | null;
  readonly moves: LegalMoves;

  constructor(
    readonly table: Table,
    private readonly client: Client,
    decision: models.OpenDecision,
  ) {
    this.id = decision.id;
    this.seat = decision.seat;
    this.deadline = decision.deadline;
    this.moves = new LegalMoves(decision.moves);
  }

  /** Plays a move; throws `Problem` if it is refused. Its key is the decision's: a repeat changes nothing. */
  async play(move: Move): Promise<models.Played> {
    const headers = { "Idempotency-Key": `${this.table.id}-${this.id}` };
    const body = { decision: this.id, move };
    const path = { table: this.table.id };
    return present(await operations.playMove({ client: this.client.api, path, body, headers }));
  }
}

/** The answer of an operation that may have none (204, 304): not to these requests. */
function present<T>(answer: T | void): T {
  if (answer === undefined) throw new TypeError("an answer without a body");
  return answer;
}
