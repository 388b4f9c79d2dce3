// How a contest stands if it ended now. A ground of Big Manitou or Manitou: the totals of seats, what they would take
// (BM-5.7, MA-5.7), and their force. A battle of Tomahawk: the totals of the warriors face up, and who would win (TO-5.6).

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

const WEIGHTS = { puma: 0, gathering: 2 }; // of those that the sign of the territory singles out
const PAIR_BONUS = 5;

/** A battle as it stands: `{totals, winner}`, the totals of seats 1 and 2, and the seat that would win, on a tie null. */
export function battle(options, picto, slots) {
  const sides = [0, 1].map((side) => slots.map(({ cards }) => ({ ...cards[side], name: cards[side].card.name })));
  const weighed = sides.map((side) =>
    weighedBy(picto, side, options.picto_scope === "each_player" ? side : sides.flat()),
  );
  const totals = weighed.map((side) => weightOf(side, options));
  const leads = totals[0] === totals[1] ? null : totals[0] > totals[1] ? 1 : 2;
  return { totals, winner: seatOfSpirit(options, sides, weighed) ?? leads };
}

function weighedBy(picto, side, among) {
  const values = among.map(({ value }) => value);
  const pivot = picto === "puma" ? Math.max(...values) : Math.min(...values);
  return side.map((warrior) => ({ ...warrior, weight: (warrior.value === pivot ? WEIGHTS[picto] : null) ?? 1 }));
}

/** With the shifting spirit's bonus for another 2 beside it. */
function weightOf(side, options) {
  const counting = side.filter(({ weight }) => weight);
  const spirit = counting.find(({ name }) => name === "shifting_spirit");
  const isPair = spirit && counting.some((warrior) => warrior !== spirit && warrior.value === 2);
  const bonus = PAIR_BONUS * (options.pair_with_gathering === "bonus_doubled" ? spirit?.weight : 1);
  return counting.reduce((sum, { value, weight }) => sum + value * weight, isPair ? bonus : 0);
}

/** The seat whose great spirit decides: the other side has more than twice its own total. */
function seatOfSpirit(options, sides, weighed) {
  const side = weighed.findIndex((warriors) => warriors.some(({ name }) => name === "great_spirit"));
  if (side < 0) return null;
  const before = options.great_spirit_totals === "before_picto";
  const compared = before ? sides.map((each) => weighedBy("none", each, each)) : weighed;
  const { weight } = compared[side].find(({ name }) => name === "great_spirit");
  const active = weight || options.great_spirit_at_puma === "keeps_power";
  const [own, other] = [side, 1 - side].map((each) => weightOf(compared[each], options));
  return active && other > 2 * own ? side + 1 : null;
}
