"""Standings: how often each player and each AI level has played and won each game, at public tables."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import msgspec

from projections.batches import Facts, FedBatch
from projections.leaderboard import unsummed
from projections.lobby import facts_of
from projections.store import Operation, ProjectionStore
from projections.table import Table

NAME = "standings"
Row = dict[str, Any]


def operations(table: Table, store: ProjectionStore, partition: int, batch: FedBatch) -> list[Operation]:
    """What a batch that led to this table changes: something if a game that counts ends in it."""
    if table.ended is None or table.ended < batch.pointer.first:
        return []
    return archived(facts_of(table), store, partition)


def archived(facts: Facts, store: ProjectionStore, partition: int) -> list[Operation]:
    """What the batch in which a game ended changes, from the facts of its table alone."""
    rows = counts(facts, partial(store.row, partition))
    return [one for field, row in sorted(rows.items()) for one in _written(field, row)]


def touches(batch: FedBatch) -> bool:
    """Whether a game ends in a batch."""
    return "GameEnded" in batch.types


def counts(facts: Facts, known: Callable[[str], Row | None]) -> dict[str, Row]:
    """The rows of those who sit at a table after its game, from those that are known; empty if it does not count.

    A private table counts for nobody: whose rows change at once would tell strangers who played there, and who won.
    """
    if facts.ended is None or not facts.counted or facts.row["visibility"] != "public":
        return {}
    rows: dict[str, Row] = {}
    for seat in facts.row["seats"]:
        field = field_of(facts, seat)
        row = rows.get(field) or known(field) or _empty(facts, seat)
        rows[field] = row | {"played": row["played"] + 1, "won": row["won"] + (seat["seat"] in facts.row["winners"])}
    return rows


def _written(field: str, row: Row) -> list[Operation]:
    return [("HSET", "rows", field, msgspec.json.encode(row).decode()), unsummed(field)]


def field_of(facts: Facts, seat: Mapping[str, Any]) -> str:
    """The name of the row of whoever holds a seat, as the lobby's row tells it."""
    return f"{facts.row['game']}|{holder(seat)}"


def holder(seat: Mapping[str, Any]) -> str:
    """The player's id, or `ai:` and the level."""
    return f"ai:{seat['level']}" if seat["level"] else str(seat["player"])


def _empty(facts: Facts, seat: Mapping[str, Any]) -> Row:
    """A row with nothing counted."""
    bot = seat["bot"] or seat["level"] is not None
    return {"game": facts.row["game"], "player": holder(seat), "bot": bot, "played": 0, "won": 0}
