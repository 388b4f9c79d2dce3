/** A page on any origin: it plays a table of Manitou against an AI player and shows what happens. */

import { Client, type models } from "wintercount-client";

/** Plays a whole game at a server and shows each event as a sentence; returns the table as it is at the end. */
export async function play(server: string, show: (sentence: string) => void): Promise<models.Table> {
  const table = await new Client(server).tables.open("manitou", { ai: "greedy" });
  for await (const turn of table.turns()) await turn.play(turn.moves.random());
  for await (const event of table.events({ language: "en" })) show(event.words ?? event.type);
  return table.state();
}

/** Shows a game on the page. */
async function main(standing: HTMLElement, events: HTMLElement, server: string): Promise<void> {
  standing.textContent = "The game is being played.";
  const ended = await play(server, (sentence) => {
    events.append(Object.assign(document.createElement("li"), { textContent: sentence }));
  });
  standing.textContent = `The table is ${ended.status}, after ${ended.version} events.`;
}

const server = new URLSearchParams(location.search).get("server");
const [standing, events] = [document.getElementById("standing"), document.getElementById("events")];
if (server && standing && events) {
  main(standing, events, server).catch((error: unknown) => (standing.textContent = String(error)));
}
