"""Lists of tables: filters, pages of what fits them, and to whom open seats are open by their range of ratings.

A range bounds people, with their ratings of the table's game and number of seats. It bounds no AI, nor whoever opened
the table, nor for whom a seat is kept.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec

from events.lifecycle import MOST_RATING, RatingRange
from events.store import RedisLog
from projections.finished_games import ratings
from projections.finished_games.ratings import START, Scale
from projections.lobby import cursor_after
from projections.lobby_lists import LobbyPage
from projections.table import Table
from service.accounts.names import Presenter
from service.errors import Refused
from service.tables.played import points, read_index
from service.tables.viewing import present_origin

BATCH = 100
MOST_LOOKED_AT = 250  # tables for one page: a filter that fits few tables answers short pages, each with a cursor

Row = dict[str, Any]
Read = Callable[[LobbyPage], tuple[list[Row], str | None]]


class TableFilter(NamedTuple):
    """What a table must be like to be listed; None: whatever it is.

    `player` is an id or a part of a name; `to_act` the id of who has to decide; `since` when it was opened, at the
    earliest; `open_to` tells whether somebody may sit down there.
    """

    game: str | None = None
    status: str | None = None
    player: str | None = None
    to_act: str | None = None
    since: str | None = None
    open_to: Callable[[Mapping[str, Any]], bool] | None = None

    def fits(self, row: Mapping[str, Any]) -> bool:
        """Whether a row, with the names of those who sit there, is wanted."""
        same = all(wished in (None, row[name]) for name, wished in (("game", self.game), ("status", self.status)))
        return same and self._is_with(row) and self._is_turn(row) and (self.open_to is None or self.open_to(row))

    def _is_with(self, row: Mapping[str, Any]) -> bool:
        if self.player is None:
            return True
        part = self.player.casefold()
        return any(seat["player"] == self.player or part in (seat["name"] or "").casefold() for seat in row["seats"])

    def _is_turn(self, row: Mapping[str, Any]) -> bool:
        deciding = (row["seats"][seat - 1]["player"] for seat in row["to_act"])
        return self.to_act is None or self.to_act in deciding


def listed(read: Read, wanted: TableFilter, part: LobbyPage) -> tuple[list[Row], str | None]:
    """A page of what is wanted and the cursor of the next one; a page may be short, and others follow it."""
    found: list[Row] = []
    size = part.size if wanted == TableFilter() else max(BATCH, part.size)
    for looked_at, (row, cursor) in enumerate(_from_newest(read, LobbyPage(part.before, size)), 1):
        if wanted.since and row["opened_at"] < wanted.since:
            return found, None
        if wanted.fits(row):
            found.append(row)
        if len(found) == part.size or looked_at == MOST_LOOKED_AT:
            return found, cursor
    return found, None


def seen(read: Read, may_see: Callable[[Row], bool], part: LobbyPage) -> tuple[list[Row], str | None]:
    """A page of the rows that somebody may see, and the cursor of the next one if another such row follows.

    Neither tells of the other rows, nor how many there are: no cursor names a table that is not shown.
    """
    found: list[Row] = []
    for looked_at, (row, _) in enumerate(_from_newest(read, LobbyPage(part.before, BATCH)), 1):
        if may_see(row) and len(found) == part.size:
            return found, cursor_after(found[-1]["opened_at"], found[-1]["table"])
        found += [row] if may_see(row) else []
        if looked_at == MOST_LOOKED_AT:
            return found, cursor_after(row["opened_at"])  # what was opened in the same millisecond is passed over
    return found, None


def _from_newest(read: Read, part: LobbyPage) -> Iterator[tuple[Row, str | None]]:
    """Every row behind a cursor, with the cursor behind it; None behind the last."""
    before: str | None = part.before
    while True:
        rows, following = read(LobbyPage(before, part.size))
        for row in rows[:-1]:
            yield row, cursor_after(row["opened_at"], row["table"])
        if rows:
            yield rows[-1], following
        if following is None:
            return
        before = following


def present_rows(rows: Sequence[Mapping[str, Any]], presenter: Presenter) -> list[dict[str, Any]]:
    """Rows of the lobby with the names of those who sit there."""
    names = presenter.names_of(seat["player"] for row in rows for seat in row["seats"])
    return [
        {name: value for name, value in row.items() if name != "result"}  # that is told of games played
        | {"forked_from": present_origin(row["forked_from"])}
        | {"seats": [{"name": names.get(seat["player"]), **seat} for seat in row["seats"]]}
        for row in rows
    ]


class ShownRating(NamedTuple):
    """A rating as it is shown."""

    rating: int = START
    provisional: bool = True


NONE_YET = ShownRating()


def held_by(store: RedisLog, player: str, scales: Iterable[Scale]) -> dict[Scale, ShownRating]:
    """Somebody's ratings by these scales, as far as there are any; raises `Refused` while the index is being made."""
    found = read_index(store, lambda database: ratings.of_holder(database, player, scales))
    return {(one.game, one.players): ShownRating(points(one.rating), not one.settled) for one in found}


def is_in(asked: RatingRange, held: ShownRating) -> bool:
    """Whether a range lets somebody in."""
    least, most = asked.least or 0, MOST_RATING if asked.most is None else asked.most
    return (asked.provisional or not held.provisional) and least <= held.rating <= most


def is_bounded(table: Table, seat: int, player: str) -> bool:
    """Whether the rating of somebody decides whether they may take a seat."""
    opened = table.opened
    return opened.ratings is not None and opened.seats[seat - 1].kind == "open" and opened.opened_by != player


def check_rating(store: RedisLog, table: Table, player: str) -> None:
    """Raises `Refused` for somebody whose rating lies outside the range of the table."""
    asked, scale = table.opened.ratings, (table.opened.game, table.opened.players)
    if asked is None:
        return
    held = held_by(store, player, [scale]).get(scale, NONE_YET)
    if not is_in(asked, held):
        raise Refused("rating_out_of_range", _told(asked, held), rating=held.rating, provisional=held.provisional)


def _told(asked: RatingRange, held: ShownRating) -> str:
    mine = f"yours is {held.rating}{' (provisional)' if held.provisional else ''}"
    bounds = [f"{name} {bound}" for name, bound in (("from", asked.least), ("up to", asked.most)) if bound is not None]
    kinds = [] if asked.provisional else ["not provisional"]
    return f"the open seats are for ratings {' '.join([*bounds, *kinds])}; {mine} for this game and number of seats"


def is_open_to(row: Mapping[str, Any], player: str, held: Mapping[Scale, ShownRating]) -> bool:
    """Whether somebody may take a free seat of a table in the lobby, by the ratings that they hold."""
    free = _free_for(row, player)
    if not free or row["opened_by"] == player or any(seat["kept_for"] for seat in free):
        return bool(free)
    asked: RatingRange | None = msgspec.convert(row["ratings"], RatingRange | None)
    return asked is None or is_in(asked, held.get((row["game"], row["players"]), NONE_YET))


def _free_for(row: Mapping[str, Any], player: str) -> list[Mapping[str, Any]]:
    """The free seats of a table that are open or kept for somebody who has none there."""
    if row["status"] != "open" or player in (row["arbiter"], *(seat["player"] for seat in row["seats"])):
        return []
    return [
        seat for seat in row["seats"] if not (seat["player"] or seat["level"]) and seat["kept_for"] in (None, player)
    ]
