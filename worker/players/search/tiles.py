"""What tiles and cylinders are worth in Big Manitou to a search, with the hunts to come.

A tile is its kind: 0 to 2 bison of value 1 to 3, 3 to 5 tipi, then horse, totem and tomahawk.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from games.big_manitou.components import KIND, PAYS_FIRST, VALUE
from games.big_manitou.options import Options
from games.big_manitou.scoring import has_most_tomahawks, pairs
from worker.players.greedy.big_manitou import WEIGHTS

HORSE, TOTEM, TOMAHAWK = 6, 7, 8
TILE_KINDS = 9
TAKE_FROM = 300  # tiles taken are a move as decimal digits behind it
ROOTS = [math.sqrt(difference) for difference in range(200)]


def tile_kind(tile: str) -> int:
    """The kind of a tile: `tipi-2-5` is 4."""
    places = {"bison": -1, "tipi": 2, "horse": HORSE, "totem": TOTEM, "tomahawk": TOMAHAWK}
    return places[KIND[tile]] + VALUE[tile]


PAYING = frozenset([tile_kind(tile) for tile in PAYS_FIRST])


class Outlook(NamedTuple):
    """How many hunts are to come after this one, of how many; and the rules of cylinders and ties."""

    hunts_left: int
    hunts: int
    options: Options
    rechecks: bool  # BM-R16

    @classmethod
    def of(cls, options: Options, hunts_left: int, hunts: int) -> Outlook:
        """The outlook of a hunt under these house rules."""
        return cls(hunts_left, hunts, options, options.cylinder_on_loss == "recheck")


def pairs_worth(tiles: list[int], outlook: Outlook) -> float:
    """The points for bison with tipis (BM-6.1), and what one kind without the other may yet bring."""
    bison = tiles[0] + 2 * tiles[1] + 3 * tiles[2]
    tipi = tiles[3] + 2 * tiles[4] + 3 * tiles[5]
    if not outlook.hunts_left:
        return pairs(tipi, bison) + 0.05 * tipi  # the tie-break of BM-6.4
    return pairs(tipi, bison) + WEIGHTS["surplus"] * outlook.hunts_left / outlook.hunts * ROOTS[abs(tipi - bison)]


def tomahawks_worth(tiles: list[int], rivals_most: int, outlook: Outlook) -> float:
    """The point for most tomahawks (BM-6.2), likely or certain, and their bonus in the hunts to come."""
    own = tiles[TOMAHAWK]
    if not outlook.hunts_left:
        return float(has_most_tomahawks(outlook.options, own, rivals_most))
    majority = 0.5 + 0.5 * math.tanh(own - rivals_most - 0.5) if own else 0.0
    return majority + WEIGHTS["tomahawk"] * min(outlook.hunts_left, 2) * own


def cylinder_worth(holds: bool, count: int, outlook: Outlook) -> float:
    """A cylinder's point and its use, or what its tiles may yet bring (BM-5.8, BM-6.2)."""
    left = outlook.hunts_left
    if holds:
        return 1.0 + WEIGHTS["cylinder_use"] * left + (WEIGHTS["behind"] * (count - 1) if left else 0.0)
    return WEIGHTS["behind"] * count if left else 0.0


def encoded(tiles: tuple[int, ...]) -> int:
    """A taking of tiles, sorted, as a move."""
    number = 0
    for tile in tiles:
        number = number * 10 + tile + 1
    return TAKE_FROM + number


def decoded(move: int) -> tuple[int, ...]:
    """The tiles of a taking."""
    return tuple([int(digit) - 1 for digit in str(move - TAKE_FROM)])
