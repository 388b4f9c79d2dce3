"""Which games somebody looks for, and a page of those that he may see, the last that ended first.

A page looks at a bounded number of games: of those in the narrowest index that the question has, and beside them of the
private ones of whoever asks. If more follow, the page has a cursor, though it may be short. No cursor names a game that
the asker may not see.
"""

import sqlite3
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import msgspec

from projections.finished_games.ratings import UNIT, Point, points_at
from projections.lobby import cursor_after
from projections.lobby_lists import EVER, Span

MOST_LOOKED_AT = 5000  # games for one page
LAST = "~"  # behind every place


class GameFilter(NamedTuple):
    """What a game must be like to be listed; None: whatever it is. `span` is that in which it ended.

    `player` is who played, or `ai:` and a level; `level` an AI level that played; `won` whether the player, or else the
    level, won. `rating_from` and `rating_to` bound what everybody's rating was before the game, in points.
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
    span: Span = EVER

    @property
    def holder(self) -> str | None:
        """The one in whose games it is looked for."""
        return self.player or (f"ai:{self.level}" if self.level else None)


class GameQuery(NamedTuple):
    """Who asks (None: nobody in particular), which part: at most `size` games behind the cursor `before`."""

    asker: str | None
    before: str | None
    size: int


class ListedGame(NamedTuple):
    """A game of a page: the row of its table, and what it changed in ratings, by holder."""

    row: dict[str, Any]
    changes: dict[str, Point]


class Index(NamedTuple):
    """A table whose index has games in their order: the condition on it, and what stands for its mark."""

    table: str
    condition: str
    values: tuple[str, ...] = ()

    @property
    def joined(self) -> str:
        """The table with the columns of its games."""
        return self.table if self.table.startswith("games") else f"{self.table} cross join games using (place)"


Where = tuple[str, list[Any]]  # a condition, and what stands for its marks


def page(database: sqlite3.Connection, wanted: GameFilter, asked: GameQuery) -> tuple[list[ListedGame], str | None]:
    """The games that are wanted, the last that ended first, and the cursor of the next page."""
    indexes = [_public(wanted)] + ([_private(asked.asker)] if asked.asker else [])
    bounds = _bounds(wanted, asked)
    ends = [end for index in indexes if (end := _end(database, index, bounds))]
    least = max(ends, default=bounds[0])
    found = [row for index in indexes for row in _fitting(database, index, (least, bounds[1]), wanted, asked.size)]
    shown = sorted(found, reverse=True)[: asked.size]
    following = shown[-1][0] if len(found) > asked.size else least if ends else None
    return [_found(database, row) for row in shown], following


def _bounds(wanted: GameFilter, asked: GameQuery) -> tuple[str, str]:
    """The least place, and the one before which all lie."""
    since, until = wanted.span
    before = [asked.before or LAST] + ([cursor_after(until)] if until else [])
    return cursor_after(since) if since else "", min(before)


def _public(wanted: GameFilter) -> Index:
    """The narrowest index of public games that has all that are wanted."""
    if wanted.holder:
        return Index("holders", "holders.public = 1 and holder = ?", (wanted.holder,))
    if wanted.disputed:
        return Index("games indexed by disputed_games", "public and disputed")
    if wanted.game:
        return Index("games indexed by games_of_a_kind", "public and game = ?", (wanted.game,))
    return Index("games indexed by public_games", "public")


def _private(asker: str) -> Index:
    return Index("concerned", "player = ?", (asker,))


def _end(database: sqlite3.Connection, index: Index, bounds: tuple[str, str]) -> str | None:
    """The place of the last game that is looked at in an index; None if that is all of it."""
    looked_at = f"{index.table} where {index.condition} and place >= ? and place < ?"
    asked = f"select place from {looked_at} order by place desc limit 1 offset ?"  # noqa: S608 - own names
    found = database.execute(asked, (*index.values, *bounds, MOST_LOOKED_AT)).fetchone()
    return str(found[0]) if found else None


def _fitting(
    database: sqlite3.Connection, index: Index, bounds: tuple[str, str], wanted: GameFilter, size: int
) -> list[tuple[Any, ...]]:
    """Games of an index that fit: place, game and number of seats of one more than are shown."""
    conditions, values = _conditions(wanted)
    fitting = " and ".join([f"{index.joined} where {index.condition}", "place >= ? and place < ?", *conditions])
    asked = f"select place, game, players from {fitting} order by place desc limit ?"  # noqa: S608 - own names and marks
    return database.execute(asked, (*index.values, *bounds, *values, size + 1)).fetchall()


COMPARED = (  # with what a figure of the question is multiplied
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
    """What the columns of a game must be."""
    found = [*_compared(wanted), *_of_holders(wanted), *_of_options(wanted)]
    return [text for text, _ in found], [value for _, values in found for value in values]


def _compared(wanted: GameFilter) -> Iterator[Where]:
    told = wanted._asdict()
    for name, text, unit in COMPARED:
        if told[name] is not None:
            yield text, [told[name] * unit]


def _of_holders(wanted: GameFilter) -> Iterator[Where]:
    yield from ((SITS, [holder]) for holder in _sitting(wanted))
    if wanted.won is not None:
        yield FARES, [wanted.won, wanted.holder]


def _of_options(wanted: GameFilter) -> Iterator[Where]:
    for name, value in wanted.options.items():
        yield HAS_OPTION, [f'$."{name}"', msgspec.json.encode(value).decode()]


def _sitting(wanted: GameFilter) -> list[str]:
    level = f"ai:{wanted.level}" if wanted.level else None
    return [holder for holder in (wanted.player, level) if holder]


def _found(database: sqlite3.Connection, row: tuple[Any, ...]) -> ListedGame:
    place, game, players = row
    return ListedGame(row_at(database, place), points_at(database, (game, players), place))


def row_at(database: sqlite3.Connection, place: str) -> dict[str, Any]:
    """The row of the table at a place, as the lobby has it."""
    (kept,) = database.execute("select row from shown where place = ?", (place,)).fetchone()
    found: dict[str, Any] = msgspec.json.decode(kept)
    return found
