// How a hunt of Big Manitou or Manitou stands: the totals of seats on a ground and what they would take if the hunt ended
// now (BM-5.7, MA-5.7), and their force.

const HUNTER = /^hunter-(\d+)/;

/** A ground as it stands: `{totals, tied, first, second, takes}`; totals and what is taken by seat, nobody is null. */
export function contest(view, { ground, sides, tiles, buffalo }) {
  const totals = new Map(sides.flatMap((side) => totalOf(side, bonusOf(view, side.seat))));
  const standing = tiles ? struckOut(totals) : shared(totals);
  const taken = () =>
    tiles ? tilesTaken(view, sides, tiles, totals, standing) : cardsTaken(view, sides, buffalo, standing);
  const takes = added(view.evaluating === ground ? stillAwarded(view) : taken());
  return { totals, ...standing, takes: new Map(takes.filter(([seat, count]) => seat && count)) };
}

/** While the tiles of a ground are shared out, what was ruled and not taken yet. */
const stillAwarded = ({ awards }) => awards.map(({ seat, count }) => [seat, count]);

/** What the hunters of a seat come to on all grounds, by which the force penalty falls (BM-5.5, MA-5.6). */
export function force({ grounds, options, seats }, seat) {
  const bonus = options.penalty_strength === "with_tomahawks" ? tomahawks(seats[seat - 1]) : 0;
  const totals = grounds
    .flatMap(({ sides }) => sides.filter((side) => side.seat === seat))
    .flatMap((side) => totalOf(side, bonus));
  return totals.reduce((sum, [, total]) => sum + total, 0);
}

const hasHero = ({ cards }) => cards.some(({ card, face_up: up }) => up && !HUNTER.test(card));

/** BM-R18: the tomahawks with which the evaluation began; before it those that are held. Manitou has none. */
const bonusOf = ({ seats, bonuses }, seat) => bonuses?.[seat - 1] ?? tomahawks(seats[seat - 1]);

const tomahawks = ({ tiles = [] }) => tiles.filter((id) => id.startsWith("tomahawk")).length;

function totalOf({ seat, cards }, bonus) {
  const hunters = cards.flatMap(({ card }) => HUNTER.exec(card)?.[1] ?? []);
  return hunters.length ? [[seat, hunters.reduce((sum, rank) => sum + Number(rank) + bonus, 0)]] : [];
}

const ranked = (totals) => [...totals].sort(([, one], [, other]) => other - one);

const seatsWith = (totals, wanted) => [...totals].flatMap(([seat, total]) => (total === wanted ? [seat] : []));

/** Big Manitou: whoever shares a total is struck out, and the next count. */
function struckOut(totals) {
  const places = ranked(totals).flatMap(([seat, total]) => (seatsWith(totals, total).length === 1 ? [seat] : []));
  const [first = null, second = null] = places;
  return { tied: [...totals.keys()].filter((seat) => !places.includes(seat)), first, second };
}

/** Manitou: a place that several share is nobody's, and so is the one after it. */
function shared(totals) {
  const [best, ...others] = ranked(totals);
  const first = best && best[1] !== others[0]?.[1] ? best[0] : null;
  const rivals = best ? seatsWith(totals, first ? others[0]?.[1] : best[1]) : [];
  const alone = first && rivals.length === 1;
  return { tied: rivals.length > 1 ? rivals : [], first, second: alone ? rivals[0] : null };
}

const RUNNER_UP = { one: () => 1, rest: (left) => left, four_tile_grounds_only: (_, tiles) => Number(tiles === 4) };

function tilesTaken({ options }, sides, { length: tiles }, totals, { first, second }) {
  const hero = sides.find(hasHero)?.seat ?? null;
  const one = Number(hero && (totals.size > 0 || options.hero_without_hunters === "takes_one"));
  const two = first ? Math.min(2, tiles - one) : 0;
  const left = tiles - one - two;
  const rest = left > 0 ? RUNNER_UP[options.runner_up_share](left, tiles) : 0;
  return [
    [hero, Math.min(one, tiles)],
    [first, Math.max(two, 0)],
    [second, rest],
  ];
}

function cardsTaken({ options }, sides, { length: cards }, { first, second, tied }) {
  const alone = first && !second && !tied.length;
  const present = sides.filter((side) => side.cards.length).length;
  const all = options.alone === "only_hunters" || (options.alone === "only_cards" && present === 1);
  return [
    [first, Math.min(cards, 1)],
    [alone && all ? first : second, Math.max(cards - 1, 0)],
  ];
}

/** A seat may take in several places: as owner of the hero and as majority. */
function added(rows) {
  const sums = new Map();
  for (const [seat, count] of rows) sums.set(seat, (sums.get(seat) ?? 0) + count);
  return [...sums];
}
