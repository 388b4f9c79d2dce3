"""Quotas: how many unfinished tables, AI seats and open disputes an account may have, and how much a table may hold.

Usage is counted from the lobby. A request first reserves what it is about to open, so that concurrent requests stay
within the quota. Web processes share the reservations. A reservation counts until the lobby lists what was opened, or
for a minute; a refused request releases its own.
"""

import secrets
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import msgspec

from events.envelopes import NewEvent
from events.scripts import Client, script
from projections.history import TableHistory
from projections.table import Table
from service.accounts.accounts_and_tokens import key_of
from service.accounts.callers import Caller
from service.config import Settings
from service.errors import Refused

KINDS = ("tables", "disputes")  # each has its own reservations
PENDING_S = 60  # how long something opened may take to be in the lobby
TRIES = 100  # how often reservations are read again when other requests change them first
WHAT = {
    "tables": "tables that are not finished",
    "ai_seats": "AI seats at such tables",
    "disputes": "disputes that are open",
}

Counts = dict[str, int]  # by quota
Usage = dict[str, Counts]  # by the name of what is open


class Reservation(msgspec.Struct, frozen=True):
    """A reservation of a request from the time `at_ms`."""

    name: str
    at_ms: int
    counts: Counts


Reservations = dict[str, Reservation]  # by request


def keys_of(player: str) -> tuple[str, ...]:
    """Returns the keys of all reservations of an account."""
    return tuple(key_of(f"reservations:{kind}", player) for kind in KINDS)


class Quotas:
    """The quotas of accounts: counts what the lobby lists of an account, and what is reserved and not listed yet.

    `listed` returns, for each of `KINDS`, what the lobby lists of a player.
    """

    def __init__(
        self,
        client: Client,
        settings: Settings,
        listed: Mapping[str, Callable[[str], Usage]],
        now_ms: Callable[[], int],
    ) -> None:
        self._client, self._listed, self._now_ms = client, listed, now_ms
        self._most = {"tables": settings.open_tables, "ai_seats": settings.ai_seats, "disputes": settings.open_disputes}
        self._replace = script(client, "service.accounts", "replace_record.lua")

    def usage(self, player: str) -> dict[str, tuple[int, int]]:
        """Returns by quota how much of a player's the lobby lists, and how much is allowed."""
        found: Counter[str] = Counter()
        for listed in self._listed.values():
            for counts in listed(player).values():
                found.update(counts)
        return {quota: (found[quota], most) for quota, most in self._most.items()}

    @contextmanager
    def reserved(self, kind: str, caller: Caller, name: str, counts: Counts) -> Iterator[None]:
        """Reserves what is opened in the context; raises `Refused` beyond the quota."""
        if caller.id is None or "admin" in caller.scopes:
            yield
            return
        request = secrets.token_hex(8)
        self._reserve(kind, caller.id, request, Reservation(name, self._now_ms(), counts))
        try:
            yield
        except Refused:
            self._change(kind, caller.id, lambda held: {key: one for key, one in held.items() if key != request})
            raise

    def _reserve(self, kind: str, player: str, request: str, wanted: Reservation) -> None:
        def reserving(held: Reservations) -> Reservations:
            listed = self._listed[kind](player)
            pending = {
                key: one
                for key, one in held.items()
                if one.name not in listed and abs(wanted.at_ms - one.at_ms) < PENDING_S * 1000  # clocks may differ
            }
            others = listed | {one.name: one.counts for one in pending.values()}
            others.pop(wanted.name, None)
            self._check(wanted.counts, list(others.values()))
            return pending | {request: wanted}

        if not self._change(kind, player, reserving):
            raise Refused("too_many_requests", "too much is opened at once; come again", retry_after=1)

    def _change(self, kind: str, player: str, becoming: Callable[[Reservations], Reservations]) -> bool:
        """Replaces an account's reservations by a function of them; False if others changed them too often."""
        key = key_of(f"reservations:{kind}", player)
        for _ in range(TRIES):
            was = self._client.get(key) or b""
            becomes = becoming(msgspec.json.decode(was, type=Reservations) if was else {})
            if self._replace(keys=[key], args=[was, msgspec.json.encode(becomes), PENDING_S]):
                return True
        return False

    def _check(self, wanted: Counts, others: Sequence[Counts]) -> None:
        for quota, number in wanted.items():
            have, most = sum(counts.get(quota, 0) for counts in others), self._most[quota]
            if number and have + number > most:
                told = f"an account may have {most} {WHAT[quota]}, and you have {have}: finish some first"
                raise Refused("quota_reached", told, quota=quota, most=most)


def seat_name(table: str, seat: int) -> str:
    """Returns the name of the reservation of an AI seat that is given after the table was opened."""
    return f"{table}/{seat}"


def tables_in(rows: Iterable[Mapping[str, Any]]) -> Usage:
    """Returns the usage by tables, from the lobby's rows."""
    usage: Usage = {}
    for row in rows:
        offered = [seat for seat in row["seats"] if seat["offer"] == "ai"]
        usage[row["id"]] = {"tables": 1, "ai_seats": len(offered)}
        for seat in row["seats"]:
            if seat["level"] is not None and seat not in offered:
                usage[seat_name(row["id"], seat["seat"])] = {"ai_seats": 1}
    return usage


def dispute_name(table: Table, ruling: int, seat: int) -> str:
    """Returns the name of the reservation of a seat's next dispute about the ruling with that version."""
    before = sum((one.version, one.seat) == (ruling, seat) for one in table.disputes)
    return f"{table.id}/{ruling}/{seat}/{before}"


def disputes_at(player: str, tables: Iterable[Table]) -> Usage:
    """Returns the usage by a player's disputes at tables; those that have ended count for nothing."""
    usage: Usage = {}
    for table in tables:
        before: Counter[tuple[int, int]] = Counter()
        for one in table.disputes:
            is_theirs = table.seats[one.seat - 1].player == player
            is_open = one.outcome is None and not table.over
            name = f"{table.id}/{one.version}/{one.seat}/{before[one.version, one.seat]}"
            usage[name] = {"disputes": int(is_theirs and is_open)}
            before[one.version, one.seat] += 1
    return usage


MOST_EVENTS = 5_000  # of a table: eight times as many as the longest recorded game has
MOST_COMMENTS = 500  # of a table: every answer about disputes holds them all
BESIDE_PLAY = frozenset(
    ["SeatTaken", "DeadlineExtended", "OfferMade", "PlayTakenBack", "DisputeOpened", "DisputeCommented", "DisputeVoted"]
)


def check_room(history: TableHistory, new_events: Sequence[NewEvent]) -> None:
    """Raises `Refused` for events that a full table does not accept; it always accepts moves."""
    first, table = new_events[0], history.table
    if first.type not in BESIDE_PLAY or _settles(table, new_events):
        return
    if table.version >= MOST_EVENTS:
        raise Refused("table_full", f"a table with {MOST_EVENTS} events accepts only moves, and the end of disputes")
    if first.type == "DisputeCommented" and sum(len(one.comments) for one in table.disputes) >= MOST_COMMENTS:
        raise Refused("table_full", f"the disputes of a table have at most {MOST_COMMENTS} comments")


def _settles(table: Table, new_events: Sequence[NewEvent]) -> bool:
    """Whether these events end a dispute, or hold a seat's first vote on one."""
    first = new_events[0]
    voted = {(one.dispute, vote.seat) for one in table.disputes for vote in one.votes}
    is_first_vote = first.type == "DisputeVoted" and (first.payload["dispute"], first.payload["seat"]) not in voted
    return is_first_vote or any(new_event.type == "DisputeResolved" for new_event in new_events)
