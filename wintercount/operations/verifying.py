"""`wintercount verify`: whether a table's record is right. It fails closed: what cannot be checked is not a success."""

import contextlib
import math
import time
from collections.abc import Callable, Iterator, Mapping
from enum import IntEnum
from itertools import islice
from pathlib import Path
from typing import NamedTuple, TypeVar

from redis.exceptions import ResponseError

from events.chain import GENESIS
from events.failures import place_of
from events.log import LONGEST_LEASE, LogDamaged, LogUnreadable, Pointer, VersionRange
from events.recorded import Head, Recorded, chain_faults
from events.store import RedisLog, is_wrong_type
from events.verify import archive_faults
from games.kernel import OptionsRefused
from projections.folding import FAULTS
from projections.history import TableHistory
from projections.table import Table
from projections.timers import SEPARATOR, TimerName, timers
from rulings.archive_file import ArchiveRefused, NotCheckable, lines_in, open_archive, replay_archive
from rulings.replay import Report
from service.stores import log_at
from service.tables.audit import MOST_FAULTS, origin_faults, seed_faults
from service.tables.rerun import Reruns
from wintercount.operations.records import NoTable, Source, divergence_lines, from_file, kept_in
from worker.dispatch import LEASE_MS
from worker.explaining import SAMPLE_COST, SAMPLED, Sample, sample
from worker.thinking import think_here

LATEST_MS = 2 * LONGEST_LEASE * LEASE_MS  # an entry that is being looked at is due before; twice the longest lease


class GoneOn(Exception):
    """Somebody went on while it was looked at: at the table, or with the rows of its partition."""


def beside_faults(log: RedisLog, history: TableHistory) -> list[str]:
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


def _spans(history: TableHistory) -> list[tuple[str, VersionRange]]:
    """Each batch: its request, and its first and last version."""
    firsts = (event.envelope for event in history.events if event.version == event.envelope.batch[0])
    return [(str(envelope.request), VersionRange(*envelope.batch)) for envelope in firsts]


def _request_faults(log: RedisLog, history: TableHistory) -> Iterator[str]:
    """Each request names its batch and no other; the fingerprint cannot be checked, as nobody keeps the body."""
    kept = {name.decode(): value.decode() for name, value in _hash(log, history).items()}
    spans = dict(_spans(history))
    for name, span in spans.items():
        value = kept.pop(name, None)
        if value is None or value.rsplit(":", 2)[1:] != [str(span.first), str(span.last)]:
            yield f"version {span.first}: the store keeps its request as {value!r}"
    yield from (f"the store keeps a request {name!r} that led to no event" for name in sorted(kept))


def _hash(log: RedisLog, history: TableHistory) -> Mapping[bytes, bytes]:
    found: dict[bytes, bytes] = log.client.hgetall(log.table_key(history.table.id, "requests"))
    return found


def _feed_faults(history: TableHistory, pointers: list[Pointer]) -> Iterator[str]:
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
    """Every timer is there, at its time or leased for a while, and no other.

    A bot is told only if it listens, and once; turns that a dispute holds up are due anew when it is resolved.
    """
    partition, want = log.partition(table.id), timers(table)
    kept = _kept_as_due(log, partition, table.id)
    for member in want:
        if member not in kept and not table.disputed and TimerName.read(member).kind != "hook":
            yield f"{member} is due and is not kept so"
    now_ms = time.time_ns() // 1_000_000
    for member, at_ms in kept.items():
        if member not in want:
            yield f"{member} is kept as due and is not"
        elif not _is_in_time(TimerName.read(member), want[member].at_ms, at_ms, now_ms):
            yield f"{member} is kept as due at another time"


def _is_in_time(entry: TimerName, told_ms: int, at_ms: int, now_ms: int) -> bool:
    """Whether an entry is kept at the time that its table tells, or leased since.

    Where that is no deadline, a clock may have told it that ran ahead: who leased the entry then kept it until later,
    and who found it so has let it be due at once.
    """
    if entry.ends_ms:
        return told_ms <= at_ms <= max(told_ms, now_ms + LATEST_MS)
    return at_ms <= max(told_ms, now_ms) + LATEST_MS


def _kept_as_due(log: RedisLog, partition: int, table: str) -> dict[str, int]:
    """The timers of a table, and when each is due."""
    return {due.member: due.at_ms for due in log.timers(partition) if due.member.startswith(table + SEPARATOR)}


T = TypeVar("T")


class Status(IntEnum):
    """The exit status: everything decided again matches, there is a fault, or something could not be checked."""

    HOLDS, FAULT, UNCHECKED = 0, 1, 2


LOOKS = 5  # for one during which nobody goes on
NOTATION = b"[Format"  # how a text begins that the service writes


class Verification(NamedTuple):
    """The findings, in lines, and the exit status."""

    lines: list[str]
    status: Status


class Checks(NamedTuple):
    """How far to check: how many AI moves to recompute, and the parent to compare a branch with."""

    ai_moves: int = SAMPLED
    parent: Source | None = None


def verdict(path: str, ai_moves: int = SAMPLED, parent: str | None = None) -> Verification:
    """The result of checking an archive. A closed archive can be checked only in part.

    So many AI moves are computed again; of more than the usual ones whatever they cost.
    """
    with open_archive(Path(path)) as archive:
        if archive.read(len(NOTATION)) == NOTATION:
            return Verification([f"{path}: a text in notation has no chain, so nothing proves it"], Status.FAULT)
        archive.seek(0)
        found = list(archive_faults(lines_in(archive)))
    if found:
        return Verification([f"{path}: {fault}" for fault in found], Status.FAULT)
    return decided(from_file(path), Checks(ai_moves, from_file(parent) if parent else None))


def stored_verdict(url: str, name: str, ai_moves: int = SAMPLED, parent: str | None = None) -> Verification:
    """As `verdict`, for the bytes of a table in a store; raises `NoTable` if there is none."""
    try:
        return _stored(log_at(url), name, ai_moves, parent)
    except ResponseError as error:
        if not is_wrong_type(error):
            raise
        return Verification([f"{name} or its partition has a key of the wrong type in the store"], Status.FAULT)


def _stored(log: RedisLog, name: str, ai_moves: int, parent: str | None) -> Verification:
    try:
        events, head = _at_rest(lambda: _read(log, name))
    except LogDamaged as damage:
        return Verification([str(damage)], Status.FAULT)
    except GoneOn as why:
        return Verification([str(why)], Status.UNCHECKED)
    if not events and not head.version:
        raise NoTable(f"there is no table {name!r}")
    if found := list(_stored_faults(events, head)):
        return Verification(found, Status.FAULT)
    source = kept_in(log, name)
    checked = decided(source, Checks(ai_moves, from_file(parent) if parent else _parent_in(log, events[0])))
    return checked if checked.status is Status.FAULT else _with_what_lies_beside(log, source, checked)


def record_faults(log: RedisLog, name: str) -> list[str]:
    """What does not hold of the chain, the seals and the head of a table that nobody plays at meanwhile."""
    try:
        events, head = _read(log, name)
    except (LogUnreadable, GoneOn) as damage:
        return [str(damage)]
    found = list(_stored_faults(events, head)) if events else ["the store holds no event of it"]
    return [f"{name}: {fault}" for fault in found]


def _at_rest(look: Callable[[], T]) -> T:
    """What is seen while nobody goes on; raises `GoneOn` if somebody did at each of several looks."""
    for _ in range(LOOKS):
        with contextlib.suppress(GoneOn):
            return look()
    raise GoneOn("it changed each time that it was looked at; try again when there is less going on")


def _read(log: RedisLog, name: str) -> tuple[tuple[Recorded, ...], Head]:
    """The entries of a table's stream and its head; raises `GoneOn` if they were not there at the same time."""
    head, events = log.head(name), log.read(name)
    if log.head(name) != head:
        raise GoneOn
    return events, head


def _with_what_lies_beside(log: RedisLog, source: Source, checked: Verification) -> Verification:
    """A table whose events hold, and what the store keeps beside them."""
    try:
        found = _at_rest(lambda: _faults_beside(log, source()))
    except GoneOn as why:
        told = f"what the store keeps beside the events was not checked: {why}"
        return Verification([*checked.lines, told], Status.UNCHECKED)
    if found:
        return Verification(found, Status.FAULT)
    return Verification([*checked.lines, "requests, feed and timers hold"], checked.status)


def _faults_beside(log: RedisLog, history: TableHistory) -> list[str]:
    """Faults in what the store keeps beside the events; one is what cannot be read. Raises `GoneOn`."""
    try:
        return beside_faults(log, history)[:MOST_FAULTS]
    except LogDamaged as damage:
        return [str(damage)]
    except FAULTS as error:
        return [f"what the store keeps beside the events cannot be read: {place_of(error)}"]


def _parent_in(log: RedisLog, first: Recorded) -> Source | None:
    """The parent of a branch, if the store has it."""
    parent = first.envelope.payload.get("parent")
    return kept_in(log, parent) if isinstance(parent, str) and log.head(parent).version else None


def _stored_faults(events: tuple[Recorded, ...], head: Head) -> Iterator[str]:
    """Faults in the entries of a table's stream and in its head."""
    yield from islice(chain_faults(events), MOST_FAULTS)
    newest = Head(events[-1].version, events[-1].hash) if events else Head(0, GENESIS)
    if newest != head:
        yield f"version {newest.version + 1}: the head, at version {head.version}, is not where the stream ends"


def decided(source: Source, checks: Checks = Checks()) -> Verification:  # noqa: B008 - immutable
    """Makes the decisions of a table again whose chain is whole."""
    try:
        history = source()
        report = replay_archive(history, rerun=Reruns())
        if not report.same:
            lines = [f"version {report.counterfactual_from}: today's rules decide otherwise", *divergence_lines(report)]
            return Verification(lines, Status.FAULT)
        if faults := [*seed_faults(history), *([report.fault] if report.fault else [])]:
            return Verification(faults, Status.FAULT)
        return _completed(history, report, checks)
    except NotCheckable as unchecked:
        why = f"chain and opened secrets hold; decisions were not taken again: {unchecked}"
        return Verification([why], Status.UNCHECKED)
    except (ArchiveRefused, OptionsRefused, LogDamaged) as refusal:
        return Verification([str(refusal)], Status.FAULT)
    except FAULTS as error:
        return Verification([f"its events make no sense ({type(error).__name__})"], Status.FAULT)


def _completed(history: TableHistory, report: Report, checks: Checks) -> Verification:
    """The remaining checks: where a branch comes from, and what AI players chose."""
    try:
        strays = list(origin_faults(history.table, checks.parent())) if history.table.fork and checks.parent else []
    except (ArchiveRefused, LogUnreadable) as refusal:
        return Verification([f"the parent: {refusal}"], Status.UNCHECKED)
    if strays:
        return Verification([f"version 1: {stray}" for stray in strays], Status.FAULT)
    cost = SAMPLE_COST if checks.ai_moves == SAMPLED else math.inf
    sampled = sample(history, think_here, checks.ai_moves, cost)
    lines = [*_held(history, report), *_choices(sampled)]
    if sampled.different:
        return Verification(lines, Status.FAULT)
    if unchecked := _origin_unchecked(history, checks):
        return Verification([*lines, unchecked], Status.UNCHECKED)
    return Verification(lines, Status.HOLDS)


def _origin_unchecked(history: TableHistory, checks: Checks) -> str | None:
    """Why it was not checked where a branch comes from, or what was named as a parent; None if nothing was left out."""
    if history.table.fork and not checks.parent:
        return "where the branch comes from was not checked: its parent is not here; name its archive with --parent"
    if checks.parent and not history.table.fork:
        return "it is no branch: nothing was held against its parent"
    return None


def _held(history: TableHistory, report: Report) -> Iterator[str]:
    yield f"{history.table.id}: {len(history.events)} events, head {history.table.head.hash.hex()}"
    seals = sum(len(event.sealed) for event in history.events)
    yield f"chain, {seals} commitments, {report.draws_recorded} draws and {report.moves} decisions hold"


def _choices(sampled: Sample) -> Iterator[str]:
    if sampled.moves:
        yield (
            f"{len(sampled.checked)} of {sampled.moves} AI moves computed again, {len(sampled.different)} come out "
            f"otherwise; {sampled.gone} were made by versions of players that are gone"
        )
    yield from (f"version {version}: its player chooses otherwise" for version in sampled.different)
