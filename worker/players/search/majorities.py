"""What the two cards of a ground bring a seat of Manitou more than its rivals, by how its total stands to theirs.

Who takes the cards depends on the order of the totals alone, not on how far they lie apart. So the game is asked once
about one example of every order, and a playout, which weighs some hundred placements, looks the answer up.
"""

from __future__ import annotations

from functools import cache

from games.manitou.scoring import takers

UNRIVALLED, AHEAD_OF_TIED, AHEAD, TIED_FOR_FIRST, SECOND, TIED_FOR_SECOND, NOTHING, BEHIND_TIED, BEHIND = range(9)
EXAMPLES = (  # of these orders: a total, and those of up to three rivals, the highest first
    (1, (0, 0, 0)),
    (2, (1, 1, 0)),
    (2, (1, 0, 0)),
    (1, (1, 0, 0)),
    (1, (2, 0, 0)),
    (1, (2, 1, 0)),
    (0, (1, 0, 0)),
    (0, (2, 1, 1)),
    (0, (2, 1, 0)),
)


def order_of(own: int, rivals: list[int]) -> int:
    """How a total stands to those of the rivals, two or more, the highest first; a single one is followed by a 0."""
    best, third = rivals[0], rivals[1]
    if own > best:
        if not best:
            return UNRIVALLED
        return AHEAD_OF_TIED if third == best else AHEAD
    if best in (own, third):
        return TIED_FOR_FIRST
    if own > third:
        return SECOND
    if own == third:
        return TIED_FOR_SECOND if own else NOTHING
    return BEHIND_TIED if len(rivals) > 2 and rivals[2] == third else BEHIND


@cache
def margins(first: float, second: float, rivals: int, alone: bool) -> tuple[float, ...]:
    """By order, what prizes of these values bring a seat more than so many rivals on average.

    `alone`: the majority takes both if nobody else has hunters there.
    """
    return tuple([_margin([own, *others[:rivals]], first, second, alone) for own, others in EXAMPLES])


def _margin(totals: list[int], first: float, second: float, alone: bool) -> float:
    """What the seat with the first of the totals takes more than the others on average."""
    one, _, two = takers(totals, alone)
    own = (one == 0) * first + (two == 0) * second
    return own - ((one > 0) * first + (two > 0) * second) * (1.0 / (len(totals) - 1))
