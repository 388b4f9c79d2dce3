"""Lists of tables from the lobby's rows and indexes, and from the archive's catalogue for closed tables."""

import logging
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import Any, NamedTuple

import msgspec

from projections.archived_tables import Catalogue, catalogue_of
from projections.lobby_rows import cursor_after
from projections.store import LAST, ProjectionStore

SORTED_BY = {"opened_at", "id"}
MOST_BEHIND = 100_000  # batches of a partition that the lobby may lag behind
OF_CLOSED = ("finished", "by_player", "by_parent")  # the indexes that have archived tables

log = logging.getLogger(__name__)


class LobbyPage(NamedTuple):
    """Which part of a list to read: at most `size` tables after the cursor `before`, the newest first."""

    before: str | None
    size: int


class TimeRange(NamedTuple):
    """The times from `since` up to but without `until`; None is unbounded."""

    since: str | None = None
    until: str | None = None


EVER = TimeRange()


def count(store: ProjectionStore, status: str, opened: TimeRange = EVER) -> int:
    """Returns the number of public tables of a status."""
    return _count(store, status, "", opened)


def count_of_player(store: ProjectionStore, player: str, opened: TimeRange = EVER) -> int:
    """Returns the number of tables that concern a player."""
    return _count(store, "by_player", f"{player}|", opened)


def _count(store: ProjectionStore, index: str, prefix: str, opened: TimeRange) -> int:
    least = f"{prefix}{cursor_after(opened.since) if opened.since else ''}"
    most = f"{prefix}{cursor_after(opened.until) if opened.until else LAST}"
    here: int = sum(store.everywhere("zlexcount", index, f"[{least}", f"({most}"))
    archived = _archived(store, index)
    return here + (archived.count(index, least, most) if archived else 0)


def _archived(store: ProjectionStore, index: str) -> Catalogue | None:
    """Returns the catalogue for an index that has archived tables."""
    return catalogue_of(store.log) if index in OF_CLOSED else None


def page(store: ProjectionStore, status: str, part: LobbyPage) -> tuple[list[dict[str, Any]], str | None]:
    """Returns public tables of a status, the newest first, and the cursor of the next page."""
    rows, following = _listed(store, status, "", part)
    return [row for row in rows if row["status"] == status], following


def of_player(store: ProjectionStore, player: str, part: LobbyPage) -> tuple[list[dict[str, Any]], str | None]:
    """Returns the tables that concern a player, the newest first, and the cursor of the next page."""
    return _listed(store, "by_player", f"{player}|", part)


def of_parent(store: ProjectionStore, table: str, part: LobbyPage) -> tuple[list[dict[str, Any]], str | None]:
    """Returns the branches of a table, the newest first, and the cursor of the next page."""
    return _listed(store, "by_parent", f"{table}|", part)


def rows_seated(store: ProjectionStore, player: str, part: LobbyPage) -> tuple[list[dict[str, Any]], str | None]:
    """Returns the rows of the unfinished tables at which a player sits, and the cursor of the next page."""
    return _listed(store, "seated", f"{player}|", part)


def seated(store: ProjectionStore, player: str, part: LobbyPage) -> tuple[list[str], str | None]:
    """Returns the unfinished tables at which a player sits, the newest first, and the cursor of the next page."""
    return _page(store, "seated", f"{player}|", part)


def all_seated(store: ProjectionStore, player: str) -> set[str]:
    """Returns all unfinished tables at which a player sits."""
    return {member.rpartition("|")[2] for member in _members(store, "seated", player)}


def not_shown_yet(store: ProjectionStore) -> set[str]:
    """Returns the tables whose last batches the lobby does not have yet; ask before a list to miss none."""
    behind = store.log.feeds(store.positions(), MOST_BEHIND)
    return {pointer.table for pointers in behind.values() for pointer in pointers}


def concerns(store: ProjectionStore, player: str) -> bool:
    """Whether any table concerns the player, also a private or finished one."""
    return bool(_newest(store, "by_player", f"{player}|", LobbyPage(None, 1)))


def _page(store: ProjectionStore, index: str, prefix: str, part: LobbyPage) -> tuple[list[str], str | None]:
    members = _newest(store, index, prefix, LobbyPage(part.before, part.size + 1))
    tables = [member.partition("|")[2] for member in members[: part.size]]
    return tables, members[part.size - 1] if len(members) > part.size else None


def _listed(store: ProjectionStore, index: str, prefix: str, part: LobbyPage) -> tuple[list[Any], str | None]:
    tables, following = _page(store, index, prefix, part)
    return _rows(store, tables), following


def _newest(store: ProjectionStore, index: str, prefix: str, part: LobbyPage) -> list[str]:
    """Returns the members of an index with a prefix, without it (time and table), the newest first."""
    highest = f"{prefix}{part.before or LAST}"
    found = set(_answered(store, "zrevrangebylex", index, f"({highest}", f"[{prefix}", start=0, num=part.size))
    if archived := _archived(store, index):  # after the store: a table is in the catalogue before it leaves the store
        found.update(archived.page(index, prefix, highest, part.size))
    return sorted((member.removeprefix(prefix) for member in found), reverse=True)[: part.size]


def unfinished_by(store: ProjectionStore, opener: str) -> list[dict[str, Any]]:
    """Returns the unfinished tables that a player has opened."""
    return _rows(store, _members(store, "unfinished", opener))


def disputed_by(store: ProjectionStore, player: str) -> list[str]:
    """Returns the tables at which a player has an open dispute; another may hold the seat by now."""
    return _members(store, "disputed", player)


def disputed(store: ProjectionStore) -> list[str]:
    """Returns all tables with an open dispute."""
    return sorted({member.partition("|")[2] for member in _answered(store, "zrange", "disputed", 0, -1)})


def _members(store: ProjectionStore, index: str, name: str) -> list[str]:
    return [member.partition("|")[2] for member in _answered(store, "zrangebylex", index, f"[{name}|", f"[{name}}}")]


def _answered(store: ProjectionStore, command: str, index: str, *arguments: Any, **options: Any) -> Iterator[str]:
    """Yields the members of an index with which all partitions answer."""
    return map(_text, chain.from_iterable(store.everywhere(command, index, *arguments, **options)))


def _rows(store: ProjectionStore, tables: Sequence[str]) -> list[dict[str, Any]]:
    kept = zip(tables, store.found("rows", tables), strict=True)
    found = dict(_whole(kept))
    missing = [table for table in tables if table not in found]
    if missing and (archived := catalogue_of(store.log)):
        found |= {table: facts.row for table, facts in archived.facts(_archived_among(store, missing)).items()}
    return [found[table] for table in tables if table in found]


def _archived_among(store: ProjectionStore, tables: Sequence[str]) -> list[str]:
    """Returns the tables that are archived: segments also list tables that a restored store has in another state."""
    return [table for table, place in zip(tables, store.log.places(tables), strict=True) if place]


def _whole(kept: Iterable[tuple[str, bytes | None]]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yields tables with their rows; a damaged row is logged and left out, so that the others are listed."""
    for table, row in kept:
        found = _decoded(row) if row else None
        if found and found["id"] == table:
            yield table, found
        elif row:
            log.critical(
                "the lobby's row of %s is damaged and in no list; `wintercount rebuild` builds it again", table
            )


def _decoded(row: bytes) -> dict[str, Any] | None:
    """Decodes a row; returns None if it is damaged."""
    try:
        found: dict[str, Any] = msgspec.json.decode(row, type=dict[str, Any])
    except msgspec.DecodeError:
        return None
    return found if found.keys() >= SORTED_BY else None


def _text(member: bytes) -> str:
    """Decodes a member of an index; a damaged one names no table, so that it is in no list."""
    return member.decode(errors="replace")


def closed(store: ProjectionStore, until_ms: int, ahead_ms: int, most: int) -> list[str]:
    """Returns the tables in the store that closed up to a time, or after `ahead_ms`, the oldest first.

    Looks at `most` of each partition, in the order in which they were applied.
    """
    until, ahead = f"{until_ms + 1:015d}|", f"{ahead_ms + 1:015d}|"
    found = _answered(store, "zrange", "closed", 0, most - 1)
    members = sorted(member for member in found if not until <= member < ahead)
    return [member.partition("|")[2] for member in members[:most]]


class ClosedTables(NamedTuple):
    """The tables of a partition that closed after a position of its feed: their members, and the last position.

    `holds` is whether a known member is still there.
    """

    holds: bool
    members: list[str]
    position: int


def closed_since(store: ProjectionStore, known: Sequence[tuple[int, str]]) -> list[ClosedTables]:
    """Returns what closed in each partition after a position with a known member, in one trip."""
    with store.log.client.pipeline(transaction=False) as pipe:
        for partition, (position, member) in enumerate(known):
            key = store.key(partition, "closed")
            pipe.zscore(key, member)
            pipe.zrange(key, f"({position}", "+inf", byscore=True, withscores=True)
        answers = pipe.execute()
    return [_closed_tables(*answers[at : at + 2]) for at in range(0, len(answers), 2)]


def _closed_tables(score: float | None, found: Sequence[tuple[bytes, float]]) -> ClosedTables:
    return ClosedTables(score is not None, [_text(member) for member, _ in found], int(found[-1][1]) if found else 0)
