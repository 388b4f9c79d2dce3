/** A page on any origin: it plays a table of Manitou against an AI player and tells what happens, typed throughout. */

import { Client, type models } from "wintercount-client";

/** A party is a choice out of many cards; every other decision has a list of moves, of which this takes the first. */
function moveFor(decision: models.OpenDecision): models.Move {
  const [move] = decision.moves;
  if (!move || move.type === "play_cards") throw new RangeError("not a decision of Manitou");
  return move.type === "choose_party" ? { type: "choose_party", cards: move.from.slice(0, move.choose) } : move;
}

/** Plays a whole game at a server, and tells each event in a sentence; returns the table's last form. */
export async function play(server: string, tell: (sentence: string) => void): Promise<models.Table> {
  const client = new Client(server);
  await client.register("A page", { bot: true });
  const table = await client.open("manitou", { seats: ["me", "greedy"] });
  for await (const moves of table.turns()) {
    for (const decision of moves.decisions) await table.play(moveFor(decision), decision);
  }
  for await (const event of table.events({ language: "en" })) tell(event.words ?? event.type);
  return table.now();
}

/** Shows a game on the page. */
async function show(standing: HTMLElement, events: HTMLElement, server: string): Promise<void> {
  standing.textContent = "The game goes on.";
  const ended = await play(server, (sentence) => {
    events.append(Object.assign(document.createElement("li"), { textContent: sentence }));
  });
  standing.textContent = `The table is ${ended.status}, after ${ended.version} events.`;
}

const server = new URLSearchParams(location.search).get("server");
const [standing, events] = [document.getElementById("standing"), document.getElementById("events")];
if (server && standing && events) {
  show(standing, events, server).catch((error: unknown) => (standing.textContent = String(error)));
}
