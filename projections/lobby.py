"""The lobby: one row per table, with what people want to know before they open it, and who has to decide there."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec

from events.times import millis
from projections.store import Operation, ProjectionStore
from projections.table import Table

NAME = "lobby"
STATUSES = ("open", "running", "finished")
OF_QUOTAS = ("unfinished", "disputed")  # the indexes by which it is counted what a player has open


def operations(table: Table, _store: ProjectionStore, _partition: int, _first: int) -> list[Operation]:
    """What a batch that led to this table changes in the lobby."""
    row = row_of(table)
    changes: list[Operation] = [("HSET", "rows", table.id, msgspec.json.encode(row).decode())]
    if table.opened.visibility == "public":
        changes += _listed(row, table)
    if table.fork:
        changes.append(("ZADD", "by_parent", "0", f"{table.fork.parent}|{table.id}"))
    changes.append(_indexes("unfinished", table.opened.opened_by, table, holds=table.status != "finished"))
    changes += _disputed(table)
    return changes + [_indexes("by_player", player, table) for player in _concerned(table)]


def _listed(row: Mapping[str, Any], table: Table) -> list[Operation]:
    """The table in the public list of its status, and in no other."""
    member = f"{millis(row['opened_at']):015d}|{table.id}"
    gone: list[Operation] = [("ZREM", status, member) for status in STATUSES if status != row["status"]]
    return [*gone, ("ZADD", row["status"], "0", member)]


def _disputed(table: Table) -> list[Operation]:
    """For everybody at a table that has had disputes: whether one of theirs is open."""
    if not table.disputes:
        return []
    disputing = {table.seats[one.seat - 1].player for one in table.disputes if one.outcome is None}
    persons = [seat.player for seat in table.seats if seat.player]
    return [_indexes("disputed", player, table, holds=player in disputing) for player in persons]


def _indexes(index: str, player: str, table: Table, *, holds: bool = True) -> Operation:
    """Adds the table to the player's index, or removes it."""
    member = f"{player}|{table.id}"
    return ("ZADD", index, "0", member) if holds else ("ZREM", index, member)


def _concerned(table: Table) -> list[str]:
    kept = [offer.player for offer in table.opened.seats]
    sitting = [seat.player for seat in table.seats]
    return sorted({player for player in (*kept, *sitting, table.opened.opened_by, table.opened.arbiter) if player})


def row_of(table: Table) -> dict[str, Any]:
    """The lobby's row of a table: public facts only."""
    opened = table.opened
    result = msgspec.to_builtins(table.game.scores(table.state)) if table.over else {}
    return {
        "table": table.id,
        "game": opened.game,
        "status": table.status,
        "visibility": opened.visibility,
        "forked_from": forked_from(table),
        "players": opened.players,
        "options": table.options,
        "opened_by": opened.opened_by,
        "arbiter": opened.arbiter,
        "opened_at": table.opened_at,
        "at": table.at,
        "version": table.version,
        "seats": [
            {
                "seat": seat.seat,
                "offer": opened.seats[seat.seat - 1].kind,
                "kept_for": opened.seats[seat.seat - 1].player,
                "player": seat.player,
                "name": seat.name,
                "bot": seat.bot,
                "level": seat.ai.level if seat.ai else None,
            }
            for seat in table.seats
        ],
        "to_act": [decision.seat for decision in table.decisions],
        "winners": result.get("winners", []),
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


def page(store: ProjectionStore, status: str, before: str | None, size: int) -> tuple[list[dict[str, Any]], str | None]:
    """Public tables of a status, the newest first, after the cursor `before`; and the cursor of the next page."""
    members = _newest(store, status, before, size + 1)
    rows = _rows(store, [member.partition("|")[2] for member in members[:size]])
    return rows, members[size - 1] if len(members) > size else None


def _newest(store: ProjectionStore, status: str, before: str | None, size: int) -> list[str]:
    with store.log.client.pipeline(transaction=False) as pipe:
        for partition in range(store.log.partitions):
            highest = f"({before}" if before else "+"
            pipe.zrevrangebylex(store.key(partition, status), highest, "-", start=0, num=size)
        found = [member.decode() for members in pipe.execute() for member in members]
    return sorted(found, reverse=True)[:size]


def of_player(store: ProjectionStore, player: str) -> list[dict[str, Any]]:
    """All tables that concern a player, the newest first."""
    return _indexed(store, "by_player", player)


def concerns(store: ProjectionStore, player: str) -> bool:
    """Whether any table concerns the player, private and finished ones too."""
    return bool(_members(store, "by_player", player))


def of_parent(store: ProjectionStore, table: str) -> list[dict[str, Any]]:
    """All branches of a table, the newest first."""
    return _indexed(store, "by_parent", table)


def unfinished_by(store: ProjectionStore, opener: str) -> list[dict[str, Any]]:
    """The tables that a player has opened and that are not finished, the newest first."""
    return _indexed(store, "unfinished", opener)


def disputed_by(store: ProjectionStore, player: str) -> list[str]:
    """The tables at which a player disputes something; there may be some whose seat another holds by now."""
    return _members(store, "disputed", player)


def shown(store: ProjectionStore, tables: Sequence[str]) -> set[str]:
    """Those of the tables that have a row in the lobby by now."""
    return {row["table"] for row in _rows(store, tables)}


def _indexed(store: ProjectionStore, index: str, name: str) -> list[dict[str, Any]]:
    rows = _rows(store, _members(store, index, name))
    return sorted(rows, key=lambda row: (row["opened_at"], row["table"]), reverse=True)


def _members(store: ProjectionStore, index: str, name: str) -> list[str]:
    with store.log.client.pipeline(transaction=False) as pipe:
        for partition in range(store.log.partitions):
            pipe.zrangebylex(store.key(partition, index), f"[{name}|", f"[{name}}}")
        return [member.decode().partition("|")[2] for members in pipe.execute() for member in members]


def unfinished_of(store: ProjectionStore, player: str) -> set[str]:
    """The tables that concern a player and are not finished."""
    return {row["table"] for row in of_player(store, player) if row["status"] != "finished"}


def _rows(store: ProjectionStore, tables: Sequence[str]) -> list[dict[str, Any]]:
    with store.log.client.pipeline(transaction=False) as pipe:
        for table in tables:
            pipe.hget(store.key(store.log.partition(table), "rows"), table)
        return list(_decoded(pipe.execute())) if tables else []


def _decoded(kept: Sequence[bytes | None]) -> Iterator[dict[str, Any]]:
    for row in kept:
        if row is not None:
            yield msgspec.json.decode(row)
