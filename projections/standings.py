"""Standings: how often each player and AI level has played and won each game at public tables."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import msgspec

from projections.batches import Facts, FedBatch
from projections.leaderboard import unsummed
from projections.lobby_rows import facts_of
from projections.store import Operation, ProjectionStore
from projections.table import Table

NAME = "standings"
Row = dict[str, Any]


def operations(table: Table, store: ProjectionStore, partition: int, batch: FedBatch) -> list[Operation]:
    """Returns what a batch that led to this table changes: something if a game that counts ended in it."""
    if table.ended is None or table.ended < batch.pointer.first:
        return []
    return archived(facts_of(table), store, partition)


def archived(facts: Facts, store: ProjectionStore, partition: int) -> list[Operation]:
    """Returns what the batch changes in which a game ended, from the facts of its table."""
    rows = counts(facts, partial(store.row, partition))
    changes: list[Operation] = []
    for field, row in sorted(rows.items()):
        changes += [("HSET", "rows", field, msgspec.json.encode(row).decode()), unsummed(field)]
    return changes


def touches(batch: FedBatch) -> bool:
    """Whether a game ended in a batch."""
    return "TableClosed" in batch.types


def counts(facts: Facts, known: Callable[[str], Row | None]) -> dict[str, Row]:
    """Returns the rows of the seats' holders after a game, from the known rows; empty if the game does not count.

    A private table does not count: rows that change at once would reveal who played there, and who won.
    """
    if facts.ended is None or not facts.counted or facts.row["visibility"] != "public":
        return {}
    rows: dict[str, Row] = {}
    for seat in facts.row["seats"]:
        field = f"{facts.row['game']}|{holder(seat)}"
        row = rows.get(field) or known(field) or _empty(facts, seat)
        rows[field] = row | {"played": row["played"] + 1, "won": row["won"] + (seat["seat"] in facts.row["winners"])}
    return rows


def holder(seat: Mapping[str, Any]) -> str:
    """Returns the player's id, or `ai:` and the level."""
    return f"ai:{seat['level']}" if seat["level"] else str(seat["player"])


def _empty(facts: Facts, seat: Mapping[str, Any]) -> Row:
    """Returns a row with nothing counted."""
    bot = seat["bot"] or seat["level"] is not None
    return {"game": facts.row["game"], "player": holder(seat), "bot": bot, "played": 0, "won": 0}
