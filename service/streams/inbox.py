"""The frames of an inbox: decisions that begin to wait for a player, and those that no longer do."""

from typing import Any

import msgspec

from projections.history import History
from service.tables.reading import waiting

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

    def news(self, histories: list[History]) -> bytes:
        """Frames for new decisions, the oldest first, and for settled ones."""
        begun, settled = [], []
        for history in histories:
            table, rows = history.table.id, {row["decision"]: row for row in waiting(history.table, self._player)}
            told = self._told.get(table, {})
            begun += [row for name, row in rows.items() if row | _UNTOLD != told.get(name, {}) | _UNTOLD]
            settled += [{"table": table, "decision": name} for name in told if name not in rows]
            self._told[table] = rows
            if history.table.closed:
                del self._told[table]
        frames = [_frame("settled", row) for row in settled]
        return b"".join(frames + [_frame("decision", row) for row in sorted(begun, key=lambda row: str(row["since"]))])


def _frame(kind: str, row: dict[str, Any]) -> bytes:
    name = f"{row['table']}/{row['decision']}"
    return b"id: %s\nevent: %s\ndata: %s\n\n" % (name.encode(), kind.encode(), msgspec.json.encode(row))
