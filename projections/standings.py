"""Standings: how often each player and each AI level has played and won each game."""

from collections import defaultdict
from typing import Any

import msgspec

from events.lifecycle import PersonalText
from projections.store import Operation, ProjectionStore
from projections.table import Seat, Table

NAME = "standings"


def operations(table: Table, store: ProjectionStore, partition: int, first: int) -> list[Operation]:
    """What the batch that begins with version `first` changes: something if a game that counts ends in it."""
    if table.ended is None or table.ended < first or not table.counted:
        return []
    winners = set(msgspec.to_builtins(table.game.scores(table.state))["winners"])
    counts: dict[str, dict[str, Any]] = {}
    for seat in table.seats:
        field = f"{table.opened.game}|{holder(seat)}"
        row = counts.get(field) or store.row(partition, field) or _empty(table.opened.game, table.id, seat)
        counts[field] = row | {"played": row["played"] + 1, "won": row["won"] + (seat.seat in winners)}
    return [("HSET", "rows", field, msgspec.json.encode(row).decode()) for field, row in sorted(counts.items())]


def holder(seat: Seat) -> str:
    """The player's id, or `ai:` and the level."""
    return f"ai:{seat.ai.level}" if seat.ai else str(seat.player)


def _empty(game: str, table: str, seat: Seat) -> dict[str, Any]:
    """A row with nothing counted. A name that is encrypted is read with the table at which it was taken."""
    bot = seat.bot or seat.ai is not None
    row = {"game": game, "player": holder(seat), "name": msgspec.to_builtins(seat.name), "bot": bot}
    named = {"named_at": table} if isinstance(seat.name, PersonalText) else {}
    return row | named | {"played": 0, "won": 0}


def standings(store: ProjectionStore, game: str | None) -> list[dict[str, Any]]:
    """One row per game and player, most games won first."""
    totals: dict[bytes, dict[str, Any]] = {}
    sums: dict[bytes, list[int]] = defaultdict(lambda: [0, 0])
    for partition in range(store.log.partitions):
        for field, kept in store.rows(partition).items():
            totals[field] = msgspec.json.decode(kept)
            sums[field][0] += totals[field]["played"]
            sums[field][1] += totals[field]["won"]
    rows = [row | {"played": sums[field][0], "won": sums[field][1]} for field, row in totals.items()]
    chosen = [row for row in rows if game in (None, row["game"])]
    return sorted(chosen, key=lambda row: (row["game"], -row["won"], row["played"], row["player"]))
