"""Checks what a store keeps beside a table's events: answered requests, feed and due entries."""

import time
from collections.abc import Iterator, Mapping

from events.log import LONGEST_LEASE, Pointer, Span
from events.store import RedisLog
from projections.dues import BETWEEN, DueEntry, dues
from projections.history import History
from projections.table import Table
from worker.dispatch import LEASE_MS

LATEST_MS = 2 * LONGEST_LEASE * LEASE_MS  # an entry that is being looked at is due before; twice the longest lease


class GoneOn(Exception):
    """Somebody went on while it was looked at: at the table, or with the rows of its partition."""


def beside_faults(log: RedisLog, history: History) -> list[str]:
    """Whatever does not match the table's events; what the projections make of them is left out. Raises `GoneOn`."""
    table = history.table
    place = log.places([table.id])[0]
    pointers = _pointers(log, table)
    found = [] if place and not _hash(log, history) else list(_request_faults(log, history))  # they go after a day
    found += [*_feed_faults(history, pointers), *_due_faults(log, table)]
    if log.head(table.id) != table.head or log.places([table.id])[0] != place:
        raise GoneOn
    return found


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


def _hash(log: RedisLog, history: History) -> Mapping[bytes, bytes]:
    found: dict[bytes, bytes] = log.client.hgetall(log.table_key(history.table.id, "requests"))
    return found


def _feed_faults(history: History, pointers: list[Pointer]) -> Iterator[str]:
    """A pointer for each batch, in order, with the hash of its last event."""
    told = [(pointer.first, pointer.last) for pointer in pointers]
    want = [(span.first, span.last) for _, span in _spans(history)]
    if told[: len(want)] != want:  # what was written meanwhile stands behind
        number = next((n for n, pair in enumerate(want) if told[n : n + 1] != [pair]))
        yield f"version {want[number][0]}: the feed does not tell of it, or not in its place"
        return
    for pointer in pointers[: len(want)]:
        if pointer.hash != history.events[pointer.last - 1].hash:
            yield f"version {pointer.last}: the feed tells of another event"


def _due_faults(log: RedisLog, table: Table) -> Iterator[str]:
    """Every due entry is there, at its time or leased for a while, and no other.

    A bot is told only if it listens, and once; turns that a dispute holds up are due anew when it is resolved.
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
        elif not _is_in_time(DueEntry.read(member), want[member].at_ms, at_ms, now_ms):
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
