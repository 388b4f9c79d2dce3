"""Games enter the index, each once, and leave it; ratings are taken back where a game is not the last of its scale."""

import sqlite3
from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from projections.played import counting, ratings
from projections.played.games import Game
from projections.played.ratings import Scale

COLUMNS = {"games": 14, "holders": 6}
INTO = {name: f"insert into {name} values ({','.join('?' * number)})" for name, number in COLUMNS.items()}  # noqa: S608 - only marks
OF_A_GAME = ("games", "shown", "holders", "concerned")


def enter(database: sqlite3.Connection, segment: int, games: Sequence[tuple[int, Game]]) -> None:
    """Enters games, each with its partition, that a segment lists, or the store (0); within a transaction.

    The game of a table that is there with another end was lost, as a part of the store went back: this one came of it.
    """
    fresh = {game.row["table"]: (partition, game) for partition, game in games if _is_new(database, segment, game)}
    asked = "select place, game, players, rated from games where name = ?"
    _take_out(database, [row for name in fresh for row in database.execute(asked, (name,))])
    for partition, game in fresh.values():
        _insert(database, game, partition, segment)
    counting.add(database, [game for _, game in fresh.values()])
    _rewind(database, [(game.scale, game.place) for _, game in fresh.values() if game.rated])


def _is_new(database: sqlite3.Connection, segment: int, game: Game) -> bool:
    """Whether a game is not there yet, with this end; of one that is, it is noted that a segment lists it."""
    found = database.execute("select name from games where place = ?", (game.place,)).fetchone()
    if found and segment:
        database.execute("update games set segment = ? where place = ?", (segment, game.place))
    return found is None


def _insert(database: sqlite3.Connection, game: Game, partition: int, segment: int) -> None:
    database.execute(INTO["games"], game.columns(partition, segment))
    database.execute("insert into shown values (?, ?)", (game.place, game.kept))
    database.executemany(INTO["holders"], game.fared())
    if not game.public:
        seeing = [(player, game.place) for player in game.concerned]
        database.executemany("insert into concerned values (?, ?)", seeing)


def remove(database: sqlite3.Connection, partition: int) -> None:
    """Removes the games of a partition that no segment lists; within a transaction."""
    asked = "select place, game, players, rated from games where partition = ? and segment = 0"
    _take_out(database, database.execute(asked, (partition,)).fetchall())


def _take_out(database: sqlite3.Connection, gone: Sequence[tuple[Any, ...]]) -> None:
    """Takes games out of the index: place, game, players and whether it is rated of each."""
    counting.add(database, [_game_at(database, place) for place, *_ in gone], -1)
    for place, *_ in gone:
        for name in OF_A_GAME:
            database.execute(f"delete from {name} where place = ?", (place,))  # noqa: S608 - own names
    _rewind(database, [((game, players), place) for place, game, players, rated in gone if rated])
    ratings.forget_empty(database)


def _game_at(database: sqlite3.Connection, place: str) -> Game:
    (kept,) = database.execute("select row from shown where place = ?", (place,)).fetchone()
    return Game.of_row(msgspec.json.decode(kept))


def _rewind(database: sqlite3.Connection, rated: Iterable[tuple[Scale, str]]) -> None:
    """Takes back each scale to before the first of these places."""
    first: dict[Scale, str] = {}
    for scale, place in rated:
        first[scale] = min(place, first.get(scale, place))
    for scale, place in first.items():
        ratings.rewind(database, scale, place)
