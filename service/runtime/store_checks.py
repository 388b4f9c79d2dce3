"""Checks what a store keeps beside a table's events: answered requests, feed, due entries and projections' rows."""

import time
from collections.abc import Iterator, Mapping

import msgspec

from events.canonical import canonical
from events.log import LONGEST_LEASE, LogUnreadable, Pointer, Span
from events.store import RedisLog
from projections import leaderboard, lobby, standings
from projections.catalogue import catalogue_of
from projections.dues import BETWEEN, DueEntry, dues
from projections.history import Histories, History
from projections.store import Checkpoint, Operation, ProjectionStore, current
from projections.table import Table
from projections.table_facts import Facts
from worker.dispatch import LEASE_MS

# What was projected before there were any is in none of these.
LATER = tuple(("ZADD", index) for index in (*lobby.OF_QUOTAS, "closed"))
LATEST_MS = 2 * LONGEST_LEASE * LEASE_MS  # an entry that is being looked at is due before; twice the longest lease


class GoneOn(Exception):
    """Somebody went on while it was looked at: at the table, or with the rows of its partition."""


def beside_faults(log: RedisLog, history: History) -> list[str]:
    """Whatever does not match the table's events; rows that are not projected yet are no fault. Raises `GoneOn`."""
    table = history.table
    place = log.places([table.id])[0]
    found = list((_faults_of_archived if place else _faults_of_kept)(log, history))
    if log.head(table.id) != table.head or log.places([table.id])[0] != place:
        raise GoneOn
    return found


def _faults_of_archived(log: RedisLog, history: History) -> Iterator[str]:
    pointers = _pointers(log, history.table)
    yield from _archive_faults(log, history)
    if _hash(log, history):  # they go a day after the table closed, all at once
        yield from _request_faults(log, history)
    yield from _feed_faults(history, pointers)
    yield from _due_faults(log, history.table)
    yield from _standings_faults(current(log, standings.NAME), history, pointers)


def _faults_of_kept(log: RedisLog, history: History) -> Iterator[str]:
    pointers = _pointers(log, history.table)
    yield from _request_faults(log, history)
    yield from _feed_faults(history, pointers)
    yield from _due_faults(log, history.table)
    yield from _lobby_faults(current(log, lobby.NAME), history, pointers)
    yield from _standings_faults(current(log, standings.NAME), history, pointers)


def _pointers(log: RedisLog, table: Table) -> list[Pointer]:
    """What the feed tells of the table."""
    return [pointer for pointer in log.whole_feed(log.partition(table.id)) if pointer.table == table.id]


def _spans(history: History) -> list[tuple[str, Span]]:
    """Each batch: its request, and its first and last version."""
    firsts = (event.envelope for event in history.events if event.version == event.envelope.batch[0])
    return [(str(envelope.request), Span(*envelope.batch)) for envelope in firsts]


def _request_faults(log: RedisLog, history: History) -> Iterator[str]:
    """Each request names its batch and no other; the fingerprint cannot be checked, as nobody keeps the body."""
    kept = {name.decode(): value.decode() for name, value in _hash(log, history).items()}
    spans = dict(_spans(history))
    for name, span in spans.items():
        value = kept.pop(name, None)
        if value is None or value.rsplit(":", 2)[1:] != [str(span.first), str(span.last)]:
            yield f"version {span.first}: the store keeps its request as {value!r}"
    yield from (f"the store keeps a request {name!r} that led to no event" for name in sorted(kept))


def _archive_faults(log: RedisLog, history: History) -> Iterator[str]:
    """The catalogue tells of an archived table what its events lead to."""
    catalogue, name = catalogue_of(log), history.table.id
    listed = catalogue.facts([name]).get(name) if catalogue else None
    if listed is None or canonical(listed) != canonical(_as_told(lobby.facts_of(history.table), listed)):
        yield "the list of its segment is not what its events lead to"


def _as_told(facts: Facts, listed: Facts) -> Facts:
    """The facts without what lists of earlier releases do not tell."""
    row = {name: value for name, value in facts.row.items() if name in listed.row}
    if row.get("result") and listed.row["result"]:
        row["result"] = {name: value for name, value in row["result"].items() if name in listed.row["result"]}
    return msgspec.structs.replace(facts, row=row)


def _hash(log: RedisLog, history: History) -> Mapping[bytes, bytes]:
    found: dict[bytes, bytes] = log.client.hgetall(log.table_key(history.table.id, "requests"))
    return found


def _feed_faults(history: History, pointers: list[Pointer]) -> Iterator[str]:
    """A pointer for each batch, in order, with the hash of its last event; those of earlier releases have none."""
    told = [(pointer.first, pointer.last) for pointer in pointers]
    want = [(span.first, span.last) for _, span in _spans(history)]
    if told[: len(want)] != want:  # what was written meanwhile stands behind
        number = next((n for n, pair in enumerate(want) if told[n : n + 1] != [pair]))
        yield f"version {want[number][0]}: the feed does not tell of it, or not in its place"
        return
    for pointer in pointers[: len(want)]:
        if pointer.hash not in (b"", history.events[pointer.last - 1].hash):
            yield f"version {pointer.last}: the feed tells of another event"


def _due_faults(log: RedisLog, table: Table) -> Iterator[str]:
    """Every due entry is there, at its time or leased for a while, and no other.

    That a bot was told is settled, and turns that a dispute holds up are due anew when it is resolved.
    """
    partition, want = log.partition(table.id), dues(table)
    kept = _kept_as_due(log, partition, table.id)
    for member in want:
        if member not in kept and not table.disputed and DueEntry.read(member).kind != "hook":
            yield f"{member} is due and is not kept so"
    now_ms = time.time_ns() // 1_000_000
    for member, at_ms in kept.items():
        if member not in want:
            yield f"{member} is kept as due and is not"
        elif not _is_in_time(DueEntry.read(member), want[member], at_ms, now_ms):
            yield f"{member} is kept as due at another time"


def _is_in_time(entry: DueEntry, told_ms: int, at_ms: int, now_ms: int) -> bool:
    """Whether an entry is kept at the time that its table tells, or leased since.

    Where that is no deadline, a clock may have told it that ran ahead: who leased the entry then kept it until later,
    and who found it so has let it be due at once.
    """
    if entry.ends_ms:
        return told_ms <= at_ms <= max(told_ms, now_ms + LATEST_MS)
    return at_ms <= max(told_ms, now_ms) + LATEST_MS


def _kept_as_due(log: RedisLog, partition: int, table: str) -> dict[str, int]:
    """The due entries of a table, and when each is due."""
    return {due.member: due.at_ms for due in log.due(partition) if due.member.startswith(table + BETWEEN)}


def _lobby_faults(store: ProjectionStore, history: History, pointers: list[Pointer]) -> Iterator[str]:
    """The rows that the projection of its last batch writes are there, and those that it removes are not."""
    partition = store.log.partition(history.table.id)
    checkpoint = store.checkpoint(partition)
    upto, version = checkpoint.position, history.table.version
    seen = [pointer for pointer in pointers if pointer.position <= upto and pointer.last <= version]
    if seen:
        operations = lobby.operations(history.at(seen[-1].last), store, partition, seen[-1].first)
        missing = [_missing(one) for one in operations if _is_missing(store, partition, one)]
        _check_stands(store, partition, checkpoint)
        yield from missing
    elif store.row(partition, history.table.id) is not None:
        yield "the lobby has a row of it that no projection has written"


def _check_stands(store: ProjectionStore, partition: int, checkpoint: Checkpoint) -> None:
    """Raises `GoneOn` if the rows of a partition are not those of this checkpoint any more."""
    if store.checkpoint(partition) != checkpoint:
        raise GoneOn


def _is_missing(store: ProjectionStore, partition: int, operation: Operation) -> bool:
    return operation[:2] not in LATER and not _is_done(store, partition, operation)


def _is_done(store: ProjectionStore, partition: int, operation: Operation) -> bool:
    command, name, *rest = operation
    key, client = store.key(partition, name), store.log.client
    if command == "HSET":
        kept = client.hget(key, rest[0])  # its fields stand in the order in which whoever wrote it knew them
        return bool(kept and msgspec.json.decode(kept) == msgspec.json.decode(rest[1]))
    score = client.zscore(key, rest[-1])
    return score is None if command == "ZREM" else score == float(rest[0])


def _missing(operation: Operation) -> str:
    return f"the lobby's {operation[1]!r} are not what the table's events lead to; rebuild it"


def _standings_faults(store: ProjectionStore, history: History, pointers: list[Pointer]) -> Iterator[str]:
    """The rows of those who sit here, counted again over all tables of the partition that the projection has seen."""
    partition, table = store.log.partition(history.table.id), history.table
    checkpoint = store.checkpoint(partition)
    if _is_lost(store, partition, checkpoint):
        yield "the standings have rows that no projection has written; rebuild them"
    if not table.in_standings or not _is_seen(table.ended, pointers, checkpoint.position):
        return
    facts = lobby.facts_of(table)
    fields = sorted({standings.field_of(facts, seat) for seat in facts.row["seats"]})
    kept = {field: store.row(partition, field) for field in fields}
    _check_stands(store, partition, checkpoint)
    counted = _counted(store, partition, checkpoint.position)
    for field in fields:
        if canonical(kept[field]) != canonical(counted.get(field)):
            yield f"the standings of {field!r} are not what the tables lead to; rebuild them"
        yield from _total_faults(store, field)


def _is_lost(store: ProjectionStore, partition: int, checkpoint: Checkpoint) -> bool:
    """Whether there are rows of a partition, and no place in its feed at which they stand."""
    return bool(not checkpoint.position and store.rows(partition) and store.checkpoint(partition) == checkpoint)


def _total_faults(store: ProjectionStore, field: str) -> Iterator[str]:
    """The total is the sum of what all partitions have counted, unless one of them has still to be added."""
    rows, counted = leaderboard.rows(store, [field]), leaderboard.counted(store, field)
    waits = any(field in store.members(partition, "unsummed") for partition in range(store.log.partitions))
    if rows != [counted] and not waits:
        yield f"the total of {field!r} is not what the partitions have counted; rebuild the standings"


def _is_seen(version: int | None, pointers: list[Pointer], upto: int) -> bool:
    """Whether the projection has come by a version of the table."""
    if version is None:
        return False
    return any(pointer.first <= version <= pointer.last and pointer.position <= upto for pointer in pointers)


def _readable(histories: Histories, table: str) -> History | None:
    """A table that can be read; the projections pass over others too."""
    try:
        return histories.fresh(table)
    except LogUnreadable:
        return None


def _counted(store: ProjectionStore, partition: int, checkpoint: int) -> dict[str, standings.Row]:
    rows: dict[str, standings.Row] = {}
    histories = Histories(store.log)
    for pointer in store.log.whole_feed(partition):
        if pointer.position > checkpoint:
            break
        history = histories.known(pointer.table) or _readable(histories, pointer.table)
        if history and history.table.ended and pointer.first <= history.table.ended <= pointer.last:
            rows |= standings.counts(lobby.facts_of(history.at(pointer.last)), rows.get)
    return rows
