"""The score of the game (BM-6)."""

from collections import Counter
from functools import lru_cache
from typing import NamedTuple

import msgspec

from games.big_manitou import events as ev
from games.big_manitou.components import KIND, VALUE, Kind, tiles_of
from games.big_manitou.events import SeatScore
from games.big_manitou.house_rules import Options
from games.big_manitou.state import Cards, State
from games.deciding import when
from games.ranking import Rank, ranking, ranks


def pairs(tipi: int, bison: int) -> int:
    """BM-6.1: the points for tipi and bison of these values; the surplus of either is worth nothing."""
    return min(tipi, bison)


def has_most_tomahawks(options: Options, own: int, others_most: int) -> bool:
    """BM-6.2, BM-R19: whether a seat has the majority of tomahawks; several have it with `tomahawk_tie: "all"` only."""
    return own > others_most or (own == others_most > 0 and options.tomahawk_tie == "all")


class Scores(msgspec.Struct, frozen=True, gc=False):
    """BM-6: the points of every seat, and the ranking."""

    scores: tuple[SeatScore, ...]
    ranking: tuple[Rank, ...]
    winners: tuple[int, ...]


class Holding(NamedTuple):
    """BM-6.1: the points of a seat's tiles by kind, and how many tomahawks there are."""

    tipi: int
    bison: int
    tomahawks: int


class Wealth(NamedTuple):
    """The input of the scores: every seat's tiles and number of tiles taken, the cylinders, the house rules."""

    tiles: tuple[Cards, ...]
    taken: tuple[int, ...]
    totem: int | None
    horse: int | None
    options: Options


def scores(state: State) -> Scores:
    """BM-6, as if the game ended now."""
    tiles, taken = tuple([seat.tiles for seat in state.seats]), tuple([seat.tiles_taken for seat in state.seats])
    return _scores(Wealth(tiles, taken, state.totem_cylinder, state.horse_cylinder, state.options))


@lru_cache(maxsize=4096)  # every view shows the scores, and they change seldom
def _scores(wealth: Wealth) -> Scores:
    rows = _unranked(wealth)
    taken = wealth.options.tiebreak_tiles == "taken"
    keys = {row.seat: (row.total, row.tipi_points, row.tiles_taken if taken else row.tiles_held) for row in rows}
    places = ranks(keys)
    ranked = tuple([msgspec.structs.replace(row, rank=places[row.seat]) for row in rows])
    order = ranking(places)
    return Scores(ranked, order, order[0].seats)


def _unranked(wealth: Wealth) -> tuple[SeatScore, ...]:
    """BM-6.1 to BM-6.3; the ranks are not known yet."""
    rows = zip(map(holding, wealth.tiles), _majorities(wealth), strict=True)
    return tuple([_row(wealth, seat, held, majority) for seat, (held, majority) in enumerate(rows, 1)])


def _row(wealth: Wealth, seat: int, held: Holding, majority: int) -> SeatScore:
    """BM-6.2: pairs, cylinders and the majority of tomahawks."""
    tipi, bison, tomahawks = held
    totem, horse = int(wealth.totem == seat), int(wealth.horse == seat)
    return SeatScore(
        seat=seat,
        tipi_points=tipi,
        bison_points=bison,
        pairs=pairs(tipi, bison),
        totem_cylinder=totem,
        horse_cylinder=horse,
        tomahawks=tomahawks,
        tomahawk_majority=majority,
        tiles_held=len(wealth.tiles[seat - 1]),
        tiles_taken=wealth.taken[seat - 1],
        total=pairs(tipi, bison) + totem + horse + majority,
        rank=0,
    )


def _majorities(wealth: Wealth) -> list[int]:
    """BM-6.2: the point that a seat has for its tomahawks."""
    counts = [holding(tiles).tomahawks for tiles in wealth.tiles]
    most, second = sorted(counts)[:-3:-1]
    return [int(has_most_tomahawks(wealth.options, own, second if own == most else most)) for own in counts]


@lru_cache(maxsize=4096)  # only one seat at a time gets other tiles
def holding(tiles: Cards) -> Holding:
    """Returns the points of one seat's tiles."""
    return Holding(_points(tiles, "tipi"), _points(tiles, "bison"), tiles_of(tiles, "tomahawk"))


def _points(tiles: Cards, kind: Kind) -> int:
    return sum([VALUE[tile] for tile in tiles if KIND[tile] == kind])


def final_scores(state: State) -> ev.GameEnded:
    """The end of the game: scores, ranks and winners (BM-6.3, BM-6.4)."""
    found = scores(state)
    tomahawks = [row.tomahawks for row in found.scores]
    equals = Counter((row.total, row.tipi_points) for row in found.scores)
    most_is_shared, has_equals = tomahawks.count(max(tomahawks)) > 1, max(equals.values()) > 1
    rules = ("BM-6.1", "BM-6.2", *when(most_is_shared, "BM-R19"), "BM-6.3", "BM-6.4", *when(has_equals, "BM-R20"))
    return ev.GameEnded(found.scores, found.ranking, found.winners, rules)
