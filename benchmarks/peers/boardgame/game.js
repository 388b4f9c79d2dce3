// A trick-taking game for four, written as boardgame.io's documentation says: in each deal all four bid in secret and at
// once how many tricks they will take, and then play thirteen. Three deals are 168 moves, 12 of them secret: about as
// many as a game of Big Manitou with four seats has.

const { ActivePlayers, INVALID_MOVE, PlayerView } = require("boardgame.io/core");

const SEATS = 4;
const RANKS = 13;
const DEALS = 3;
const DECK = Array.from({ length: SEATS * RANKS }, (_, card) => card); // suit: card / 13, rank: card % 13

const suitOf = (card) => Math.floor(card / RANKS);
const ofEverySeat = (value) => Array.from({ length: SEATS }, () => value);
const everySeat = (G, holds) => Object.values(G.players).every(holds);
const nobody = () => Object.fromEntries(ofEverySeat(null).map((_, seat) => [seat, { hand: [], bid: null }]));

function deal({ G, random }) {
  const cards = random.Shuffle(DECK);
  for (let seat = 0; seat < SEATS; seat++) {
    G.players[seat] = { hand: cards.slice(seat * RANKS, (seat + 1) * RANKS).sort((a, b) => a - b), bid: null };
  }
  G.bids = null;
  G.taken = ofEverySeat(0);
  G.trick = [];
  G.leader = G.deal % SEATS;
}

function bid({ G, playerID }, tricks) {
  const own = G.players[playerID];
  if (own.bid !== null || !Number.isInteger(tricks) || tricks < 0 || tricks > RANKS) return INVALID_MOVE;
  own.bid = tricks;
}

function play({ G, playerID }, card) {
  const own = G.players[playerID];
  if (!playable(own.hand, G.trick).includes(card)) return INVALID_MOVE;
  own.hand = own.hand.filter((held) => held !== card);
  G.trick.push({ seat: Number(playerID), card });
  if (G.trick.length === SEATS) take(G);
}

/** The cards that may be played: suit must be followed. */
function playable(hand, trick) {
  const following = trick.length ? hand.filter((card) => suitOf(card) === suitOf(trick[0].card)) : [];
  return following.length ? following : hand;
}

/** The highest card of the suit that was led takes the trick, and its seat leads the next. */
function take(G) {
  const following = G.trick.filter(({ card }) => suitOf(card) === suitOf(G.trick[0].card));
  G.leader = following.reduce((best, other) => (other.card > best.card ? other : best)).seat;
  G.taken[G.leader] += 1;
  G.trick = [];
}

function score({ G }) {
  G.players = nobody(); // whether a phase is over is asked before it begins, too
  G.points = G.points.map((points, seat) => points + (G.taken[seat] === G.bids[seat] ? 10 + G.bids[seat] : 0));
  G.deal += 1;
}

/** The game; with `tolerant` bids are taken that were made before the bids of others arrived. */
const tricks = (name, tolerant) => ({
  name,
  minPlayers: SEATS,
  maxPlayers: SEATS,
  disableUndo: true,
  playerView: PlayerView.STRIP_SECRETS,
  setup: () => ({
    players: nobody(),
    bids: null,
    taken: ofEverySeat(0),
    trick: [],
    leader: 0,
    points: ofEverySeat(0),
    deal: 0,
  }),
  phases: {
    bidding: {
      start: true,
      next: "playing",
      onBegin: deal,
      turn: { activePlayers: ActivePlayers.ALL },
      moves: { bid: { move: bid, client: false, redact: true, ignoreStaleStateID: tolerant } },
      endIf: ({ G }) => everySeat(G, ({ bid }) => bid !== null),
      onEnd: ({ G }) => {
        G.bids = Object.values(G.players).map((player) => player.bid);
      },
    },
    playing: {
      next: "bidding",
      turn: {
        minMoves: 1,
        maxMoves: 1,
        order: {
          first: ({ G }) => G.leader,
          next: ({ G, ctx }) => (G.trick.length ? (ctx.playOrderPos + 1) % SEATS : G.leader),
        },
      },
      moves: { play: { move: play, client: false } },
      endIf: ({ G }) => everySeat(G, ({ hand }) => !hand.length),
      onEnd: score,
    },
  },
  endIf: ({ G }) => (G.deal === DEALS ? { points: G.points } : undefined),
});

module.exports = { playable, tricks, GAMES: [tricks("tolerant", true), tricks("strict", false)] };
