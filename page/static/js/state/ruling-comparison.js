// What was compared when strength decided: the sides of a ruling with their cards and figures, and who won or fell.

const RELATIONS = { attacker_beats: "more", defender_beats: "less", identical: "even" };

/** Heroes that meet: those turned down fall. */
function heroes({ attacker, defender, turned_down: fallen }) {
  const falls = (seat, card) => fallen.some((row) => row.seat === seat && row.card === card);
  const side = ({ seat, card, protected: other }) => ({
    seat,
    cards: [card, ...(other ? [other] : [])],
    fallen: [card, other].filter((each) => each && falls(seat, each)),
    lost: falls(seat, card),
  });
  return [side(attacker), side(defender)];
}

const idOf = (card) => card.card ?? card;

/** What a figure adds to the ranks of its cards: tomahawks to each hunter; or what warriors count by signs and pairs. */
function made({ cards, bonus_per_card: bonus, pair_bonus: pair, total }) {
  if (pair === undefined) return bonus ? { words: `+ ${cards.length} × ${bonus}`, by: "tomahawk" } : null;
  const words = [...cards.map(({ counts }) => counts), pair || []].flat().join(" + ");
  return words === String(total) ? null : { words };
}

/** Strengths added up, a row a seat; totals that are tied count for nobody. */
const strengths = (won, out) => (payload) =>
  payload.totals.map((row) => ({
    seat: row.seat,
    cards: row.cards.map(idOf),
    figure: row.total,
    made: made(row),
    won: won(payload, row.seat),
    lost: out(payload, row.seat),
  }));

const ground = strengths(
  ({ majority }, seat) => majority === seat,
  ({ tied_out: tied }, seat) => tied.includes(seat),
);
const penalty = strengths(
  () => false,
  ({ penalised }, seat) => penalised.includes(seat),
);
const territory = strengths(
  ({ winner }, seat) => winner === seat,
  ({ winner }, seat) => Boolean(winner) && winner !== seat,
);

const duel = ({ cards, winner }) =>
  cards.map(({ seat, card, value }) => ({
    seat,
    cards: [card],
    figure: value,
    won: winner === seat,
    lost: Boolean(winner) && winner !== seat,
  }));

const raid = (first, second) => [
  { cards: [], won: false, lost: true, ...first },
  { cards: [], won: true, lost: false, ...second },
];

const CASES = {
  TrialOfStrengthResolved: heroes,
  GroundEvaluated: ground,
  ForcePenaltyAssessed: penalty,
  TerritoryJudged: territory,
  ScalpDuelJudged: duel,
  RaidDrivenOff: (it) =>
    raid({ tribe: it.tribe, cards: it.cards, figure: it.attack }, { tribe: it.by_tribe, figure: it.by_attack }),
  RaidRepelled: (it) =>
    raid({ tribe: it.raider, figure: it.attack }, { tribe: it.tribe, cards: it.weapons, figure: it.defence }),
  ProposalOutbid: (it) =>
    raid(
      { tribe: it.tribe, cards: [it.card], figure: it.value },
      { tribe: it.by_tribe, cards: [it.by_card], figure: it.by_value },
    ),
};

/**
 * `{version, type, words, sides, between, sacrifice}` of a ruling that compared strengths, or null; `between` is the sign,
 * `sacrifice` whether the attacker fell together with one of a pair.
 */
export function trialOf({ version, type, words, payload }) {
  const sides = CASES[type]?.(payload);
  if (!sides || sides.length < 2) return null;
  const sacrifice = payload.contest === "pair" && sides.every(({ lost }) => lost);
  return { version, type, words, sides, between: RELATIONS[payload.relation] ?? between(sides), sacrifice };
}

/** How the figure of the first of two sides stands to that of the second; null where there are more. */
function between(sides) {
  if (sides.length !== 2) return null;
  const [one, other] = sides.map(({ figure }) => figure);
  if (one === other) return "even";
  return one > other ? "more" : "less";
}
