"""The leaderboard: what all partitions have counted of a player in a game, summed, in the order of the standings.

What is counted lies in the partition of each table, as it moves with the checkpoint. A sum over partitions cannot be
written in the same step. So that step marks the row as unsummed, and afterwards the total is worked out anew:
what was there is read first, the shares next, and the new total is written if the old one is still there, so that of
two who work it out nobody writes what he read before the other. The mark goes if the share it stands for is the one
that was read. Killed anywhere, a process leaves a mark, and whoever next follows the feed of that partition goes on.

The total lies in the partition that its own name has. The indexes of all partitions together are the leaderboard: a
page is the first of what each has behind the cursor.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec

from projections.store import HASHES, LAST, Operation, ProjectionStore

MOST = 10**12 - 1  # games won or played: the index is in the order of its letters


class LeaderboardPage(NamedTuple):
    """Which part of the leaderboard to read: at most `size` rows behind the cursor `after`."""

    after: str | None
    size: int


def unsummed(field: str) -> Operation:
    """Marks a row as one whose total is to be worked out anew."""
    return ("ZADD", "unsummed", "0", field)


def all_unsummed(store: ProjectionStore, partition: int) -> list[Operation]:
    """Marks whatever a partition has counted, and whatever totals it holds."""
    return [unsummed(field.decode()) for name in HASHES for field in store.rows(partition, name)]


def sum_up(store: ProjectionStore, partition: int) -> None:
    """Works out the totals of whatever is marked in a partition."""
    for field in store.members(partition, "unsummed"):
        share = _renewed(store, field)[partition]
        store.swap(partition, "rows", field, share, [("ZREM", "unsummed", field)])


def renew_wrong(store: ProjectionStore) -> int:
    """Works out anew the totals that are not what partitions have counted, but for marked ones; returns how many.

    They lie on different servers of a cluster: a failover may lose the one and not the other, and leaves no mark.
    """
    marked = {field for partition in range(store.log.partitions) for field in store.members(partition, "unsummed")}
    wrong = sorted(_wrong(store) - marked)
    for field in wrong:
        _renewed(store, field)
    return len(wrong)


def _wrong(store: ProjectionStore) -> set[str]:
    """Whose total is not what all partitions have counted, or is missing."""
    due, kept = dict[bytes, dict[str, Any]](), dict[bytes, dict[str, Any]]()
    for partition in range(store.log.partitions):
        for field, share in store.rows(partition).items():
            due[field] = _added(due.get(field), msgspec.json.decode(share))
        kept |= {field: msgspec.json.decode(row) for field, row in store.rows(partition, "totals").items()}
    return {field.decode() for field in due.keys() | kept.keys() if due.get(field) != kept.get(field)}


def _renewed(store: ProjectionStore, field: str) -> list[bytes]:
    """Writes a total; gives the shares of which it is made."""
    while True:
        before, shares = store.found("totals", [field])[0] or b"", _shares(store, field)
        if store.swap(store.log.partition(field), "totals", field, before, _changes(field, before, total(shares))):
            return shares


def _changes(field: str, before: bytes, after: Mapping[str, Any] | None) -> list[Operation]:
    removed: list[Operation] = [("ZREM", "leaders", _place(msgspec.json.decode(before)))] if before else []
    if after is None:
        return [*removed, ("HDEL", "totals", field)]
    told = msgspec.json.encode(after).decode()
    return [*removed, ("HSET", "totals", field, told), ("ZADD", "leaders", "0", _place(after))]


def _place(row: Mapping[str, Any]) -> str:
    """By game; most games won first, of them the fewest played."""
    return f"{row['game']}|{MOST - row['won']:012d}|{row['played']:012d}|{row['player']}"


def _shares(store: ProjectionStore, field: str) -> list[bytes]:
    """What each partition has counted; empty where it is nothing."""
    return [row or b"" for row in store.everywhere("hget", "rows", field)]


def total(shares: Sequence[bytes]) -> dict[str, Any] | None:
    """The sum of what partitions have counted; None if nothing is counted."""
    found: dict[str, Any] | None = None
    for share in filter(None, shares):
        found = _added(found, msgspec.json.decode(share))
    return found


def _added(known: Mapping[str, Any] | None, row: dict[str, Any]) -> dict[str, Any]:
    """A row with what was counted before."""
    return row | {name: known[name] + row[name] for name in ("played", "won")} if known else row


def counted(store: ProjectionStore, field: str) -> dict[str, Any] | None:
    """The total as it follows from what all partitions have counted."""
    return total(_shares(store, field))


def of_player(store: ProjectionStore, player: str, games: Iterable[str]) -> list[dict[str, Any]]:
    """A player's totals in these games, or those of an AI level, as far as there are any."""
    return rows(store, [f"{game}|{player}" for game in games])


def rows(store: ProjectionStore, fields: Sequence[str]) -> list[dict[str, Any]]:
    """Totals by game and player, as far as there are any."""
    return [msgspec.json.decode(row) for row in store.found("totals", fields) if row]


def page(store: ProjectionStore, game: str | None, part: LeaderboardPage) -> tuple[list[dict[str, Any]], str | None]:
    """Rows in order, and the cursor of the next page."""
    places = sorted(_first_after(store, f"{game}|" if game else "", LeaderboardPage(part.after, part.size + 1)))
    shown = places[: part.size]
    return rows(store, [_field(place) for place in shown]), shown[-1] if len(places) > part.size else None


def _first_after(store: ProjectionStore, prefix: str, part: LeaderboardPage) -> Iterator[str]:
    """From each partition the first that come after the cursor."""
    least, most = f"({max(part.after or '', prefix)}", f"({prefix}{LAST}"
    for members in store.everywhere("zrangebylex", "leaders", least, most, start=0, num=part.size):
        yield from (member.decode() for member in members)


def _field(place: str) -> str:
    game, _, _, player = place.split("|")
    return f"{game}|{player}"
