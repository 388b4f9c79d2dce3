// Plays on a server: node drive.js url. Reads what to do as lines of JSON, and answers each with a line.
//   {"open": "tolerant", "matches": 20}  opens so many matches; what was played before is closed
//   {"play": 10, "seconds": 1.5}         plays at so many matches at once, until that time is over
//   {"bid": true}                        in each match all four seats bid at once, a match after the other
//   {"whole": true}                      plays one match to its end, and tells how it ended

const { createInterface } = require("node:readline");
const { Match } = require("./match");

const url = process.argv[2];
const OPENED_AT_ONCE = 8;
let matches = [];

/** A generator of luck that repeats: mulberry32. */
function luck(seed) {
  return () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let mixed = Math.imul(seed ^ (seed >>> 15), seed | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

const pick = luck(1);

async function open({ open: game, matches: count }) {
  matches.forEach((match) => match.close());
  matches = [];
  const one = async () => {
    while (count-- > 0) matches.push(await Match.open(url, game));
  };
  await Promise.all(Array.from({ length: OPENED_AT_ONCE }, one));
  return { matches: matches.length };
}

/** The next match that nobody has played in; to have none left is a mistake of who asked. */
function fresh(left) {
  const match = left.pop();
  if (!match) throw new Error("more was played than had been prepared");
  return match;
}

/** Plays at so many matches at once until the time is over; what ends afterwards does not count. */
async function play({ play: atOnce, seconds }) {
  const left = [...matches];
  const latencies = [];
  const ends = performance.now() + 1000 * seconds;
  const keepOn = async () => {
    let match = fresh(left);
    while (performance.now() < ends) {
      if (match.over) match = fresh(left);
      const took = await match.move(pick);
      if (performance.now() < ends) latencies.push(took);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, keepOn));
  return { rate: latencies.length / seconds, latencies };
}

async function bid() {
  const latencies = [];
  for (const match of matches) {
    const begun = performance.now();
    await match.bid(pick);
    latencies.push(performance.now() - begun);
  }
  const sum = (name) => matches.reduce((total, match) => total + match[name], 0);
  const taken_s = latencies.reduce((total, took) => total + took, 0) / 1000;
  return { rate: sum("accepted") / taken_s, sent: sum("sent"), accepted: sum("accepted"), latencies };
}

async function whole() {
  const match = matches[0];
  let moves = 0;
  for (; !match.over; moves++) await match.move(pick);
  return { moves, ...match.over, seen: match.seats.map((seat) => Object.keys(seat.state.G.players)) };
}

const COMMANDS = { open, play, bid, whole };

async function main() {
  for await (const line of createInterface({ input: process.stdin })) {
    const asked = JSON.parse(line);
    const name = Object.keys(COMMANDS).find((command) => command in asked);
    console.log(JSON.stringify(await COMMANDS[name](asked)));
  }
  matches.forEach((match) => match.close());
}

main();
