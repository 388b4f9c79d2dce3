"""The lobby: one row per table, with what people want to know before they open it, who has to decide, and how it ended.

Beside the rows it keeps indexes, from which `projections.lobby_lists` reads lists of tables.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from events.lifecycle import TYPES, SeatOffer
from events.store import Removal
from events.times import millis
from projections.batches import Facts, FedBatch
from projections.store import POSITION, Operation, ProjectionStore
from projections.table import Seat, Table


def cursor_after(opened_at: str, table: str = "") -> str:
    """The cursor after a table; without one, after all that were opened at that time or later."""
    return f"{millis(opened_at):015d}|{table}"


def result_of(table: Table, scores: Mapping[str, Any]) -> dict[str, Any] | None:
    """How the game of a table ended, from its scores as JSON values; None before it ended.

    `left` are those whose time was over and for whom an AI played on, by seat; `events` is the version of `GameEnded`.
    """
    if table.ended is None:
        return None
    return {
        "ended_at": table.ended_at,
        "events": table.ended,
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
    """What statistics tell of each seat, by name."""
    found: list[dict[str, str]] = [{} for _ in table.seats]
    for _, (seat, name, value) in table.noted.values():
        found[seat - 1][name] = value
    return found


def _places(table: Table, scores: Mapping[str, Any]) -> list[int]:
    """The place of each seat; of a game without a ranking, the first for its winners and the second for all others."""
    seats = [seat.seat for seat in table.seats]
    places = {seat: rank["rank"] for rank in scores.get("ranking", ()) for seat in rank["seats"]}
    return [places.get(seat, 1 if seat in scores["winners"] else 2) for seat in seats]


def _points(table: Table, scores: Mapping[str, Any]) -> list[float | None]:
    """The total of each seat; None where a game tells none."""
    totals = {row.get("seat"): row.get("total") for row in scores.get("scores", ())}
    return [totals.get(seat.seat) for seat in table.seats]


NAME = "lobby"
STATUSES = ("open", "running", "finished")
LISTED = TYPES.keys() | {"GameEnded"}  # the events that change in which lists a table is


def operations(table: Table, _store: ProjectionStore, _partition: int, batch: FedBatch) -> list[Operation]:
    """What a batch that led to this table changes in the lobby."""
    return [_row(table), *(_entries(table) if batch.types & LISTED else ())]


def _row(table: Table) -> Operation:
    return "HSET", "rows", table.id, msgspec.json.encode(row_of(table)).decode()


def _entries(table: Table) -> list[Operation]:
    """Where indexes have the table, and where not."""
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
    """What removes from the store all that the lobby keeps of a table."""
    kept = [_row(table), *_entries(table)]
    return [_removal(store.key(partition, name), command, arguments) for command, name, *arguments in kept]


def _removal(key: str, command: str, arguments: Sequence[str]) -> Removal:
    return ("HDEL", key, arguments[0]) if command == "HSET" else ("ZREM", key, arguments[-1])


def facts_of(table: Table) -> Facts:
    """What is kept of a table when it is archived."""
    return Facts(msgspec.to_builtins(row_of(table)), concerned(table), table.ended, table.counted)


def touches(batch: FedBatch) -> bool:
    """Whether a batch changes what no later one overwrites: who sits there, or who disputes."""
    return not batch.followed or bool(batch.types & LISTED)


def _disputed(table: Table) -> list[Operation]:
    """For everybody at a table that has had disputes: whether one of theirs is open."""
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
    """The players in whose lists a table is."""
    kept = [offer.player for offer in table.opened.seats]
    sitting = [seat.player for seat in table.seats]
    return sorted({player for player in (*kept, *sitting, table.opened.opened_by, table.opened.arbiter) if player})


def row_of(table: Table) -> dict[str, Any]:
    """The lobby's row of a table: public facts only."""
    opened = table.opened
    result = msgspec.to_builtins(table.game.scores(table.state)) if table.over else {}
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
    """Which table at which version a branch comes from, and its luck; None if it is no branch."""
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
