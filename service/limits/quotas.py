"""How many tables, AI seats, branches and disputes an account may have open at once, and how much a table holds.

What an account uses is what the lobby shows and the log confirms. What a request is about to open is reserved first, so
that many at once open no more than they may. All web processes share the reservations of an account. One ends when what
was opened shows in the lobby, or when nothing came of it.
"""

import secrets
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from typing import Any, NamedTuple, Protocol

import msgspec

from events.log import LogUnreadable
from events.recorded import NewEvent
from events.scripts import Client, script
from projections.disputes import Dispute
from projections.history import History
from projections.table import Table
from service.accounts.callers import Caller
from service.config import Settings
from service.errors import Refused

KEPT_S = 86_400  # by then the lobby shows what was opened
KINDS = ("tables", "disputes")  # each with reservations of its own

Opened = dict[str, int]  # what something counts for, by quota


class Reservation(msgspec.Struct, frozen=True):
    """What the request of the time `at_ms` is about to open under a name, and what that counts for."""

    name: str
    at_ms: int
    counts: Opened


class Reservations(msgspec.Struct, frozen=True):
    """The reservations of an account by request. `changes` grows, so that no two states are the same."""

    changes: int = 0
    held: dict[str, Reservation] = {}

    def counted(self) -> dict[str, Opened]:
        """What is reserved by name: what several requests reserve under one name counts once, for the most of it."""
        found: dict[str, Opened] = {}
        for reservation in self.held.values():
            before = found.get(reservation.name, {})
            found[reservation.name] = {
                quota: max(before.get(quota, 0), reservation.counts.get(quota, 0))
                for quota in before | reservation.counts
            }
        return found

    def becoming(self, held: dict[str, Reservation]) -> "Reservations":
        """The reservations after a change."""
        return Reservations(self.changes + 1, held)


class ReservationStore:
    """The reservations of accounts, in the slot of accounts."""

    def __init__(self, client: Client, kind: str) -> None:
        self._client, self._kind = client, kind
        self._replace = script(client, "service.limits", "reservations.lua")

    def read(self, player: str) -> "Read":
        """The reservations of an account."""
        kept = self._client.get(self._key(player)) or b""
        return Read(kept, msgspec.json.decode(kept, type=Reservations) if kept else Reservations())

    def replace(self, player: str, was: "Read", held: dict[str, Reservation]) -> bool:
        """Changes the reservations, unless another request has meanwhile."""
        becomes = msgspec.json.encode(was.reservations.becoming(held))
        return bool(self._replace(keys=[self._key(player)], args=[was.kept, becomes, KEPT_S]))

    def _key(self, player: str) -> str:
        return _key(self._kind, player)


class Read(NamedTuple):
    """Reservations as they were read."""

    kept: bytes
    reservations: Reservations


def keys_of(player: str) -> tuple[str, ...]:
    """Where all reservations of an account are kept."""
    return tuple(_key(kind, player) for kind in KINDS)


def _key(kind: str, player: str) -> str:
    return f"{{accounts}}:reservations:{kind}:{player}"


Shown = dict[str, Opened]  # what is open, by name, with what each counts for

WHAT = {
    "tables": "tables that are not finished",
    "ai_seats": "AI seats at such tables",
    "disputes": "disputes that are open",
}
PENDING_MS = 120_000  # after which nothing will come of a reservation: its process was killed
TRIES = 100  # how often an account's reservations are read again when other requests of it change them first


class Usage(Protocol):
    """Finds what is open."""

    def shown(self, player: str) -> Shown:
        """What the lobby shows of a player's, by names as they are reserved."""

    def stands(self, name: str) -> bool | None:
        """By the log, whether what was reserved under a name is open; None if there is no such thing."""


class Quotas:
    """Bounds what accounts have open. What a request is about to open is reserved first."""

    def __init__(self, settings: Settings, tables: "Quota", disputes: "Quota") -> None:
        self._tables, self._disputes = tables, disputes
        self._most = {"tables": settings.open_tables, "ai_seats": settings.ai_seats}
        self._most_disputes = {"disputes": settings.open_disputes}

    def held(self, player: str) -> dict[str, tuple[int, int]]:
        """By quota how much a player has open, as the lobby shows it, and how much may be."""
        shown = [*self._tables.shown(player).values(), *self._disputes.shown(player).values()]
        most = self._most | self._most_disputes
        return {name: (sum(opened.get(name, 0) for opened in shown), bound) for name, bound in most.items()}

    def opening(self, caller: Caller, name: str, wanted: Opened) -> AbstractContextManager[None]:
        """A context in which a table or an AI seat is opened; raises `Refused` if these would be too many."""
        return self._tables.reserved(caller, Wanted(name, wanted, self._most))

    def disputing(self, caller: Caller, name: str) -> AbstractContextManager[None]:
        """A context in which a dispute is opened; raises `Refused` if these would be too many."""
        return self._disputes.reserved(caller, Wanted(name, {"disputes": 1}, self._most_disputes))


class Wanted(NamedTuple):
    """What is to be opened, its counts, and how many there may be by quota."""

    name: str
    counts: Opened
    most: Mapping[str, int]

    def check(self, held: Sequence[Opened]) -> None:
        """Raises `Refused` if with what is held there would be too many."""
        for quota, most in self.most.items():
            have = sum(opened.get(quota, 0) for opened in held)
            if self.counts.get(quota) and have + self.counts[quota] > most:
                raise _reached(quota, most, have)


class Quota:
    """Counts what an account has open: what is shown, and what was reserved and does not show there yet."""

    def __init__(self, reservations: ReservationStore, usage: Usage, now_ms: Callable[[], int]) -> None:
        self._reservations, self._usage, self._now_ms = reservations, usage, now_ms

    def shown(self, player: str) -> Shown:
        """What the lobby shows of a player's."""
        return self._usage.shown(player)

    @contextmanager
    def reserved(self, caller: Caller, wanted: Wanted) -> Iterator[None]:
        """Reservations what is wanted; the reservation ends with a refusal. Raises `Refused` beyond the quota."""
        if caller.id is None or "admin" in caller.scopes:
            yield
            return
        request = secrets.token_hex(8)
        self._reserve(caller.id, request, wanted)
        try:
            yield
        except Refused:
            self._release(caller.id, request)
            raise

    def _reserve(self, player: str, request: str, wanted: Wanted) -> None:
        for _ in range(TRIES):
            read = self._reservations.read(player)
            if request in read.reservations.held:  # the call was repeated, its answer lost
                return
            shown = self._usage.shown(player)
            held = {
                key: reservation
                for key, reservation in read.reservations.held.items()
                if self._lasts(reservation, shown)
            }
            open_ = shown | read.reservations.becoming(held).counted()
            wanted.check([counts for name, counts in open_.items() if name != wanted.name])
            reservation = Reservation(wanted.name, self._now_ms(), wanted.counts)
            if self._reservations.replace(player, read, held | {request: reservation}):
                return
        raise Refused("too-many-requests", "too much is opened at once; come again", retry_after=1)

    def _lasts(self, reservation: Reservation, shown: Shown) -> bool:
        """Whether a reservation still counts: what it opened does not show yet, or may still be opened."""
        if reservation.name in shown:
            return False
        stands = self._usage.stands(reservation.name)
        return stands or (
            stands is None and abs(self._now_ms() - reservation.at_ms) < PENDING_MS
        )  # clocks may run ahead

    def _release(self, player: str, request: str) -> None:
        """Ends a reservation that led to nothing; if that fails, it expires."""
        for _ in range(TRIES):
            read = self._reservations.read(player)
            held = {key: reservation for key, reservation in read.reservations.held.items() if key != request}
            if len(held) == len(read.reservations.held) or self._reservations.replace(player, read, held):
                return


def _reached(name: str, most: int, have: int) -> Refused:
    told = f"an account may have {most} {WHAT[name]}, and you have {have}: finish some first"
    return Refused("quota-reached", told, quota=name, most=most)


Row = Mapping[str, Any]
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
    {
        "SeatTaken",
        "DeadlineExtended",
        "TakebackAsked",
        "PlayTakenBack",
        "DisputeOpened",
        "DisputeCommented",
        "DisputeVoted",
    }
)


def check_room(history: History, new_events: Sequence[NewEvent]) -> None:
    """Raises `Refused` for what a table with that much on record takes in no more; moves it always takes."""
    first, table = new_events[0], history.table
    if first.type not in BESIDE_PLAY or _settles(table, new_events):
        return
    if table.version >= MOST_EVENTS:
        raise Refused("table-full", f"at a table with {MOST_EVENTS} events only moves are made, and disputes settled")
    if first.type == "DisputeCommented" and _comments(table) >= MOST_COMMENTS:
        raise Refused("table-full", f"the disputes of a table have {MOST_COMMENTS} comments at most")


def _settles(table: Table, new_events: Sequence[NewEvent]) -> bool:
    """Whether a dispute ends with these, or comes nearer to its end: by a seat's first vote on it."""
    first = new_events[0]
    voted = {(one.dispute, vote.seat) for one in table.disputes for vote in one.votes}
    is_first_vote = first.type == "DisputeVoted" and (first.payload["dispute"], first.payload["seat"]) not in voted
    return is_first_vote or any(new_event.type == "DisputeResolved" for new_event in new_events)


def _comments(table: Table) -> int:
    return sum(len(dispute.comments) for dispute in table.disputes)
