"""How many tables, AI seats at work and branches an account may have open at once."""

import threading
import time
from collections.abc import Callable, Mapping
from typing import Any

from service.accounts.accounts import Caller
from service.config import Settings
from service.errors import Refused

Row = Mapping[str, Any]
Opened = dict[str, int]  # what a table counts for, by quota

WHAT = {"tables": "tables that are not finished", "ai_seats": "AI seats at such tables", "forks": "branches among them"}
REMEMBER_S = 1.0  # how long what a refused account has is not counted again
MOST_REMEMBERED = 1000  # accounts that were refused, and tables of one that the lobby does not yet show
MOST_OPENERS = 10_000  # accounts that opened something here, of which the lobby shows all but the newest


class Quotas:
    """Counts what an account has opened: what the lobby shows, and what was opened here and does not show there yet.

    `rows` gives the lobby's rows of all tables that concern a player.
    """

    def __init__(self, settings: Settings, rows: Callable[[str], list[dict[str, Any]]]) -> None:
        self._most = {"tables": settings.open_tables, "ai_seats": settings.ai_seats, "forks": settings.forks}
        self._rows = rows
        self._recent: dict[str, dict[str, Opened]] = {}
        self._full: dict[str, tuple[float, list[Opened]]] = {}
        self._lock = threading.Lock()

    def check(self, caller: Caller, wanted: Opened) -> None:
        """Raises `Refused` if the account would have more than it may."""
        if caller.id is None or "admin" in caller.scopes:
            return
        held = self._counted(caller.id)
        for name, most in self._most.items():
            have = sum(opened[name] for opened in held)
            if wanted.get(name) and have + wanted[name] > most:
                if len(self._full) >= MOST_REMEMBERED:
                    self._full.clear()
                self._full[caller.id] = (time.monotonic() + REMEMBER_S, held)
                raise Refused(
                    "quota-reached",
                    f"an account may have {most} {WHAT[name]}, and you have {have}: finish some first",
                    quota=name,
                    most=most,
                )

    def _counted(self, player: str) -> list[Opened]:
        """What the account has; of one that was refused just now as it was then, since the lobby is dear to read."""
        until, held = self._full.get(player, (0.0, []))
        if time.monotonic() < until:
            return held
        self._full.pop(player, None)
        return self._held(player)

    def note(self, player: str, table: str, wanted: Opened) -> None:
        """Counts a table that was opened just now, until the lobby shows it."""
        with self._lock:
            recent = self._recent[player] = self._recent.pop(player, {})  # behind all others
            recent[table] = dict.fromkeys(self._most, 0) | wanted
            if len(recent) > MOST_REMEMBERED:
                recent.pop(next(iter(recent)))
            if len(self._recent) > MOST_OPENERS:
                self._recent.pop(next(iter(self._recent)))

    def _held(self, player: str) -> list[Opened]:
        rows = {row["table"]: row for row in self._rows(player)}
        with self._lock:
            known = self._recent.get(player, {})
            for table in known.keys() & rows.keys():
                del known[table]
            recent = list(known.values())
        return [_opened(row) for row in rows.values() if _counts(row, player)] + recent


def _counts(row: Row, player: str) -> bool:
    return bool(row["opened_by"] == player and row["status"] != "finished")


def _opened(row: Row) -> Opened:
    ai_seats = sum(seat["offer"] == "ai" or seat["level"] is not None for seat in row["seats"])
    return {"tables": 1, "ai_seats": ai_seats, "forks": int(row["forked_from"] is not None)}
