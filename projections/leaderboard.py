"""The leaderboard: the counts of a player and game in all partitions, summed and ordered.

Counts are in the partition of each table, where they move with the checkpoint. A sum over partitions cannot be written
in the same step. So that step marks the row as unsummed, and the total is computed afterwards: from the old total and
then the counts, and it is written if the old total is unchanged. The mark is removed if the partition's count is the
one that was read. A killed process leaves the mark, and the next one goes on.

A total is in the partition of its own name. A page of the leaderboard merges the indexes of all partitions.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec

from projections.store import HASHES, LAST, Operation, ProjectionStore

MOST = 10**12 - 1  # games won or played: the index is in lexical order


class LeaderboardPage(NamedTuple):
    """Which part of the leaderboard to read: at most `size` rows after the cursor `after`."""

    after: str | None
    size: int


def unsummed(field: str) -> Operation:
    """Marks a row whose total has to be computed again."""
    return ("ZADD", "unsummed", "0", field)


def all_unsummed(store: ProjectionStore, partition: int) -> list[Operation]:
    """Marks all counts and totals of a partition."""
    return [unsummed(field.decode()) for name in HASHES for field in store.rows(partition, name)]


def sum_up(store: ProjectionStore, partition: int) -> None:
    """Computes the totals of marked rows of a partition."""
    for field in store.members(partition, "unsummed"):
        share = _write_total(store, field)[partition]
        store.swap(partition, "rows", field, share, [("ZREM", "unsummed", field)])


def renew_wrong(store: ProjectionStore) -> int:
    """Computes wrong totals again, except marked ones; returns how many.

    Totals and counts are on different servers of a cluster: a failover may lose only one of them, and leaves no mark.
    """
    marked = {field for partition in range(store.log.partitions) for field in store.members(partition, "unsummed")}
    wrong = sorted(_wrong(store) - marked)
    for field in wrong:
        _write_total(store, field)
    return len(wrong)


def _wrong(store: ProjectionStore) -> set[str]:
    """Returns the rows whose total is missing or not the sum of the counts."""
    due, kept = dict[bytes, dict[str, Any]](), dict[bytes, dict[str, Any]]()
    for partition in range(store.log.partitions):
        for field, share in store.rows(partition).items():
            due[field] = _added(due.get(field), msgspec.json.decode(share))
        kept |= {field: msgspec.json.decode(row) for field, row in store.rows(partition, "totals").items()}
    return {field.decode() for field in due.keys() | kept.keys() if due.get(field) != kept.get(field)}


def _write_total(store: ProjectionStore, field: str) -> list[bytes]:
    """Writes a total; returns the counts of which it is the sum."""
    while True:
        before, shares = store.found("totals", [field])[0] or b"", _shares(store, field)
        if store.swap(store.log.partition(field), "totals", field, before, _changes(field, before, total(shares))):
            return shares


def _changes(field: str, before: bytes, after: Mapping[str, Any] | None) -> list[Operation]:
    removed: list[Operation] = [("ZREM", "leaders", _place(msgspec.json.decode(before)))] if before else []
    if after is None:
        return [*removed, ("HDEL", "totals", field)]
    row = msgspec.json.encode(after).decode()
    return [*removed, ("HSET", "totals", field, row), ("ZADD", "leaders", "0", _place(after))]


def _place(row: Mapping[str, Any]) -> str:
    """Returns the member of the index: by game, most games won first, among them the fewest played."""
    return f"{row['game']}|{MOST - row['won']:012d}|{row['played']:012d}|{row['player']}"


def _shares(store: ProjectionStore, field: str) -> list[bytes]:
    """Returns the count of each partition; empty for none."""
    return [row or b"" for row in store.everywhere("hget", "rows", field)]


def total(shares: Sequence[bytes]) -> dict[str, Any] | None:
    """Returns the sum of counts; None if there are none."""
    found: dict[str, Any] | None = None
    for share in filter(None, shares):
        found = _added(found, msgspec.json.decode(share))
    return found


def _added(known: Mapping[str, Any] | None, row: dict[str, Any]) -> dict[str, Any]:
    """Returns a row plus an earlier one."""
    return row | {name: known[name] + row[name] for name in ("played", "won")} if known else row


def of_player(store: ProjectionStore, player: str, games: Iterable[str]) -> list[dict[str, Any]]:
    """Returns the totals of a player or an AI level in these games, as far as there are any."""
    return rows(store, [f"{game}|{player}" for game in games])


def rows(store: ProjectionStore, fields: Sequence[str]) -> list[dict[str, Any]]:
    """Returns totals by game and player, as far as there are any."""
    return [msgspec.json.decode(row) for row in store.found("totals", fields) if row]


def page(store: ProjectionStore, game: str | None, part: LeaderboardPage) -> tuple[list[dict[str, Any]], str | None]:
    """Returns rows in order, and the cursor of the next page."""
    places = sorted(_first_after(store, f"{game}|" if game else "", LeaderboardPage(part.after, part.size + 1)))
    shown = places[: part.size]
    return rows(store, [_field(place) for place in shown]), shown[-1] if len(places) > part.size else None


def _first_after(store: ProjectionStore, prefix: str, part: LeaderboardPage) -> Iterator[str]:
    """Yields the first members of each partition after the cursor."""
    least, most = f"({max(part.after or '', prefix)}", f"({prefix}{LAST}"
    for members in store.everywhere("zrangebylex", "leaders", least, most, start=0, num=part.size):
        yield from (member.decode() for member in members)


def _field(place: str) -> str:
    game, _, _, player = place.split("|")
    return f"{game}|{player}"
