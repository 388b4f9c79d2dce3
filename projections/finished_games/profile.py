"""The figures of a player's profile: results by game, opponents, and games by month.

They are counted over the latest public games, which bounds the cost.
"""

import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from events.times import stamp

MOST_COUNTED = 5000  # games
MOST_OPPONENTS = 20
DAY_MS = 86_400_000
LATEST = "select place, won, slug, seats from holders where public = 1 and holder = ? order by place desc limit ?"


class Result(NamedTuple):
    """How often a player has played a game with so many seats, and won."""

    game: str
    seats: int
    games: int
    won: int


class Opponent(NamedTuple):
    """An opponent: how many games, and how many each of the two won."""

    player: str
    games: int
    won: int
    lost: int


class Month(NamedTuple):
    """The number of games that ended in a month (UTC)."""

    month: str
    games: int


class Figures(NamedTuple):
    """The figures of a player, with the most frequent opponents first."""

    results: list[Result]
    opponents: list[Opponent]
    activity: list[Month]


def figures_of(database: sqlite3.Connection, player: str) -> Figures:
    """Returns the figures of a player."""
    rows = database.execute(LATEST, (player, MOST_COUNTED)).fetchall()
    return Figures(list(_results(rows)), _opponents(database, player), list(_months(row[0] for row in rows)))


def _results(rows: Iterable[tuple[str, int, str, int]]) -> Iterator[Result]:
    games: Counter[tuple[str, int]] = Counter()
    won: Counter[tuple[str, int]] = Counter()
    for _, has_won, game, seats in rows:
        games[game, seats] += 1
        won[game, seats] += has_won
    return (Result(*scale, count, won[scale]) for scale, count in sorted(games.items()))


def _opponents(database: sqlite3.Connection, player: str) -> list[Opponent]:
    query = (
        f"select other.holder, count(*), sum(mine.won), sum(other.won) from ({LATEST}) as mine "  # noqa: S608 - own names
        "join holders as other on other.place = mine.place and other.holder != ? "
        "group by other.holder order by count(*) desc, other.holder limit ?"
    )
    return [Opponent(*row) for row in database.execute(query, (player, MOST_COUNTED, player, MOST_OPPONENTS))]


def _months(places: Iterable[str]) -> Iterator[Month]:
    months: Counter[str] = Counter()
    for day, games in Counter(int(place.partition("|")[0]) // DAY_MS for place in places).items():
        months[stamp(day * DAY_MS)[:7]] += games
    return (Month(*one) for one in sorted(months.items(), reverse=True))
