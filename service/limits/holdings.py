"""What accounts have open, by the lobby and by the log."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from typing import Any

from events.log import LogUnreadable
from projections.disputes import Dispute
from projections.table import Table
from service.limits.quota_claims import Opened
from service.limits.quotas import Shown

Row = Mapping[str, Any]
Find = Callable[[str], Table | None]  # a table as the log has it now


def seat_of(table: str, seat: int) -> str:
    """The name under which an AI seat is claimed that is given after the table was opened."""
    return f"{table}/{seat}"


class OpenTables:
    """Tables that are not finished, and AI seats at them."""

    def __init__(self, rows: Callable[[str], list[dict[str, Any]]], find: Find) -> None:
        self._rows, self._find = rows, find

    def shown(self, player: str) -> Shown:
        """The tables that the lobby shows as opened by the player, and their AI seats."""
        return {name: counts for row in self._rows(player) for name, counts in _of_row(row)}

    def stands(self, name: str) -> bool | None:
        """Whether a table is not finished, and has the AI seat."""
        table, _, seat = name.partition("/")
        try:
            found = self._find(table)
        except LogUnreadable:  # it is not known to be finished
            return True
        if found is None or found.status == "finished":
            return None if found is None else False
        return True if not seat or found.seats[int(seat) - 1].ai else None


def _of_row(row: Row) -> Iterator[tuple[str, Opened]]:
    offered = [seat for seat in row["seats"] if seat["offer"] == "ai"]
    yield row["table"], {"tables": 1, "ai_seats": len(offered)}
    for seat in row["seats"]:
        if seat["level"] is not None and seat not in offered:
            yield seat_of(row["table"], seat["seat"]), {"ai_seats": 1}


class OpenDisputes:
    """Disputes that are not decided. Who held the seat then may have left it: so they are counted from the tables."""

    def __init__(self, disputed: Callable[[str], Iterable[str]], find: Find) -> None:
        self._disputed, self._find = disputed, find

    def shown(self, player: str) -> Shown:
        """The player's open disputes at the tables that the lobby names for it."""
        return {
            name: {"disputes": 1}
            for table in _readable(self._find, self._disputed(player))
            for name, one in _disputes(table)
            if one.outcome is None and table.seats[one.seat - 1].player == player and not table.over
        }

    def stands(self, name: str) -> bool | None:
        """Whether a dispute is open; None if there is none."""
        try:
            found = self._find(name.partition("/")[0])
        except LogUnreadable:
            return True
        if found is None or found.over:
            return None if found is None else False
        return {name: one.outcome is None for name, one in _disputes(found)}.get(name)


def dispute_of(table: Table, ruling: int, seat: int) -> str:
    """The name under which a seat's next dispute of the ruling with that version is claimed."""
    return _named(table.id, ruling, seat, sum((one.version, one.seat) == (ruling, seat) for one in table.disputes))


def _disputes(table: Table) -> Iterator[tuple[str, Dispute]]:
    """All disputes of a table under the names by which they were claimed."""
    before: Counter[tuple[int, int]] = Counter()
    for one in table.disputes:
        yield _named(table.id, one.version, one.seat, before[one.version, one.seat]), one
        before[one.version, one.seat] += 1


def _named(table: str, ruling: int, seat: int, before: int) -> str:
    return f"{table}/{ruling}/{seat}/{before}"


def _readable(find: Find, names: Iterable[str]) -> Iterator[Table]:
    """Those of the tables that can be read."""
    for name in names:
        with suppress(LogUnreadable):
            if found := find(name):
                yield found
