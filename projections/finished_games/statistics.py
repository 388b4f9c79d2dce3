"""Statistics of finished games: how often each feature occurs, and how often its seats won."""

import math
import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import groupby
from typing import Any, NamedTuple

import msgspec

from games import GAMES
from projections.finished_games.games import Game

PEOPLE, BOTS = "people", "bots"
ALL = ""  # seats of every kind
OPTION, OF_GAME, OF_SEAT = "option", "game", "seat"  # the subject of a feature
OTHER = "other"  # stands for unlisted values, to bound their number

Key = tuple[str, int, int, str, int, str, str, str]  # game, players, rated, level, seat, of, feature, value
ADD = (
    "insert into counted values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
    " on conflict do update set seats = seats + excluded.seats, won = won + excluded.won"
)


def add(database: sqlite3.Connection, games: Iterable[Game], sign: int = 1) -> None:
    """Adds the counts of games, or subtracts them with the sign -1, within a transaction."""
    seats, won = Counter[Key](), Counter[Key]()
    for game in games:
        for key, has_won in counts_of(game):
            seats[key] += sign
            won[key] += sign * has_won
    database.executemany(ADD, [(*key, number, won[key]) for key, number in sorted(seats.items())])
    if sign < 0:
        database.execute("delete from counted where seats <= 0")


def counts_of(game: Game) -> Iterator[tuple[Key, bool]]:
    """Yields everything that counts of a game, and whether the seat won. A game that ended early counts for nothing."""
    row = game.row
    if not game.public or row["forked_from"] or game.result["how"] != "game_over":
        return
    kind = (*game.scale, int(game.rated))
    for level in sorted({ALL, *map(level_of, row["seats"])}):
        yield (*kind, level, 0, OF_GAME, "", ""), False
    common = [
        *_options(row["game"], msgspec.json.encode(row["options"], order="sorted")),
        (OF_GAME, "winners", str(len(row["winners"]))),
    ]
    for number, (seat, left) in enumerate(zip(row["seats"], game.result["left"], strict=True), 1):
        if not left:
            for of, name, value in [*common, *((OF_SEAT, *one) for one in game.result["features"][number - 1].items())]:
                yield (*kind, level_of(seat), number, of, name, value), number in row["winners"]


def level_of(seat: Mapping[str, Any]) -> str:
    """Returns the kind of holder of a seat: `people`, `bots`, or the level of AI."""
    return str(seat["level"] or (BOTS if seat["bot"] else PEOPLE))


@lru_cache(1024)  # most tables are opened with one of a few sets of house rules
def _options(slug: str, options: bytes) -> tuple[tuple[str, str, str], ...]:
    """Returns the house rules that have a list of values."""
    game = GAMES.get(slug)
    if game is None:
        return ()
    found = msgspec.json.decode(options)
    values = [(one.name, found[one.name], one.values) for one in game.options if one.values and one.name in found]
    return tuple(
        (OPTION, name, msgspec.json.encode(value).decode() if value in listed else OTHER)
        for name, value, listed in values
    )


Z = 1.959964  # standard deviations around the mean of 95 % of a normal distribution


class Share(NamedTuple):
    """A share with its interval (Wilson, 95 %)."""

    share: float
    low: float
    high: float


class Counted(NamedTuple):
    """How many seats of a number had a value, and how many of them won."""

    seat: int
    seats: int
    won: int


class Value(NamedTuple):
    """A value of a feature, and the seats that had it, by seat number."""

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
    """A feature with its values, the most frequent first; `of` is `option`, `game` or `seat`."""

    of: str
    name: str
    values: list[Value]

    @property
    def seats(self) -> int:
        """How many seats had any value."""
        return sum(value.seats for value in self.values)


class Of(NamedTuple):
    """A filter of games and seats; None admits all."""

    game: str
    players: int | None = None
    rated: bool | None = None
    level: str | None = None


def statistics(database: sqlite3.Connection, of: Of) -> tuple[int, list[Feature]]:
    """Returns the number of games, and all features of their seats by kind and name."""
    where, values = _where(of)
    games = database.execute(
        f"select coalesce(sum(seats), 0) from counted where {where} and seat = 0 and level = ?",  # noqa: S608 - own names
        (*values, of.level or ALL),
    ).fetchone()[0]
    level, more = ("and level = ?", (of.level,)) if of.level else ("", ())
    query = (
        f"select kind, feature, value, seat, sum(seats), sum(won) from counted where {where} and seat > 0 {level}"  # noqa: S608 - own names
        " group by kind, feature, value, seat order by kind, feature, value, seat"
    )
    return int(games), _features(database.execute(query, (*values, *more)).fetchall())


def _where(of: Of) -> tuple[str, list[Any]]:
    given = {"game": of.game, "players": of.players, "rated": of.rated}
    named = {name: value for name, value in given.items() if value is not None}
    return " and ".join(f"{name} = ?" for name in named), list(named.values())


def _features(rows: list[tuple[Any, ...]]) -> list[Feature]:
    found = groupby(rows, key=lambda row: (row[0], row[1]))
    return [Feature(of, name, _values(list(told))) for (of, name), told in found]


def _values(rows: list[tuple[Any, ...]]) -> list[Value]:
    found = groupby(rows, key=lambda row: row[2])
    values = [Value(value, [Counted(*row[3:]) for row in some]) for value, some in found]
    return sorted(values, key=lambda value: (-value.seats, value.value))


def share(number: int, of: int, z: float = Z, digits: int = 4) -> Share | None:
    """Returns a share and its interval after Wilson (1927), valid for few cases and shares near 0 and 1; None of 0.

    The interval is that of `z` standard deviations; figures are rounded to so many digits.
    """
    if not of:
        return None
    part, spread = number / of, z * z / of
    middle = (part + spread / 2) / (1 + spread)
    half = z / (1 + spread) * math.sqrt(part * (1 - part) / of + spread / (4 * of))
    return Share(*(round(max(one, 0.0), digits) for one in (part, middle - half, middle + half)))
