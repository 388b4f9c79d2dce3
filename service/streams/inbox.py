"""The frames of an inbox: decisions that begin to wait for a player, and those that no longer do."""

from collections.abc import Mapping
from typing import Any

import msgspec

from projections.history import History
from service.tables.viewing import waiting

_UNTOLD = {"version": None}  # what is told along, but is no news by itself


class Inbox:
    """The decisions already sent to a player, so that only changes are sent."""

    def __init__(self, player: str) -> None:
        self._player = player
        self._told: dict[str, dict[str, dict[str, Any]]] = {}  # by table and decision

    def unseen(self, tables: set[str]) -> set[str]:
        """The tables not looked at yet, and those that wait for the player."""
        return {table for table in tables if not self._told.get(table, {})} | {
            t for t, rows in self._told.items() if rows
        }

    def news(self, histories: Mapping[str, History | None]) -> bytes:
        """Frames for new decisions, the oldest first, and for settled ones; None is a table that is lost."""
        begun, settled = [], []
        for table, history in histories.items():
            rows = self._waiting(history)
            told = self._told.get(table, {})
            begun += [row for name, row in rows.items() if row | _UNTOLD != told.get(name, {}) | _UNTOLD]
            settled += [{"table": table, "decision": name} for name in told if name not in rows]
            self._told[table] = rows
            if history is None or history.table.closed:
                del self._told[table]
        frames = [_frame("settled", row) for row in settled]
        begun.sort(key=lambda row: str(row["since"]))
        return b"".join(frames + [_frame("decision", row) for row in begun])

    def _waiting(self, history: History | None) -> dict[str, dict[str, Any]]:
        """The decisions of a table that wait for the player, by their names."""
        return {row["decision"]: row for row in waiting(history.table, self._player)} if history else {}


def _frame(kind: str, row: dict[str, Any]) -> bytes:
    name = f"{row['table']}/{row['decision']}"
    return b"id: %s\nevent: %s\ndata: %s\n\n" % (name.encode(), kind.encode(), msgspec.json.encode(row))
