"""Ratings: a fold over the rated games of a scale, in their order. A scale is a game and a number of seats.

The rating of each holder after each game is stored, to show it and to continue the fold from there. A game that arrives
late takes back all later ratings of its scale, and the fold continues from it.
"""

import sqlite3
import time
from collections.abc import Iterable, Sequence
from functools import cache
from statistics import fmean
from typing import Any, NamedTuple

import msgspec

from projections.finished_games.games import Game
from projections.sqlite_files import transaction

START, START_DEVIATION = 1500, 500  # points
LUCK, DRIFT = 250, 5  # points: the influence of chance on a game, and the change of strength between games
SETTLED = 300  # points: a rating with a larger deviation is provisional
UNIT = 1000  # of a point


class Rating(NamedTuple):
    """A rating in thousandths of a point, and the number of games behind it."""

    rating: int = START * UNIT
    deviation: int = START_DEVIATION * UNIT
    games: int = 0

    @property
    def settled(self) -> bool:
        """Whether it is no longer provisional."""
        return self.deviation <= SETTLED * UNIT


NEW = Rating()


def after(known: dict[str, Rating], holders: Sequence[str], ranks: Sequence[int]) -> dict[str, Rating]:
    """Returns the ratings after a game, from the known ratings and the rank of each seat.

    A holder of several seats is rated for each, and gets the mean.
    """
    before = [known.get(one, NEW) for one in holders]
    rated = _model().rate([[_as_openskill(one)] for one in before], ranks=[float(rank) for rank in ranks])
    by_holder: dict[str, list[Any]] = {}
    for one, (seat,) in zip(holders, rated, strict=True):
        by_holder.setdefault(one, []).append(seat)
    return {one: _from_openskill(seats, known.get(one, NEW).games) for one, seats in by_holder.items()}


@cache
def _model() -> Any:
    from openskill.models import PlackettLuce  # slow to import, and few processes need it

    return PlackettLuce(mu=START, sigma=START_DEVIATION, beta=LUCK, tau=DRIFT)


def _as_openskill(one: Rating) -> Any:
    return _model().rating(one.rating / UNIT, one.deviation / UNIT)


def _from_openskill(seats: Sequence[Any], games: int) -> Rating:
    mu, sigma = fmean(seat.mu for seat in seats), fmean(seat.sigma for seat in seats)
    return Rating(round(mu * UNIT), round(sigma * UNIT), games + 1)


MOST_RATED = 100  # games in one transaction
Scale = tuple[str, int]
UNDO = (
    "delete from points where game = ? and players = ? and place >= ?",
    "update games set weakest = null, strongest = null where rated and game = ? and players = ? and place >= ?",
)
LAST_BEFORE = "select max(place) from games where rated and game = ? and players = ? and place < ?"


class RatingAfter(NamedTuple):
    """A holder's rating on a scale, and the place of the last game in it."""

    game: str
    players: int
    holder: str
    place: str
    games: int
    rating: int
    deviation: int
    settled: bool


class Point(NamedTuple):
    """A holder's rating before and after a game."""

    holder: str
    place: str
    games: int
    before: int
    rating: int
    deviation: int


def rewind(database: sqlite3.Connection, scale: Scale, place: str) -> None:
    """Takes back the ratings of a scale from a place on, within a transaction."""
    database.execute("insert or ignore into scales values (?, ?, '')", scale)
    if _upto(database, scale) < place:
        return
    from_here = (*scale, place)
    undone = "select distinct holder from points where game = ? and players = ? and place >= ?"
    holders = [holder for (holder,) in database.execute(undone, from_here)]
    for command in UNDO:
        database.execute(command, from_here)
    for holder in holders:
        _renew(database, scale, holder)
    (upto,) = database.execute(LAST_BEFORE, from_here).fetchone()
    database.execute("insert or replace into scales values (?, ?, ?)", (*scale, upto or ""))


def _renew(database: sqlite3.Connection, scale: Scale, holder: str) -> None:
    """Sets a holder's rating to that after the last game that is still rated."""
    told = "select place, games, rating, deviation from points where holder = ? and game = ? and players = ?"
    found = database.execute(f"{told} order by place desc limit 1", (holder, *scale)).fetchone()
    if found is None:
        database.execute("delete from ratings where game = ? and players = ? and holder = ?", (*scale, holder))
        return
    _set(database, scale, holder, found[0], Rating(found[2], found[3], found[1]))


def _set(database: sqlite3.Connection, scale: Scale, holder: str, place: str, rating: Rating) -> None:
    row = RatingAfter(*scale, holder, place, rating.games, rating.rating, rating.deviation, rating.settled)
    database.execute("insert or replace into ratings values (?, ?, ?, ?, ?, ?, ?, ?)", row)


def fold(database: sqlite3.Connection, rest_s: float = 0.0) -> None:
    """Rates all games that are not rated yet, some in each transaction."""
    for scale in _unfinished(database):
        while _fold_some(database, scale) == MOST_RATED:
            time.sleep(rest_s)


def _unfinished(database: sqlite3.Connection) -> list[Scale]:
    """Returns the scales with games after the last rated one."""
    query = (
        "select game, players from scales where exists (select 1 from games where rated and game = scales.game "
        "and players = scales.players and place > scales.upto)"
    )
    return database.execute(query).fetchall()


def forget_empty(database: sqlite3.Connection) -> None:
    """Removes scales without games, within a transaction."""
    rated = "select 1 from games where rated and game = scales.game and players = scales.players"
    database.execute(f"delete from scales where not exists ({rated})")  # noqa: S608 - own names


def _upto(database: sqlite3.Connection, scale: Scale) -> str:
    """Returns the place of the last rated game; empty before the first."""
    found = database.execute("select upto from scales where game = ? and players = ?", scale).fetchone()
    return str(found[0]) if found else ""


def _fold_some(database: sqlite3.Connection, scale: Scale) -> int:
    """Rates the next games of a scale; returns how many."""
    with transaction(database):
        found = _next(database, scale)
        known: dict[str, Rating] = {}
        for place, row in found:
            _rate(database, scale, place, Game.of_row(msgspec.json.decode(row)), known)
        if found:
            database.execute("insert or replace into scales values (?, ?, ?)", (*scale, found[-1][0]))
    return len(found)


def _next(database: sqlite3.Connection, scale: Scale) -> list[tuple[str, bytes]]:
    query = (
        "select place, row from games join shown using (place) "
        "where rated and game = ? and players = ? and place > ? order by place limit ?"
    )
    return database.execute(query, (*scale, _upto(database, scale), MOST_RATED)).fetchall()


def _rate(database: sqlite3.Connection, scale: Scale, place: str, game: Game, known: dict[str, Rating]) -> None:
    """Rates a game; `known` are ratings already read or written in this transaction."""
    for holder in set(game.holders) - known.keys():
        known[holder] = _rating(database, scale, holder)
    before = {holder: known[holder] for holder in game.holders}
    changed = after(before, game.holders, game.ranks)
    for holder, rating in changed.items():
        point = (*scale, place, holder, rating.games, before[holder].rating, rating.rating, rating.deviation)
        database.execute("insert into points values (?, ?, ?, ?, ?, ?, ?, ?)", point)
        _set(database, scale, holder, place, rating)
    figures = [rating.rating for rating in before.values()]
    update = "update games set weakest = ?, strongest = ? where place = ?"
    database.execute(update, (min(figures), max(figures), place))
    known.update(changed)


def _rating(database: sqlite3.Connection, scale: Scale, holder: str) -> Rating:
    query = "select rating, deviation, games from ratings where game = ? and players = ? and holder = ?"
    found = database.execute(query, (*scale, holder)).fetchone()
    return Rating(*found) if found else NEW


def leaders(
    database: sqlite3.Connection, scale: Scale, after_: tuple[int, str] | None, most: int, *, settled: bool
) -> list[RatingAfter]:
    """Returns ratings of a scale, the highest first, after a rating and its holder."""
    rating, holder = after_ or (1 << 62, "")
    query = (
        "select * from ratings where game = ? and players = ? and settled = ? and (rating, holder) < (?, ?) "
        "order by rating desc, holder desc limit ?"
    )
    return _standings(database.execute(query, (*scale, settled, rating, holder, most)))


def of_holder(database: sqlite3.Connection, holder: str, scales: Iterable[Scale]) -> list[RatingAfter]:
    """Returns a holder's ratings on these scales, as far as there are any."""
    query = "select * from ratings where game = ? and players = ? and holder = ?"
    return [one for scale in scales for one in _standings(database.execute(query, (*scale, holder)))]


def points_of(database: sqlite3.Connection, holder: str, scale: Scale, before: str, most: int) -> list[Point]:
    """Returns a holder's ratings after each game of a scale before a place, the newest first."""
    query = (
        "select holder, place, games, before, rating, deviation from points "
        "where holder = ? and game = ? and players = ? and place < ? order by place desc limit ?"
    )
    return [Point(*row) for row in database.execute(query, (holder, *scale, before, most))]


def points_at(database: sqlite3.Connection, scale: Scale, place: str) -> dict[str, Point]:
    """Returns the changes by a game, by holder."""
    query = (
        "select holder, place, games, before, rating, deviation from points "
        "where game = ? and players = ? and place = ?"
    )
    return {row[0]: Point(*row) for row in database.execute(query, (*scale, place))}


def _standings(rows: Iterable[tuple[Any, ...]]) -> list[RatingAfter]:
    return [RatingAfter(*row)._replace(settled=bool(row[-1])) for row in rows]
