"""What the index of games played tells of one player: results by game, opponents, and games by month.

All of it is counted over the public games that ended last, so a question costs the same however much somebody plays.
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
    """How often somebody has played a game with so many seats, and won."""

    game: str
    seats: int
    games: int
    won: int


class Opponent(NamedTuple):
    """Somebody played against: how often, and how often either won."""

    player: str
    games: int
    won: int
    lost: int


class Month(NamedTuple):
    """The games that ended in a month of UTC."""

    month: str
    games: int


class Figures(NamedTuple):
    """What is counted of a player; opponents by how often they met."""

    results: list[Result]
    opponents: list[Opponent]
    activity: list[Month]


def figures_of(database: sqlite3.Connection, player: str) -> Figures:
    """The figures of a player."""
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
    asked = (
        f"select other.holder, count(*), sum(mine.won), sum(other.won) from ({LATEST}) as mine "  # noqa: S608 - own names
        "join holders as other on other.place = mine.place and other.holder != ? "
        "group by other.holder order by count(*) desc, other.holder limit ?"
    )
    return [Opponent(*row) for row in database.execute(asked, (player, MOST_COUNTED, player, MOST_OPPONENTS))]


def _months(places: Iterable[str]) -> Iterator[Month]:
    months: Counter[str] = Counter()
    for day, games in Counter(int(place.partition("|")[0]) // DAY_MS for place in places).items():
        months[stamp(day * DAY_MS)[:7]] += games
    return (Month(*one) for one in sorted(months.items(), reverse=True))
