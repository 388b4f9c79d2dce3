/** The legal moves of a decision. */

import type * as models from "./generated/types.gen.js";

/** A move of any game. */
export type Move = models.Move;

interface Entry {
  type: string;
  choose?: number;
  from?: readonly string[];
  piles?: readonly number[];
}

/**
 * The legal moves of a decision, each ready to be played.
 *
 * The server sends one entry for many moves of a kind: any `choose` cards `from` a list, or one card on each of some
 * `piles`. `random` draws one of these moves.
 */
export class LegalMoves {
  constructor(readonly entries: readonly models.LegalMove[]) {}

  /** A legal move at random: any entry, and of an entry for many moves any of those. */
  random(): Move {
    const entry = this.entries[Math.floor(Math.random() * this.entries.length)];
    if (!entry) throw new RangeError("there are no legal moves");
    return unfold(entry);
  }
}

/** A move that an entry stands for: the entry itself, or one of many at random. */
function unfold(entry: Entry): Move {
  const { type, choose, from, piles } = entry;
  if (choose === undefined || from === undefined) return isMove(entry);
  const cards = [...from];
  const chosen = Array.from({ length: choose }, () => cards.splice(Math.floor(Math.random() * cards.length), 1)[0]);
  return isMove({ type, cards: piles ? piles.map((pile, place) => ({ pile, card: chosen[place] })) : chosen });
}

// The entries are those of the server: what they unfold to is a move of its game.
function isMove(value: unknown): Move {
  return value as Move;
}
