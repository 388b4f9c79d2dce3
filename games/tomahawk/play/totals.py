"""What the warriors of a battle come to, and who wins it, on tied totals nobody: plain values only (TO-5.6).

The engine tells its events by these functions, and the players that search imagine battles by them. Sides count from 0;
the names and values of each side stand in the order of its slots.
"""

from collections.abc import Callable, Sequence

import msgspec

from games.tomahawk.components import TerritoryFace
from games.tomahawk.options import Options

Names = tuple[Sequence[str], Sequence[str]]
Values = tuple[Sequence[int], Sequence[int]]
Two = tuple[int, int]

NOBODY = -1  # the side that wins a tie; `battles.settle` discards the territory then (TO-5.7)
PAIR_BONUS = 5  # TO-5.6c
WEIGHTS = {"none": 1, "puma": 0, "gathering": 2}  # TO-5.6a, b: the multiplier of those that the picto singles out
SINGLED_OUT: dict[str, Callable[[Sequence[int]], int]] = {  # by their value; a weight of 1 changes nothing
    "none": min,
    "puma": max,
    "gathering": min,
}


class Spirit(msgspec.Struct, frozen=True, gc=False):
    """The great spirit of a side in a battle: the totals compared, and whether its power counts and decides."""

    side: int
    own: int
    other: int
    active: bool
    triggered: bool


class Fought(msgspec.Struct, frozen=True, gc=False):
    """How a battle ends, with all that decides it."""

    pivots: tuple[int | None, int | None]
    bonuses: Two
    totals: Two
    spirit: Spirit | None
    winner: int  # the side, or `NOBODY`
    multiplier: int  # of the animals


def fought(options: Options, face: TerritoryFace, names: Names, values: Values) -> Fought:
    """TO-5.6: the battle between warriors with these names and, after the effects of characters, these values."""
    weight, pivots = WEIGHTS[face.picto], pivots_of(options, face.picto, values)
    bonuses = (0, 0)
    if "shifting_spirit" in names[0] or "shifting_spirit" in names[1]:
        bonuses = (
            pair_bonus(options, names[0], values[0], pivots[0], weight),
            pair_bonus(options, names[1], values[1], pivots[1], weight),
        )
    first = counted(values[0], pivots[0], weight) + bonuses[0]
    second = counted(values[1], pivots[1], weight) + bonuses[1]
    spirit = None
    if "great_spirit" in names[0] or "great_spirit" in names[1]:
        spirit = _spirit(options, names, values, (first, second), pivots if weight == 0 else (None, None))
    winner = _winner(first, second, spirit)
    multiplier = animals_multiplier(options, winner, names) if face.terrain == "forest" else 1
    return Fought(pivots, bonuses, (first, second), spirit, winner, multiplier)


def pivots_of(options: Options, picto: str, values: Values) -> tuple[int | None, int | None]:
    """TO-5.6a, b: the value that the puma takes or the mushrooms feed, for each side (TO-R22, TO-R23)."""
    if picto == "none":
        return None, None
    choose = SINGLED_OUT[picto]
    if options.picto_scope == "each_player":
        return choose(values[0]), choose(values[1])
    pivot = choose((*values[0], *values[1]))
    return pivot, pivot


def counted(values: Sequence[int], pivot: int | None, weight: int) -> int:
    """The sum of a side's values, those that equal the pivot times its weight."""
    if pivot is None:
        return sum(values)
    return sum(values) + (weight - 1) * pivot * values.count(pivot)


def pair_bonus(options: Options, names: Sequence[str], values: Sequence[int], pivot: int | None, weight: int) -> int:
    """TO-5.6c: the shifting spirit and another 2 that both count are worth 9 together (TO-R17, TO-R18)."""
    if "shifting_spirit" not in names:
        return 0
    place = names.index("shifting_spirit")
    multiplier = weight if values[place] == pivot else 1
    others = (*values[:place], *values[place + 1 :])
    if not multiplier or 2 not in others or (pivot == 2 and not weight):
        return 0
    return PAIR_BONUS * (multiplier if options.pair_with_gathering == "bonus_doubled" else 1)


def _spirit(
    options: Options, names: Names, values: Values, totals: Two, taken: tuple[int | None, int | None]
) -> Spirit:
    """TO-5.6e: the great spirit, unless the puma has `taken` it, wins against more than double its own side's total."""
    side = 0 if "great_spirit" in names[0] else 1
    before = options.great_spirit_totals == "before_picto"
    if before:
        totals = (_plain_total(options, names[0], values[0]), _plain_total(options, names[1], values[1]))
    is_taken = values[side][names[side].index("great_spirit")] == taken[side]
    active = before or not is_taken or options.great_spirit_at_puma == "keeps_power"
    own, other = totals[side], totals[1 - side]
    return Spirit(side, own, other, active, active and other > 2 * own)


def _plain_total(options: Options, names: Sequence[str], values: Sequence[int]) -> int:
    """TO-5.6e with `great_spirit_totals: "before_picto"`: the total with every multiplier 1."""
    return sum(values) + pair_bonus(options, names, values, None, 1)


def _winner(first: int, second: int, spirit: Spirit | None) -> int:
    """TO-5.6d, e: the side with the higher total, on tied totals `NOBODY`, unless the great spirit decides."""
    if spirit is not None and spirit.triggered:
        return spirit.side
    return 0 if first > second else 1 if second > first else NOBODY


def animals_multiplier(options: Options, winner: int, names: Names) -> int:
    """TO-5.6f: 2 if somebody wins a forest whose caribou the sequoia heart doubles (TO-R21)."""
    if winner == NOBODY or not ("sequoia_heart" in names[0] or "sequoia_heart" in names[1]):
        return 1
    return 2 if options.sequoia_benefits == "any_winner" or "sequoia_heart" in names[winner] else 1
