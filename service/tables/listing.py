"""Which tables of the lobby somebody wants to see: filters, and pages of what fits them."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from projections.lobby import cursor_after
from projections.lobby_lists import LobbyPage

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
