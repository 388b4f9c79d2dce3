"""Lists of tables, read from the rows and indexes of the lobby and, for closed tables, from the archive's catalogue."""

import logging
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import msgspec

from projections.catalogue import Catalogue, catalogue_of
from projections.lobby import cursor_after
from projections.store import LAST, ProjectionStore

SORTED_BY = {"opened_at", "table"}
MOST_BEHIND = 100_000  # batches of a partition that the lobby does not tell of
OF_CLOSED = ("finished", "by_player", "by_parent")  # the indexes that have archived tables

log = logging.getLogger(__name__)


class LobbyPage(NamedTuple):
    """Which part of a list to read, from the newest on: at most `size` tables, behind the cursor `before`."""

    before: str | None
    size: int


class Span(NamedTuple):
    """When tables were opened: from `since` on and before `until`; None: whenever."""

    since: str | None = None
    until: str | None = None


EVER = Span()


def count(store: ProjectionStore, status: str, span: Span = EVER) -> int:
    """How many public tables of a status there are."""
    return _count(store, status, "", span)


def count_of_player(store: ProjectionStore, player: str, span: Span = EVER) -> int:
    """How many tables concern a player."""
    return _count(store, "by_player", f"{player}|", span)


def _count(store: ProjectionStore, index: str, prefix: str, span: Span) -> int:
    least = f"{prefix}{cursor_after(span.since) if span.since else ''}"
    most = f"{prefix}{cursor_after(span.until) if span.until else LAST}"
    here: int = sum(store.everywhere("zlexcount", index, f"[{least}", f"({most}"))
    archived = _archived(store, index)
    return here + (archived.count(index, least, most) if archived else 0)


def _archived(store: ProjectionStore, index: str) -> Catalogue | None:
    """Where the archived members of an index are found; None for an index that has none."""
    return catalogue_of(store.log) if index in OF_CLOSED else None


def page(store: ProjectionStore, status: str, part: LobbyPage) -> tuple[list[dict[str, Any]], str | None]:
    """Public tables of a status, the newest first, and the cursor of the next page."""
    rows, following = _shown(store, *_page(store, status, "", part))
    return [row for row in rows if row["status"] == status], following


def of_player(store: ProjectionStore, player: str, part: LobbyPage) -> tuple[list[dict[str, Any]], str | None]:
    """The tables that concern a player, the newest first, and the cursor of the next page."""
    return _shown(store, *_page(store, "by_player", f"{player}|", part))


def of_parent(store: ProjectionStore, table: str, part: LobbyPage) -> tuple[list[dict[str, Any]], str | None]:
    """The branches of a table, the newest first, and the cursor of the next page."""
    return _shown(store, *_page(store, "by_parent", f"{table}|", part))


def rows_seated(store: ProjectionStore, player: str, part: LobbyPage) -> tuple[list[dict[str, Any]], str | None]:
    """The unfinished tables at which a player sits, as the lobby shows them, and the cursor of the next page."""
    return _shown(store, *seated(store, player, part))


def seated(store: ProjectionStore, player: str, part: LobbyPage) -> tuple[list[str], str | None]:
    """The unfinished tables at which a player sits, the newest first, and the cursor of the next page."""
    return _page(store, "seated", f"{player}|", part)


def all_seated(store: ProjectionStore, player: str) -> set[str]:
    """All unfinished tables at which a player sits."""
    return {member.rpartition("|")[2] for member in _members(store, "seated", player)}


def not_shown_yet(store: ProjectionStore) -> set[str]:
    """The tables of whose last batches the lobby tells nothing yet: asked before a list, none is in neither."""
    behind = store.log.feeds(store.positions(), MOST_BEHIND)
    return {pointer.table for pointers in behind.values() for pointer in pointers}


def concerns(store: ProjectionStore, player: str) -> bool:
    """Whether any table concerns the player, private and finished ones too."""
    return bool(_newest(store, "by_player", f"{player}|", LobbyPage(None, 1)))


def _page(store: ProjectionStore, index: str, prefix: str, part: LobbyPage) -> tuple[list[str], str | None]:
    members = _newest(store, index, prefix, LobbyPage(part.before, part.size + 1))
    tables = [member.partition("|")[2] for member in members[: part.size]]
    return tables, members[part.size - 1] if len(members) > part.size else None


def _shown(store: ProjectionStore, tables: Sequence[str], following: str | None) -> tuple[list[Any], str | None]:
    return _rows(store, tables), following


def _newest(store: ProjectionStore, index: str, prefix: str, part: LobbyPage) -> list[str]:
    """The members of an index behind a prefix, without it: a time and a table, the newest first."""
    highest = f"{prefix}{part.before or LAST}"
    answers = store.everywhere("zrevrangebylex", index, f"({highest}", f"[{prefix}", start=0, num=part.size)
    found = {_text(member) for members in answers for member in members}
    if archived := _archived(store, index):  # asked behind the store: what leaves the store is in the catalogue before
        found.update(archived.page(index, prefix, highest, part.size))
    return sorted((member.removeprefix(prefix) for member in found), reverse=True)[: part.size]


def unfinished_by(store: ProjectionStore, opener: str) -> list[dict[str, Any]]:
    """The tables that a player has opened and that are not finished, the newest first."""
    return _indexed(store, "unfinished", opener)


def disputed_by(store: ProjectionStore, player: str) -> list[str]:
    """The tables at which a player disputes something; there may be some whose seat another holds by now."""
    return _members(store, "disputed", player)


def disputed(store: ProjectionStore) -> list[str]:
    """All tables at which a dispute is open."""
    answers = store.everywhere("zrange", "disputed", 0, -1)
    return sorted({_text(member).partition("|")[2] for members in answers for member in members})


def _indexed(store: ProjectionStore, index: str, name: str) -> list[dict[str, Any]]:
    rows = _rows(store, _members(store, index, name))
    return sorted(rows, key=lambda row: (row["opened_at"], row["table"]), reverse=True)


def _members(store: ProjectionStore, index: str, name: str) -> list[str]:
    answers = store.everywhere("zrangebylex", index, f"[{name}|", f"[{name}}}")
    return [_text(member).partition("|")[2] for members in answers for member in members]


def _rows(store: ProjectionStore, tables: Sequence[str]) -> list[dict[str, Any]]:
    kept = zip(tables, store.found("rows", tables), strict=True)
    found = dict(_whole(kept))
    missing = [table for table in tables if table not in found]
    if missing and (archived := catalogue_of(store.log)):
        found |= {table: facts.row for table, facts in archived.facts(_archived_among(store, missing)).items()}
    return [found[table] for table in tables if table in found]


def _archived_among(store: ProjectionStore, tables: Sequence[str]) -> list[str]:
    """The tables that are archived: a segment also lists such as a part of the store that went back knows otherwise."""
    return [table for table, place in zip(tables, store.log.places(tables), strict=True) if place]


def _whole(kept: Iterable[tuple[str, bytes | None]]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Tables with what their rows tell; a damaged row is left out, so that one table keeps nobody from the others."""
    for table, row in kept:
        told = _told(row) if row else None
        if told and told["table"] == table:
            yield table, told
        elif row:
            log.critical("the lobby's row of %s is damaged and in no list; `wintercount rebuild` makes it anew", table)


def _told(row: bytes) -> dict[str, Any] | None:
    """What a row tells; None if it is damaged."""
    try:
        found: dict[str, Any] = msgspec.json.decode(row, type=dict[str, Any])
    except msgspec.DecodeError:
        return None
    return found if found.keys() >= SORTED_BY else None


def _text(member: bytes) -> str:
    """A member of an index; one that is damaged names no table, so that it is in no list."""
    return member.decode(errors="replace")


def closed(store: ProjectionStore, until_ms: int, ahead_ms: int, most: int) -> list[str]:
    """The tables that closed at a time or before, or after `ahead_ms`, and are in the store, oldest first.

    As many of each partition are looked at, in the order in which they were applied.
    """
    until, ahead = f"{until_ms + 1:015d}|", f"{ahead_ms + 1:015d}|"
    answers = store.everywhere("zrange", "closed", 0, most - 1)
    told = (_text(member) for found in answers for member in found)
    members = sorted(member for member in told if not until <= member < ahead)
    return [member.partition("|")[2] for member in members[:most]]


class ClosedTables(NamedTuple):
    """The tables of a partition that closed behind a position of its feed: the index's members, and the last position.

    `holds` is whether a member that is known is there still.
    """

    holds: bool
    members: list[str]
    position: int


def closed_since(store: ProjectionStore, known: Sequence[tuple[int, str]]) -> list[ClosedTables]:
    """What closed in each partition behind a position, with a member that is known there; in one trip."""
    with store.log.client.pipeline(transaction=False) as pipe:
        for partition, (position, member) in enumerate(known):
            key = store.key(partition, "closed")
            pipe.zscore(key, member)
            pipe.zrange(key, f"({position}", "+inf", byscore=True, withscores=True)
        answers = pipe.execute()
    return [_closed_tables(*answers[at : at + 2]) for at in range(0, len(answers), 2)]


def _closed_tables(score: float | None, found: Sequence[tuple[bytes, float]]) -> ClosedTables:
    return ClosedTables(score is not None, [_text(member) for member, _ in found], int(found[-1][1]) if found else 0)
