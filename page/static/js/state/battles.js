// How a battle of Tomahawk stands: what the warriors face up come to, and who would win with them (TO-5.6).

const WEIGHTS = { puma: 0, gathering: 2 }; // of those that the sign of the territory singles out
const PAIR_BONUS = 5;

/** `{totals, winner}`: the totals of seats 1 and 2, and the seat that would win, on a tie null. */
export function battle(options, picto, slots) {
  const sides = [0, 1].map((side) => slots.map(({ cards }) => ({ ...cards[side], name: cards[side].card.name })));
  const weighed = sides.map((side) =>
    weighedBy(picto, side, options.picto_scope === "each_player" ? side : sides.flat()),
  );
  const totals = weighed.map((side) => totalOf(side, options));
  const leads = totals[0] === totals[1] ? null : totals[0] > totals[1] ? 1 : 2;
  return { totals, winner: seatOfSpirit(options, sides, weighed) ?? leads };
}

function weighedBy(picto, side, among) {
  const values = among.map(({ value }) => value);
  const pivot = picto === "puma" ? Math.max(...values) : Math.min(...values);
  return side.map((warrior) => ({ ...warrior, weight: (warrior.value === pivot ? WEIGHTS[picto] : null) ?? 1 }));
}

/** With the shifting spirit's bonus for another 2 beside it. */
function totalOf(side, options) {
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
  const [own, other] = [side, 1 - side].map((each) => totalOf(compared[each], options));
  return active && other > 2 * own ? side + 1 : null;
}
