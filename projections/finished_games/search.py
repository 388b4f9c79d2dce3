"""Searches finished games, the latest first.

A page reads a bounded number of games from the narrowest index for the query, and of the asker's private games. If more
follow, the page has a cursor, though the page may be short. No cursor names a game that the asker may not see.
"""

import sqlite3
from collections.abc import Mapping
from typing import Any, NamedTuple

import msgspec

from projections.finished_games.ratings import UNIT, Point, points_at
from projections.lobby_queries import EVER, TimeRange
from projections.lobby_rows import cursor_after

MOST_READ = 5000  # games for one page
LAST = "~"  # after every place


class GameFilter(NamedTuple):
    """A filter of games; None admits all. `ended` is when the game ended.

    `player` is a player who took part, or `ai:` and a level; `level` is an AI level that took part; `won` is whether
    the player, or else the level, won. `rating_from` and `rating_to` bound all ratings before the game, in points.
    """

    game: str | None = None
    players: int | None = None
    player: str | None = None
    level: str | None = None
    won: bool | None = None
    options: Mapping[str, Any] = {}
    rated: bool | None = None
    disputed: bool | None = None
    moves_from: int | None = None
    moves_to: int | None = None
    rating_from: int | None = None
    rating_to: int | None = None
    ended: TimeRange = EVER

    @property
    def holder(self) -> str | None:
        """The holder whose games are searched."""
        return self.player or (f"ai:{self.level}" if self.level else None)


class GameQuery(NamedTuple):
    """Who asks (None without an account), and which part: at most `size` games after the cursor `before`."""

    asker: str | None
    before: str | None
    size: int


class ListedGame(NamedTuple):
    """A game of a page: the row of its table, and the changes of ratings by holder."""

    row: dict[str, Any]
    changes: dict[str, Point]


class Index(NamedTuple):
    """A table with an index of games in their order, the condition to use it, and the condition's values."""

    table: str
    condition: str
    values: tuple[str, ...] = ()

    @property
    def joined(self) -> str:
        """The table joined with `games`."""
        return self.table if self.table.startswith("games") else f"{self.table} cross join games using (place)"


Where = tuple[str, list[Any]]  # a condition and its values


def page(database: sqlite3.Connection, wanted: GameFilter, asked: GameQuery) -> tuple[list[ListedGame], str | None]:
    """Returns the wanted games, the latest first, and the cursor of the next page."""
    indexes = [_public(wanted)] + ([Index("concerned", "player = ?", (asked.asker,))] if asked.asker else [])
    bounds = _bounds(wanted, asked)
    ends = [end for index in indexes if (end := _end(database, index, bounds))]
    least = max(ends, default=bounds[0])
    found = [row for index in indexes for row in _fitting(database, index, (least, bounds[1]), wanted, asked.size)]
    shown = sorted(found, reverse=True)[: asked.size]
    following = shown[-1][0] if len(found) > asked.size else least if ends else None
    return [_found(database, row) for row in shown], following


def _bounds(wanted: GameFilter, asked: GameQuery) -> tuple[str, str]:
    """Returns the least place, and one after all places."""
    since, until = wanted.ended
    before = [asked.before or LAST] + ([cursor_after(until)] if until else [])
    return cursor_after(since) if since else "", min(before)


def _public(wanted: GameFilter) -> Index:
    """Returns the narrowest index of public games for the filter."""
    if wanted.holder:
        return Index("holders", "holders.public = 1 and holder = ?", (wanted.holder,))
    if wanted.disputed:
        return Index("games indexed by disputed_games", "public and disputed")
    if wanted.game:
        return Index("games indexed by games_of_a_kind", "public and game = ?", (wanted.game,))
    return Index("games indexed by public_games", "public")


def _end(database: sqlite3.Connection, index: Index, bounds: tuple[str, str]) -> str | None:
    """Returns the place of the last game that is read from an index; None if all are."""
    looked_at = f"{index.table} where {index.condition} and place >= ? and place < ?"
    query = f"select place from {looked_at} order by place desc limit 1 offset ?"  # noqa: S608 - own names
    found = database.execute(query, (*index.values, *bounds, MOST_READ)).fetchone()
    return str(found[0]) if found else None


def _fitting(
    database: sqlite3.Connection, index: Index, bounds: tuple[str, str], wanted: GameFilter, size: int
) -> list[tuple[Any, ...]]:
    """Returns place, game and number of seats of matching games, of one more than the page shows."""
    conditions, values = _conditions(wanted)
    fitting = " and ".join([f"{index.joined} where {index.condition}", "place >= ? and place < ?", *conditions])
    query = f"select place, game, players from {fitting} order by place desc limit ?"  # noqa: S608 - own names and marks
    return database.execute(query, (*index.values, *bounds, *values, size + 1)).fetchall()


COMPARED = (  # fields of the filter, conditions, and the factor of the value
    ("game", "game = ?", 1),
    ("players", "players = ?", 1),
    ("rated", "rated = ?", 1),
    ("disputed", "disputed = ?", 1),
    ("moves_from", "moves >= ?", 1),
    ("moves_to", "moves <= ?", 1),
    ("rating_from", "weakest >= ?", UNIT),
    ("rating_to", "strongest <= ?", UNIT),
)
SITS = "exists (select 1 from holders as sitting where sitting.place = games.place and sitting.holder = ?)"
FARES = "? = (select won from holders as faring where faring.place = games.place and faring.holder = ?)"
HAS_OPTION = "json_extract(options, ?) = json_extract(?, '$')"


def _conditions(wanted: GameFilter) -> tuple[list[str], list[Any]]:
    """Returns the conditions on a game, and their values."""
    fields = wanted._asdict()
    found: list[Where] = [(text, [fields[name] * unit]) for name, text, unit in COMPARED if fields[name] is not None]
    found += [(SITS, [holder]) for holder in (wanted.player, wanted.level and f"ai:{wanted.level}") if holder]
    found += [(FARES, [wanted.won, wanted.holder])] if wanted.won is not None else []
    found += map(_has_option, wanted.options.items())
    return [text for text, _ in found], [value for _, values in found for value in values]


def _has_option(option: tuple[str, Any]) -> Where:
    name, value = option
    return HAS_OPTION, [f'$."{name}"', msgspec.json.encode(value).decode()]


def _found(database: sqlite3.Connection, row: tuple[Any, ...]) -> ListedGame:
    place, game, players = row
    return ListedGame(row_at(database, place), points_at(database, (game, players), place))


def row_at(database: sqlite3.Connection, place: str) -> dict[str, Any]:
    """Returns the lobby's row of the table at a place."""
    (kept,) = database.execute("select row from shown where place = ?", (place,)).fetchone()
    found: dict[str, Any] = msgspec.json.decode(kept)
    return found
