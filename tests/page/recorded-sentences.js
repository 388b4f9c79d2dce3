// Reads recorded events with their sentences, a line each, and the scores that games ended with. Writes what a sentence
// still calls 'seat 2' or by the name of a card, and which totals are not the sum of their parts.

import { readFileSync } from "node:fs";

import { isAboutSeats } from "../../page/static/js/state/log.js";
import { partsOfLine } from "../../page/static/js/views/log-line.js";
import { partsOf } from "../../page/static/js/state/scores.js";

const PAGE = "page/static";
const TOLD = new Set(["TableOpened"]);

let language = "en";
globalThis.localStorage = { getItem: () => language };
Object.defineProperty(globalThis, "navigator", { value: { languages: [] } });
globalThis.document = { documentElement: {} };
globalThis.fetch = async (address) => ({
  json: async () => JSON.parse(readFileSync(`${PAGE}${address.replace("/page", "")}`, "utf8")),
});
const { loadLanguage } = await import("../../page/static/js/i18n.js");

const inText = (text, name) => new RegExp(`(?<![\\p{L}\\d-])${name}(?![\\p{L}\\d-])`, "iu").test(text);

/** What of an event's sentence is still plain text though it stands for a seat or a card. */
function left({ event, names }) {
  const parts = partsOfLine(event, event.game);
  const plain = parts.filter(({ seats, card }) => !seats && !card).map(({ text }) => text);
  const seats = isAboutSeats(event)
    ? []
    : plain.filter((text) => /(seats?|places?|order:?|ordre du tour ?:?) \d/i.test(text));
  return [...seats, ...names.filter((name) => plain.some((text) => inText(text, name)))];
}

function unsummed({ game, scores }) {
  const sum = (row) => partsOf(game, row).reduce((all, { value }) => all + value, 0);
  return scores.filter((row) => sum(row) !== row.total).map((row) => `${game}: ${sum(row)} is not ${row.total}`);
}

const found = { told: 0, cards: 0, left: [] };
for (const line of readFileSync(0, "utf8").split("\n").filter(Boolean)) {
  const row = JSON.parse(line);
  if (row.scores) found.left.push(...unsummed(row));
  else if (!TOLD.has(row.event.type)) {
    if (row.language !== language || !found.told) {
      language = row.language;
      await loadLanguage();
    }
    const rest = left(row);
    found.told += 1;
    found.cards += row.names.length;
    if (rest.length) found.left.push(`${row.event.words} → ${rest.join(", ")}`);
  }
}
process.stdout.write(JSON.stringify({ ...found, left: found.left.slice(0, 20) }));
