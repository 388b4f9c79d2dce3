"""Statistics of games played: how often each feature occurs and how its seats fared, out of what is counted."""

import math
import sqlite3
from itertools import groupby
from typing import Any, NamedTuple

from projections.played.counting import ALL

Z = 1.959964  # standard deviations on either side that 95 % of a normal distribution lie within


class Share(NamedTuple):
    """So many of so many, as a share, with its interval (Wilson, 95 %); none of nothing."""

    share: float
    low: float
    high: float


class Counted(NamedTuple):
    """A seat number among those with a feature: how many seats, and how many of them won."""

    seat: int
    seats: int
    won: int


class Value(NamedTuple):
    """A value of a feature, and the seats that had it, by number."""

    value: str
    by_seat: list[Counted]

    @property
    def seats(self) -> int:
        """How many seats had it."""
        return sum(one.seats for one in self.by_seat)

    @property
    def won(self) -> int:
        """How many of them won."""
        return sum(one.won for one in self.by_seat)


class Feature(NamedTuple):
    """A feature with all its values, that of most seats first; `of` whether it is an option, the game's or a seat's."""

    of: str
    name: str
    values: list[Value]

    @property
    def seats(self) -> int:
        """Of how many seats it is told."""
        return sum(value.seats for value in self.values)


class Of(NamedTuple):
    """Which seats at which games; None: whichever."""

    game: str
    players: int | None = None
    rated: bool | None = None
    level: str | None = None


def statistics(database: sqlite3.Connection, of: Of) -> tuple[int, list[Feature]]:
    """How many games there are, and all features of their seats, by kind and name."""
    where, values = _where(of)
    games = database.execute(
        f"select coalesce(sum(seats), 0) from counted where {where} and seat = 0 and level = ?",  # noqa: S608 - own names
        (*values, of.level or ALL),
    ).fetchone()[0]
    level, more = ("and level = ?", (of.level,)) if of.level else ("", ())
    asked = (
        f"select kind, feature, value, seat, sum(seats), sum(won) from counted where {where} and seat > 0 {level}"  # noqa: S608 - own names
        " group by kind, feature, value, seat order by kind, feature, value, seat"
    )
    return int(games), _features(database.execute(asked, (*values, *more)).fetchall())


def _where(of: Of) -> tuple[str, list[Any]]:
    given = {"game": of.game, "players": of.players, "rated": of.rated}
    named = {name: value for name, value in given.items() if value is not None}
    return " and ".join(f"{name} = ?" for name in named), list(named.values())


def _features(rows: list[tuple[Any, ...]]) -> list[Feature]:
    found = groupby(rows, key=lambda row: (row[0], row[1]))
    return [Feature(of, name, _values(list(told))) for (of, name), told in found]


def _values(rows: list[tuple[Any, ...]]) -> list[Value]:
    found = groupby(rows, key=lambda row: row[2])
    values = [Value(value, [Counted(*row[3:]) for row in told]) for value, told in found]
    return sorted(values, key=lambda value: (-value.seats, value.value))


def share(number: int, of: int) -> Share | None:
    """A share and its interval after Wilson (1927), which holds for few and for shares near 0 and 1 too."""
    if not of:
        return None
    part, spread = number / of, Z * Z / of
    middle = (part + spread / 2) / (1 + spread)
    half = Z / (1 + spread) * math.sqrt(part * (1 - part) / of + spread / (4 * of))
    return Share(*(round(max(one, 0.0), 4) for one in (part, middle - half, middle + half)))
