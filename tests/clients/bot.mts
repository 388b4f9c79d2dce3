/** The typed bot in TypeScript: it plays a table of any game against an AI player to its end. `bot.js ADDRESS GAME` */

import { Client, type models, type Move, type OpenDecision } from "wintercount-client";

const GAMES: models.GameName[] = ["big-manitou", "manitou", "plenty-coups", "tomahawk"];

function any<T>(of: readonly T[]): T {
  const found = of[Math.floor(Math.random() * of.length)];
  if (found === undefined) throw new RangeError("nothing to choose from");
  return found;
}

function sample<T>(of: readonly T[], count: number): T[] {
  return [...of].sort(() => Math.random() - 0.5).slice(0, count);
}

/** A legal move for each open decision; an entry with `choose` stands for many: so many cards `from` these. */
function* answers(moves: models.Moves): Generator<[Move, OpenDecision]> {
  for (const decision of moves.decisions) {
    const move = any(decision.moves);
    if (move.type === "choose_party") {
      yield [{ type: "choose_party", cards: sample(move.from, move.choose) }, decision];
    } else {
      yield [move.type === "play_cards" ? laid(move) : move, decision];
    }
  }
}

function laid({ from, choose, piles }: models.TomahawkPlayCardsSet): models.TomahawkMove {
  const cards = sample(from, choose);
  return { type: "play_cards", cards: piles.map((pile, place) => ({ pile, card: cards[place] ?? "" })) };
}

async function main(address: string, name: string): Promise<void> {
  const game = GAMES.find((one) => one === name);
  if (!game) throw new RangeError(name);
  const client = new Client(address);
  await client.register("node", { bot: true });
  const table = await client.open(game, { seats: ["me", "uniform"] });
  for await (const moves of table.turns()) {
    for (const [move, decision] of answers(moves)) await table.play(move, decision);
  }
  const told: models.Event[] = [];
  for await (const event of table.events()) told.push(event);
  const then = await table.at(20, { seat: 2 });
  console.log(JSON.stringify({ types: told.map((event) => event.type), seen: [then.version, then.seat] }));
}

await main(process.argv[2] ?? "", process.argv[3] ?? "");
