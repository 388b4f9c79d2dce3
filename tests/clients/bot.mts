/** A bot in TypeScript: it plays a table of any game against an AI player to its end. `bot.js ADDRESS GAME` */

import { Client } from "wintercount-client";

async function main(address: string, game: string): Promise<void> {
  const table = await new Client(address).tables.open(game, { ai: "uniform" });
  for await (const turn of table.turns()) await turn.play(turn.moves.random());
  const types: string[] = [];
  for await (const event of table.events()) types.push(event.type);
  const then = await table.state(20, { seat: 2 });
  console.log(JSON.stringify({ types, seen: [then.version, then.seat] }));
}

await main(process.argv[2] ?? "", process.argv[3] ?? "");
