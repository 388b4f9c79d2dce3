"""Standings: how often each player and each AI level has played and won each game."""

from collections.abc import Callable
from functools import partial
from typing import Any

import msgspec

from events.lifecycle import PersonalText
from projections.batches import Batch
from projections.leaderboard import unsummed
from projections.store import Operation, ProjectionStore
from projections.table import Seat, Table

NAME = "standings"
Row = dict[str, Any]


def operations(table: Table, store: ProjectionStore, partition: int, first: int) -> list[Operation]:
    """What the batch that begins with version `first` changes: something if a game that counts ends in it."""
    rows = counts(table, first, partial(store.row, partition))
    return [one for field, row in sorted(rows.items()) for one in _written(field, row)]


def touches(batch: Batch) -> bool:
    """Whether a game ends in a batch."""
    return "GameEnded" in batch.types


def counts(table: Table, first: int, known: Callable[[str], Row | None]) -> dict[str, Row]:
    """The rows after the batch of those who sit at a table, from those that are known; empty if no game ends in it."""
    if table.ended is None or table.ended < first or not table.counted:
        return {}
    winners = set(msgspec.to_builtins(table.game.scores(table.state))["winners"])
    rows: dict[str, Row] = {}
    for seat in table.seats:
        field = field_of(table, seat)
        row = rows.get(field) or known(field) or _empty(table.opened.game, table.id, seat)
        rows[field] = row | {"played": row["played"] + 1, "won": row["won"] + (seat.seat in winners)}
    return rows


def _written(field: str, row: Row) -> list[Operation]:
    return [("HSET", "rows", field, msgspec.json.encode(row).decode()), unsummed(field)]


def field_of(table: Table, seat: Seat) -> str:
    """The name of the row of whoever holds a seat."""
    return f"{table.opened.game}|{holder(seat)}"


def holder(seat: Seat) -> str:
    """The player's id, or `ai:` and the level."""
    return f"ai:{seat.ai.level}" if seat.ai else str(seat.player)


def _empty(game: str, table: str, seat: Seat) -> Row:
    """A row with nothing counted. A name that is encrypted is read with the table at which it was taken."""
    bot = seat.bot or seat.ai is not None
    row = {"game": game, "player": holder(seat), "name": msgspec.to_builtins(seat.name), "bot": bot}
    named = {"named_at": table} if isinstance(seat.name, PersonalText) else {}
    return row | named | {"played": 0, "won": 0}
