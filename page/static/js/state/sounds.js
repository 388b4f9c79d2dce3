// Which sound an event makes for somebody, and the notes of each sound. Nothing here sounds.

import { trialOf } from "./ruling-comparison.js";

const note = (hertz, at, length, loudness = 0.5, type = "sine") => ({ hertz, at, length, loudness, type });

/** The notes of each sound: what they are in Hz, and when they begin and how long they last in seconds. */
export const TUNES = {
  laid: [note(196, 0, 0.05, 0.9, "triangle"), note(98, 0, 0.09, 0.8)],
  taken: [note(988, 0, 0.07, 0.35, "triangle"), note(1319, 0.06, 0.12, 0.35, "triangle")],
  met: [note(147, 0, 0.16, 0.9, "triangle"), note(147, 0.13, 0.16, 0.7, "triangle")],
  won: [note(392, 0, 0.12), note(523, 0.1, 0.12), note(784, 0.2, 0.24)],
  lost: [note(392, 0, 0.14), note(311, 0.13, 0.14), note(233, 0.26, 0.28)],
  turn: [note(659, 0, 0.16), note(880, 0.16, 0.16)],
  end: [note(392, 0, 0.5, 0.4), note(494, 0.14, 0.5, 0.4), note(587, 0.28, 0.5, 0.4), note(784, 0.42, 0.8, 0.5)],
};

const LAID = [
  "PartyChosen",
  "CardPlayed",
  "HunterMoved",
  "CardsCommitted",
  "SpecialsChosen",
  "RaidLaunched",
  "AllianceProposed",
  "NeutralAllianceFormed",
  "GiftOffered",
];
const TAKEN = [
  "TilesTaken",
  "CylinderMoved",
  "TerritoryWon",
  "CardsTaken",
  "HorseBred",
  "HorsesDonated",
  "RaidReturned",
  "GiftsExchanged",
  "PrestigeGained",
];
const PLAIN = {
  GameEnded: "end",
  ...Object.fromEntries(LAID.map((type) => [type, "laid"])),
  ...Object.fromEntries(TAKEN.map((type) => [type, "taken"])),
};
const TELLING = ["laid", "taken", "met", "won", "lost", "end"]; // of several that come at once the last counts

const seatOf = ({ view }, side) => side.seat ?? view?.camps?.find(({ tribe }) => tribe === side.tribe)?.seat;

/** How a comparison of strengths ended for the seat whose table this is; for those who look on it is a meeting. */
function outcome(table, { sides }) {
  const mine = table.seat && sides.find((side) => seatOf(table, side) === table.seat);
  if (!mine) return "met";
  if (mine.lost) return "lost";
  return (mine.won ?? sides.some(({ lost }) => lost)) ? "won" : "met";
}

/** The name of the sound that an event makes at a table's document, or null. */
export function soundOf(event, table) {
  const trial = trialOf(event);
  return trial ? outcome(table, trial) : (PLAIN[event.type] ?? null);
}

/** The most telling sound of events that are shown at once, or null. */
export function soundOfAll(events, table) {
  const ranks = events.map((event) => TELLING.indexOf(soundOf(event, table)));
  return TELLING[Math.max(-1, ...ranks)] ?? null;
}
