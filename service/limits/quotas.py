"""How many tables, AI seats at work, branches and disputes an account may have open at once."""

import threading
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from service.accounts.accounts import Caller
from service.config import Settings
from service.errors import Refused

Row = Mapping[str, Any]
Opened = dict[str, int]  # what a table counts for, by quota

WHAT = {
    "tables": "tables that are not finished",
    "ai_seats": "AI seats at such tables",
    "forks": "branches among them",
    "disputes": "disputes that are open",
}
REMEMBER_S = 1.0  # how long what a refused account has is not counted again
MOST_REMEMBERED = 1000  # accounts that were refused, and tables of one that the lobby does not yet show
MOST_OPENERS = 10_000  # accounts that opened something here, of which the lobby shows all but the newest


class Holdings(NamedTuple):
    """Finds what players have open by indexes, so that finished tables cost nothing.

    `unfinished` gives the lobby's rows of the tables that a player opened, `shown` those of some tables that the lobby
    has come to, and `disputes` how many open disputes of a player there are at each table: at those that the lobby
    names, and at the ones given.
    """

    unfinished: Callable[[str], list[dict[str, Any]]]
    shown: Callable[[Sequence[str]], set[str]]
    disputes: Callable[[str, Sequence[str]], dict[str, int]]


class Quotas:
    """Counts what an account has open: what the lobby shows, and what was opened here and does not show there yet."""

    def __init__(self, settings: Settings, holdings: Holdings) -> None:
        self._most = {"tables": settings.open_tables, "ai_seats": settings.ai_seats, "forks": settings.forks}
        self._most_disputes = settings.open_disputes
        self._holdings = holdings
        self._recent: dict[str, dict[str, Opened]] = {}
        self._disputed: dict[str, dict[str, int]] = {}
        self._full: dict[str, tuple[float, list[Opened]]] = {}
        self._lock = threading.Lock()

    def check(self, caller: Caller, wanted: Opened) -> None:
        """Raises `Refused` if the account would have more than it may."""
        if _unbounded(caller):
            return
        held = self._counted(str(caller.id))
        for name, most in self._most.items():
            have = sum(opened[name] for opened in held)
            if wanted.get(name) and have + wanted[name] > most:
                if len(self._full) >= MOST_REMEMBERED:
                    self._full.clear()
                self._full[str(caller.id)] = (time.monotonic() + REMEMBER_S, held)
                raise _reached(name, most, have)

    def check_dispute(self, caller: Caller) -> None:
        """Raises `Refused` if the account may open no further dispute."""
        if _unbounded(caller):
            return
        player = str(caller.id)
        with self._lock:
            recent = list(self._disputed.get(player, ()))
        found = self._holdings.disputes(player, recent)
        with self._lock:
            known = self._disputed.get(player, {})
            for table in recent:
                if not found.get(table):
                    known.pop(table, None)
            if not known:
                self._disputed.pop(player, None)
        if sum(found.values()) >= self._most_disputes:
            raise _reached("disputes", self._most_disputes, sum(found.values()))

    def _counted(self, player: str) -> list[Opened]:
        """What the account has; just after a refusal the same figures as then, since reading the lobby is expensive."""
        until, held = self._full.get(player, (0.0, []))
        if time.monotonic() < until:
            return held
        self._full.pop(player, None)
        return self._held(player)

    def note(self, player: str, table: str, wanted: Opened) -> None:
        """Counts a table that was opened just now, until the lobby shows it."""
        with self._lock:
            _remember(_of(self._recent, player), table, dict.fromkeys(self._most, 0) | wanted)

    def note_dispute(self, player: str, table: str) -> None:
        """Has a table looked at for open disputes of the player, until there are none."""
        with self._lock:
            _remember(_of(self._disputed, player), table, 1)

    def _held(self, player: str) -> list[Opened]:
        with self._lock:
            recent = dict(self._recent.get(player, {}))
        shown = self._holdings.shown(list(recent)) if recent else set()
        rows = self._holdings.unfinished(player)  # after that: what is shown by now is among these, or finished
        with self._lock:
            known = self._recent.get(player, {})
            for table in shown & known.keys():
                del known[table]
            if not known:
                self._recent.pop(player, None)
        unseen = recent.keys() - shown - {row["table"] for row in rows}
        return [*map(_opened, rows), *(recent[table] for table in unseen)]


def _unbounded(caller: Caller) -> bool:
    return caller.id is None or "admin" in caller.scopes


def _of(remembered: dict[str, dict[str, Any]], player: str) -> dict[str, Any]:
    """A player's entry, moved to the end; the first entry is dropped when there are too many."""
    found = remembered[player] = remembered.pop(player, {})
    if len(remembered) > MOST_OPENERS:
        remembered.pop(next(iter(remembered)))
    return found


def _remember(kept: dict[str, Any], table: str, what: Any) -> None:
    kept[table] = what
    if len(kept) > MOST_REMEMBERED:
        kept.pop(next(iter(kept)))


def _reached(name: str, most: int, have: int) -> Refused:
    told = f"an account may have {most} {WHAT[name]}, and you have {have}: finish some first"
    return Refused("quota-reached", told, quota=name, most=most)


def _opened(row: Row) -> Opened:
    ai_seats = sum(seat["offer"] == "ai" or seat["level"] is not None for seat in row["seats"])
    return {"tables": 1, "ai_seats": ai_seats, "forks": int(row["forked_from"] is not None)}
