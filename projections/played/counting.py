"""What statistics count: seats, and how many of them won, by feature, value and who sat there.

Counted are public games that are nobody's branch; not a seat that somebody left, as two have played it. Each game adds
what it tells, and takes it away when it goes. Seat 0 counts games: for each kind of player at the table, and for all.
"""

import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

import msgspec

from games import GAMES
from projections.played.games import Game

PEOPLE, BOTS = "people", "bots"
ALL = ""  # of a game: whoever plays
OPTION, OF_GAME, OF_SEAT = "option", "game", "seat"  # what a feature is of
OTHER = "other"  # a value that is not one of the listed ones, so that their number is bounded

Key = tuple[str, int, int, str, int, str, str, str]  # game, players, rated, level, seat, of, feature, value
ADD = (
    "insert into counted values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
    " on conflict do update set seats = seats + excluded.seats, won = won + excluded.won"
)


def add(database: sqlite3.Connection, games: Iterable[Game], sign: int = 1) -> None:
    """Adds what games tell, or with the sign -1 takes it away; within a transaction."""
    seats, won = Counter[Key](), Counter[Key]()
    for game in games:
        for key, has_won in counts_of(game):
            seats[key] += sign
            won[key] += sign * has_won
    database.executemany(ADD, [(*key, number, won[key]) for key, number in sorted(seats.items())])
    if sign < 0:
        database.execute("delete from counted where seats <= 0")


def counts_of(game: Game) -> Iterator[tuple[Key, bool]]:
    """Everything that is counted of a game, and whether the seat won."""
    row = game.row
    if not game.public or row["forked_from"]:
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
            for of, name, value in [*common, *_features(game.result, number)]:
                yield (*kind, level_of(seat), number, of, name, value), number in row["winners"]


def level_of(seat: Mapping[str, Any]) -> str:
    """Who holds a seat: `people`, `bots`, or the level of AI."""
    return str(seat["level"] or (BOTS if seat["bot"] else PEOPLE))


@lru_cache(1024)  # most tables are opened with one of a few sets of house rules
def _options(slug: str, options: bytes) -> tuple[tuple[str, str, str], ...]:
    """The house rules, but for those that have any number of values."""
    game = GAMES.get(slug)
    if game is None:
        return ()
    found = msgspec.json.decode(options)
    return tuple(
        (OPTION, one.name, _told(found[one.name], one.values))
        for one in game.options
        if one.values and one.name in found
    )


def _told(value: Any, values: Sequence[Any]) -> str:
    return msgspec.json.encode(value).decode() if value in values else OTHER


def _features(result: Mapping[str, Any], seat: int) -> list[tuple[str, str, str]]:
    return [(OF_SEAT, name, value) for name, value in result["features"][seat - 1].items()]
