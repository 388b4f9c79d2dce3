"""The lobby: one row per table with its public facts, who has to decide, and how it ended; and indexes of tables.

`projections.lobby_queries` reads lists of tables from the indexes.
"""

from collections.abc import Mapping
from typing import Any

import msgspec

from events.lifecycle import TYPES, SeatOffer
from events.store import Removal
from events.times import millis
from projections.batches import Facts, FedBatch
from projections.store import POSITION, Operation, ProjectionStore
from projections.table import Seat, Table


def cursor_after(opened_at: str, table: str = "") -> str:
    """Returns the cursor after a table; without a table, after all that were opened at that time or later."""
    return f"{millis(opened_at):015d}|{table}"


def result_of(table: Table, scores: Mapping[str, Any]) -> dict[str, Any] | None:
    """Returns how a game ended, from its scores as JSON values; None before that.

    `left` are the players, by seat, who resigned or whose time ran out; `events` is the version of the end, `how` one
    of `ENDS`.
    """
    if table.ended is None:
        return None
    return {
        "ended_at": table.ended_at,
        "events": table.ended,
        "how": table.closed,
        "moves": table.moves,
        "places": _places(table, scores),
        "points": _points(table, scores),
        "left": [seat.left_by for seat in table.seats],
        "disputed": bool(table.disputes),
        "corrected": table.corrected,
        "rated": table.rated,
        "features": features_of(table),
    }


def features_of(table: Table) -> list[dict[str, str]]:
    """Returns the features of each seat, by name."""
    found: list[dict[str, str]] = [{} for _ in table.seats]
    for _, (seat, name, value) in table.noted.values():
        found[seat - 1][name] = value
    return found


def _places(table: Table, scores: Mapping[str, Any]) -> list[int]:
    """Returns the place of each seat; in a game without ranking, winners are first and all others second."""
    seats = [seat.seat for seat in table.seats]
    places = {seat: rank["rank"] for rank in scores.get("ranking", ()) for seat in rank["seats"]}
    return [places.get(seat, 1 if seat in scores["winners"] else 2) for seat in seats]


def _points(table: Table, scores: Mapping[str, Any]) -> list[float | None]:
    """Returns the total of each seat; None in a game without totals."""
    totals = {row.get("seat"): row.get("total") for row in scores.get("scores", ())}
    return [totals.get(seat.seat) for seat in table.seats]


NAME = "lobby"
STATUSES = ("open", "running", "finished")
LISTED = TYPES.keys() | {"GameEnded"}  # the events that change a table's indexes


def operations(table: Table, _store: ProjectionStore, _partition: int, batch: FedBatch) -> list[Operation]:
    """Returns what a batch that led to this table changes."""
    return [_row(table), *(_entries(table) if batch.types & LISTED else ())]


def _row(table: Table) -> Operation:
    return "HSET", "rows", table.id, msgspec.json.encode(row_of(table)).decode()


def _entries(table: Table) -> list[Operation]:
    """Returns the operations that put a table into its indexes, and out of others."""
    member = cursor_after(table.opened_at, table.id)
    changes: list[Operation] = []
    if table.opened.visibility == "public":
        changes += [_indexes(status, member, holds=status == table.status) for status in STATUSES]
    if table.fork:
        changes.append(_indexes("by_parent", f"{table.fork.parent}|{member}"))
    unfinished = table.status != "finished"
    changes.append(_indexes("unfinished", f"{table.opened.opened_by}|{table.id}", holds=unfinished))
    changes += _disputed(table)
    if table.closed:
        changes.append(("ZADD", "closed", POSITION, f"{millis(table.at):015d}|{table.id}"))
    changes += [_indexes("seated", f"{player}|{member}", holds=unfinished) for player in _persons(table)]
    return changes + [_indexes("by_player", f"{player}|{member}") for player in concerned(table)]


def removals(table: Table, store: ProjectionStore, partition: int) -> list[Removal]:
    """Returns the operations that remove a table from the lobby."""
    kept = ((command, store.key(partition, name), rest) for command, name, *rest in (_row(table), *_entries(table)))
    return [("HDEL", key, rest[0]) if command == "HSET" else ("ZREM", key, rest[-1]) for command, key, rest in kept]


def facts_of(table: Table) -> Facts:
    """Returns the facts of a table, as kept when it is archived."""
    return Facts(msgspec.to_builtins(row_of(table)), concerned(table), table.ended, table.counted)


def touches(batch: FedBatch) -> bool:
    """Whether a batch changes something that no later one on the page overwrites: its indexes."""
    return not batch.followed or bool(batch.types & LISTED)


def _disputed(table: Table) -> list[Operation]:
    """Returns the index entries for open disputes of those who sit at a table."""
    if not table.disputes:
        return []
    disputing = {table.seats[one.seat - 1].player for one in table.disputes if one.outcome is None}
    return [_indexes("disputed", f"{one}|{table.id}", holds=one in disputing) for one in _persons(table)]


def _indexes(index: str, member: str, *, holds: bool = True) -> Operation:
    """Adds a member to an index, or removes it."""
    return ("ZADD", index, "0", member) if holds else ("ZREM", index, member)


def _persons(table: Table) -> list[str]:
    return [seat.player for seat in table.seats if seat.player]


def concerned(table: Table) -> list[str]:
    """Returns the players in whose lists a table is."""
    kept = [offer.player for offer in table.opened.seats]
    sitting = [seat.player for seat in table.seats]
    return sorted({player for player in (*kept, *sitting, table.opened.opened_by, table.opened.arbiter) if player})


def row_of(table: Table) -> dict[str, Any]:
    """Returns the lobby's row of a table, which has public facts only."""
    opened = table.opened
    result = msgspec.to_builtins(table.scores) if table.over else {}
    return {
        "id": table.id,
        "game": opened.game,
        "status": table.status,
        "visibility": opened.visibility,
        "forked_from": forked_from(table),
        "players": opened.players,
        "options": table.options,
        "aids": table.opened.aids,
        "ratings": msgspec.to_builtins(table.opened.ratings),
        "opened_by": opened.opened_by,
        "arbiter": opened.arbiter,
        "opened_at": table.opened_at,
        "at": table.at,
        "version": table.version,
        "seats": [_seat_row(seat, opened.seats[seat.seat - 1]) for seat in table.seats],
        "to_act": [decision.seat for decision in table.decisions],
        "winners": result.get("winners", []),
        "result": result_of(table, result),
    }


def _seat_row(seat: Seat, offer: SeatOffer) -> dict[str, Any]:
    return {
        "seat": seat.seat,
        "offer": offer.kind,
        "kept_for": offer.player,
        "player": seat.player,
        "bot": seat.bot,
        "level": seat.ai.level if seat.ai else None,
    }


def forked_from(table: Table) -> dict[str, Any] | None:
    """Returns the origin of a branch and its luck; None for other tables."""
    fork = table.fork
    if fork is None:
        return None
    return {
        "table": fork.parent,
        "version": fork.parent_version,
        "head": fork.parent_head,
        "chance": fork.chance,
        "dealt_anew": fork.dealt_anew,
    }
