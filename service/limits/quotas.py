"""How many tables, AI seats, branches and disputes an account may have open at once, and how much a table holds.

What an account uses is what the lobby shows and the log confirms. What a request is about to open is reserved first, so
that many at once open no more than they may. All web processes share the reservations of an account. One ends when what
was opened shows in the lobby, or when nothing came of it.
"""

import secrets
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from typing import Any, Protocol

import msgspec

from events.log import LogUnreadable
from events.recorded import NewEvent
from events.scripts import Client, script
from projections.disputes import Dispute
from projections.history import TableHistory
from projections.table import Table
from service.accounts.callers import Caller
from service.config import Settings
from service.errors import Refused

KEPT_S = 86_400  # by then the lobby shows what was opened
KINDS = ("tables", "disputes")  # each with reservations of its own
PENDING_MS = 120_000  # after which nothing will come of a reservation: its process was killed
TRIES = 100  # how often an account's reservations are read again when other requests of it change them first
WHAT = {
    "tables": "tables that are not finished",
    "ai_seats": "AI seats at such tables",
    "disputes": "disputes that are open",
}

Opened = dict[str, int]  # what something counts for, by quota
Shown = dict[str, Opened]  # what is open, by name, with what each counts for


class Reservation(msgspec.Struct, frozen=True):
    """What the request of the time `at_ms` is about to open under a name, and what that counts for."""

    name: str
    at_ms: int
    counts: Opened


Held = dict[str, Reservation]  # by request


def keys_of(player: str) -> tuple[str, ...]:
    """Where all reservations of an account are kept."""
    return tuple(_key(kind, player) for kind in KINDS)


def _key(kind: str, player: str) -> str:
    return f"{{accounts}}:reservations:{kind}:{player}"


class Usage(Protocol):
    """Finds what is open."""

    def shown(self, player: str) -> Shown:
        """What the lobby shows of a player's, by names as they are reserved."""

    def stands(self, name: str) -> bool | None:
        """By the log, whether what was reserved under a name is open; None if there is no such thing."""


class Quotas:
    """Bounds what accounts have open. What a request is about to open is reserved first."""

    def __init__(
        self, client: Client, settings: Settings, tables: Usage, disputes: Usage, now_ms: Callable[[], int]
    ) -> None:
        most = {"tables": settings.open_tables, "ai_seats": settings.ai_seats}
        self._tables = Quota(client, "tables", tables, most, now_ms)
        self._disputes = Quota(client, "disputes", disputes, {"disputes": settings.open_disputes}, now_ms)

    def held(self, player: str) -> dict[str, tuple[int, int]]:
        """By quota how much a player has open, as the lobby shows it, and how much may be."""
        return self._tables.used(player) | self._disputes.used(player)

    def opening(self, caller: Caller, name: str, wanted: Opened) -> AbstractContextManager[None]:
        """A context in which a table or an AI seat is opened; raises `Refused` if these would be too many."""
        return self._tables.reserved(caller, name, wanted)

    def disputing(self, caller: Caller, name: str) -> AbstractContextManager[None]:
        """A context in which a dispute is opened; raises `Refused` if these would be too many."""
        return self._disputes.reserved(caller, name, {"disputes": 1})


class Quota:
    """Counts what an account has open: what is shown, and what was reserved and does not show there yet."""

    def __init__(
        self, client: Client, kind: str, usage: Usage, most: Mapping[str, int], now_ms: Callable[[], int]
    ) -> None:
        self._client, self._kind, self._usage, self._most, self._now_ms = client, kind, usage, most, now_ms
        self._replace = script(client, "service.limits", "reservations.lua")

    def used(self, player: str) -> dict[str, tuple[int, int]]:
        """By quota how much the lobby shows of a player's, and how much may be."""
        shown = self._usage.shown(player).values()
        return {name: (sum(opened.get(name, 0) for opened in shown), bound) for name, bound in self._most.items()}

    @contextmanager
    def reserved(self, caller: Caller, name: str, counts: Opened) -> Iterator[None]:
        """Reserves what is about to be opened; ends with a refusal. Raises `Refused` beyond the quota."""
        if caller.id is None or "admin" in caller.scopes:
            yield
            return
        request = secrets.token_hex(8)
        self._reserve(caller.id, request, Reservation(name, self._now_ms(), counts))
        try:
            yield
        except Refused:
            self._change(caller.id, lambda held: {key: one for key, one in held.items() if key != request})
            raise

    def _reserve(self, player: str, request: str, wanted: Reservation) -> None:
        def reserving(held: Held) -> Held:
            shown = self._usage.shown(player)
            lasting = {key: one for key, one in held.items() if self._lasts(one, shown)}
            open_ = shown | _by_name(lasting.values())
            self._check(wanted.counts, [counts for name, counts in open_.items() if name != wanted.name])
            return lasting | {request: wanted}

        if not self._change(player, reserving):
            raise Refused("too_many_requests", "too much is opened at once; come again", retry_after=1)

    def _change(self, player: str, becoming: Callable[[Held], Held]) -> bool:
        """Makes an account's reservations what they become by what they are, unless others change them too often.

        What a request held that led to nothing, and was not released here, expires.
        """
        key = _key(self._kind, player)
        for _ in range(TRIES):
            was = self._client.get(key) or b""
            becomes = becoming(msgspec.json.decode(was, type=Held) if was else {})
            if self._replace(keys=[key], args=[was, msgspec.json.encode(becomes), KEPT_S]):
                return True
        return False

    def _check(self, wanted: Opened, held: Sequence[Opened]) -> None:
        """Raises `Refused` if with what is held there would be too many."""
        for quota, most in self._most.items():
            have = sum(opened.get(quota, 0) for opened in held)
            if wanted.get(quota) and have + wanted[quota] > most:
                told = f"an account may have {most} {WHAT[quota]}, and you have {have}: finish some first"
                raise Refused("quota_reached", told, quota=quota, most=most)

    def _lasts(self, reservation: Reservation, shown: Shown) -> bool:
        """Whether a reservation still counts: what it opened does not show yet, or may still be opened."""
        if reservation.name in shown:
            return False
        stands = self._usage.stands(reservation.name)
        is_pending = abs(self._now_ms() - reservation.at_ms) < PENDING_MS  # clocks may run ahead
        return is_pending if stands is None else stands


def _by_name(held: Iterable[Reservation]) -> Shown:
    """What is reserved by name: what several requests reserve under one name counts once, for the most of it."""
    found: Shown = {}
    for one in held:
        before = found.get(one.name, {})
        found[one.name] = {key: max(before.get(key, 0), one.counts.get(key, 0)) for key in before | one.counts}
    return found


Find = Callable[[str], Table | None]  # a table as the log has it now


def seat_of(table: str, seat: int) -> str:
    """The name under which an AI seat is reserved that is given after the table was opened."""
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


def _of_row(row: Mapping[str, Any]) -> Iterator[tuple[str, Opened]]:
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
    """The name under which a seat's next dispute of the ruling with that version is reserved."""
    return _named(table.id, ruling, seat, sum((one.version, one.seat) == (ruling, seat) for one in table.disputes))


def _disputes(table: Table) -> Iterator[tuple[str, Dispute]]:
    """All disputes of a table under the names by which they were reserved."""
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


MOST_EVENTS = 5_000  # eight times as many as the longest game on record has
MOST_COMMENTS = 500  # every answer about disputes holds them all, decrypted
BESIDE_PLAY = frozenset(
    [
        "SeatTaken",
        "DeadlineExtended",
        "TakebackAsked",
        "PlayTakenBack",
        "DisputeOpened",
        "DisputeCommented",
        "DisputeVoted",
    ]
)


def check_room(history: TableHistory, new_events: Sequence[NewEvent]) -> None:
    """Raises `Refused` for what a table with that much on record takes in no more; moves it always takes."""
    first, table = new_events[0], history.table
    if first.type not in BESIDE_PLAY or _settles(table, new_events):
        return
    if table.version >= MOST_EVENTS:
        raise Refused("table_full", f"at a table with {MOST_EVENTS} events only moves are made, and disputes settled")
    if first.type == "DisputeCommented" and _comments(table) >= MOST_COMMENTS:
        raise Refused("table_full", f"the disputes of a table have {MOST_COMMENTS} comments at most")


def _settles(table: Table, new_events: Sequence[NewEvent]) -> bool:
    """Whether a dispute ends with these, or comes nearer to its end: by a seat's first vote on it."""
    first = new_events[0]
    voted = {(one.dispute, vote.seat) for one in table.disputes for vote in one.votes}
    is_first_vote = first.type == "DisputeVoted" and (first.payload["dispute"], first.payload["seat"]) not in voted
    return is_first_vote or any(new_event.type == "DisputeResolved" for new_event in new_events)


def _comments(table: Table) -> int:
    return sum(len(dispute.comments) for dispute in table.disputes)
