"""`wintercount verify`: checks the record of a table. It fails closed: what cannot be checked is not a success."""

import contextlib
import math
import time
from collections.abc import Callable, Iterator
from enum import IntEnum
from itertools import islice
from pathlib import Path
from typing import NamedTuple, TypeVar

import msgspec
from redis.exceptions import ResponseError

from events.chain import GENESIS
from events.envelopes import Head, Recorded, chain_faults
from events.failures import place_of
from events.log import LONGEST_LEASE, LogDamaged, LogUnreadable
from events.store import RedisLog, is_wrong_type
from events.verify import archive_faults
from games.kernel import OptionsRefused
from projections.due_timers import SEPARATOR, TimerName, timers
from projections.folding import FAULTS
from projections.history import TableHistory
from projections.table import Table
from rulings.archive_format import ArchiveRefused, NotCheckable, lines_in, open_archive, replay_archive
from rulings.replay import Report
from service.stores import log_at
from service.tables.audit import MOST_FAULTS, origin_faults, seed_faults
from service.tables.record_again import Reruns
from wintercount.operations.table_sources import NoTable, Source, from_file, kept_in, naming
from worker.ai_explanations import SAMPLE_COST, SAMPLED, Sample, sample
from worker.ai_process import think_here
from worker.dispatcher import LEASE_MS

LATEST_MS = 2 * LONGEST_LEASE * LEASE_MS  # after now, for a timer that is leased: twice the longest lease
LOOKS = 5  # for one during which nothing changes
NOTATION = b"[Format"  # the start of a text that the service writes
T = TypeVar("T")


class Status(IntEnum):
    """The exit status: every check succeeded, there is a fault, or something could not be checked."""

    HOLDS, FAULT, UNCHECKED = 0, 1, 2


class Verification(NamedTuple):
    """The findings, in lines, and the exit status."""

    lines: list[str]
    status: Status


class Checks(NamedTuple):
    """How far to check: how many AI moves to recompute, and the parent to compare a branch with."""

    ai_moves: int = SAMPLED
    parent: Source | None = None


class TableChanged(Exception):
    """The table, or the rows of its partition, changed during the check."""


def verdict(path: str, ai_moves: int = SAMPLED, parent: str | None = None) -> Verification:
    """Checks an archive. An archive that is not complete can be checked only in part.

    AI moves beyond the usual sample are recomputed whatever they cost.
    """
    with naming(path), open_archive(Path(path)) as archive:
        if archive.read(len(NOTATION)) == NOTATION:
            return Verification([f"{path}: a text in notation has no chain, so nothing proves it"], Status.FAULT)
        archive.seek(0)
        found = list(archive_faults(lines_in(archive)))
    if found:
        return Verification([f"{path}: {fault}" for fault in found], Status.FAULT)
    return decided(from_file(path), Checks(ai_moves, from_file(parent) if parent else None))


def stored_verdict(url: str, name: str, ai_moves: int = SAMPLED, parent: str | None = None) -> Verification:
    """Checks the stored bytes of a table; raises `NoTable` if there is none."""
    try:
        return _stored(log_at(url), name, ai_moves, parent)
    except ResponseError as error:
        if not is_wrong_type(error):
            raise
        return Verification([f"a key of {name} or of its partition has the wrong type"], Status.FAULT)


def _stored(log: RedisLog, name: str, ai_moves: int, parent: str | None) -> Verification:
    try:
        events, head = _at_rest(lambda: _read(log, name))
    except LogDamaged as damage:
        return Verification([str(damage)], Status.FAULT)
    except TableChanged as why:
        return Verification([str(why)], Status.UNCHECKED)
    if not events and not head.version:
        raise NoTable(f"there is no table {name!r}")
    if found := list(_stored_faults(events, head)):
        return Verification(found, Status.FAULT)
    source = kept_in(log, name)
    checked = decided(source, Checks(ai_moves, from_file(parent) if parent else _parent_in(log, events[0])))
    return checked if checked.status is Status.FAULT else _with_bookkeeping(log, source, checked)


def record_faults(log: RedisLog, name: str) -> list[str]:
    """Returns faults in the chain, the seals and the head of a table that does not change."""
    try:
        events, head = _read(log, name)
    except (LogUnreadable, TableChanged) as damage:
        return [str(damage)]
    found = list(_stored_faults(events, head)) if events else ["the store holds no event of it"]
    return [f"{name}: {fault}" for fault in found]


def _at_rest(look: Callable[[], T]) -> T:
    """Returns a result during which nothing changed; raises `TableChanged` after several attempts."""
    for _ in range(LOOKS):
        with contextlib.suppress(TableChanged):
            return look()
    raise TableChanged("it changed during every check; try again when there is less going on")


def _read(log: RedisLog, name: str) -> tuple[tuple[Recorded, ...], Head]:
    """Returns the entries of a table's stream and its head; raises `TableChanged` if they differ in time."""
    head, events = log.head(name), log.read(name)
    if log.head(name) != head:
        raise TableChanged
    return events, head


def _stored_faults(events: tuple[Recorded, ...], head: Head) -> Iterator[str]:
    """Yields faults in the entries of a table's stream and in its head."""
    yield from islice(chain_faults(events), MOST_FAULTS)
    newest = Head(events[-1].version, events[-1].hash) if events else Head(0, GENESIS)
    if newest != head:
        yield f"version {newest.version + 1}: the head, at version {head.version}, is not where the stream ends"


def _parent_in(log: RedisLog, first: Recorded) -> Source | None:
    """Returns the parent of a branch, if the store has it."""
    parent = first.envelope.payload.get("parent")
    return kept_in(log, parent) if isinstance(parent, str) and log.head(parent).version else None


# What the store keeps beside the events: idempotency keys, feed, timers


def _with_bookkeeping(log: RedisLog, source: Source, checked: Verification) -> Verification:
    """Adds a check of what the store keeps beside the events."""
    try:
        found = _at_rest(lambda: _bookkeeping_faults(log, source()))
    except TableChanged as why:
        return Verification([*checked.lines, f"idempotency keys, feed and timers: {why}"], Status.UNCHECKED)
    if found:
        return Verification(found, Status.FAULT)
    return Verification([*checked.lines, "idempotency keys, feed and timers hold"], checked.status)


def _bookkeeping_faults(log: RedisLog, history: TableHistory) -> list[str]:
    """Returns faults beside the events; raises `TableChanged`."""
    try:
        return bookkeeping_faults(log, history)[:MOST_FAULTS]
    except LogDamaged as damage:
        return [str(damage)]
    except FAULTS as error:
        return [f"what the store keeps beside the events cannot be read: {place_of(error)}"]


def bookkeeping_faults(log: RedisLog, history: TableHistory) -> list[str]:
    """Returns where idempotency keys, feed and timers do not match the table's events; raises `TableChanged`."""
    table = history.table
    place = log.places([table.id])[0]
    keys: dict[bytes, bytes] = log.client.hgetall(log.table_key(table.id, "requests"))
    found = list(_key_faults(history, keys)) if keys or not place else []  # those of an archived table expire
    found += [*_feed_faults(log, history), *_timer_faults(log, table)]
    if log.head(table.id) != table.head or log.places([table.id])[0] != place:
        raise TableChanged
    return found


def _batches(history: TableHistory) -> list[tuple[str, tuple[int, int]]]:
    """Returns each batch: its idempotency key, and its first and last version."""
    firsts = (event.envelope for event in history.events if event.version == event.envelope.batch[0])
    return [(str(envelope.request), (envelope.batch[0], envelope.batch[1])) for envelope in firsts]


def _key_faults(history: TableHistory, keys: dict[bytes, bytes]) -> Iterator[str]:
    """Yields idempotency keys that do not name their batch; their fingerprints cannot be checked without the body."""
    kept = {name.decode(): value.decode() for name, value in keys.items()}
    for name, (first, last) in dict(_batches(history)).items():
        value = kept.pop(name, None)
        if value is None or value.rsplit(":", 2)[1:] != [str(first), str(last)]:
            yield f"version {first}: the store keeps its request as {value!r}"
    yield from (f"the store keeps a request {name!r} that led to no event" for name in sorted(kept))


def _feed_faults(log: RedisLog, history: TableHistory) -> Iterator[str]:
    """Yields batches without their pointer in the feed, in order, with the hash of the last event."""
    table = history.table.id
    pointers = [pointer for pointer in log.whole_feed(log.partition(table)) if pointer.table == table]
    found = [(pointer.first, pointer.last) for pointer in pointers]
    want = [batch for _, batch in _batches(history)]
    if found[: len(want)] != want:  # newer ones follow
        number = next((n for n, batch in enumerate(want) if found[n : n + 1] != [batch]))
        yield f"version {want[number][0]}: it is not in the feed, or not in its place"
        return
    for pointer in pointers[: len(want)]:
        if pointer.hash != history.events[pointer.last - 1].hash:
            yield f"version {pointer.last}: the feed names another event"


def _timer_faults(log: RedisLog, table: Table) -> Iterator[str]:
    """Yields timers that are missing, at another time, or that no decision of the table needs.

    A bot's webhook has a timer only while the bot listens; a dispute holds timers up until it is resolved.
    """
    want = timers(table)
    stored = log.timers(log.partition(table.id))
    kept = {timer.member: timer.at_ms for timer in stored if timer.member.startswith(table.id + SEPARATOR)}
    for member in want:
        if member not in kept and not table.disputed and TimerName.read(member).kind != "hook":
            yield f"the timer {member} is missing"
    now_ms = time.time_ns() // 1_000_000
    for member, at_ms in kept.items():
        if member not in want:
            yield f"the timer {member} is not needed"
        elif not _is_in_time(TimerName.read(member), want[member].at_ms, at_ms, now_ms):
            yield f"the timer {member} is set to another time"


def _is_in_time(timer: TimerName, wanted_ms: int, at_ms: int, now_ms: int) -> bool:
    """Whether a timer is set to the time that its table needs, or leased since.

    Without a deadline it may also be earlier: a clock that runs ahead sets it late, and it is then made due at once.
    """
    if timer.ends_ms:
        return wanted_ms <= at_ms <= max(wanted_ms, now_ms + LATEST_MS)
    return at_ms <= max(wanted_ms, now_ms) + LATEST_MS


# The decisions of a table


def decided(source: Source, checks: Checks = Checks()) -> Verification:  # noqa: B008 - immutable
    """Decides a table again whose chain is whole."""
    try:
        history = source()
        report = replay_archive(history, rerun=Reruns())
        if not report.same:
            lines = [
                f"version {report.counterfactual_from}: today's rules decide differently",
                *_divergence_lines(report),
            ]
            return Verification(lines, Status.FAULT)
        if faults := [*seed_faults(history), *([report.fault] if report.fault else [])]:
            return Verification(faults, Status.FAULT)
        return _completed(history, report, checks)
    except NotCheckable as unchecked:
        why = f"chain and opened secrets hold; decisions were not checked: {unchecked}"
        return Verification([why], Status.UNCHECKED)
    except (ArchiveRefused, OptionsRefused, LogDamaged) as refusal:
        return Verification([str(refusal)], Status.FAULT)
    except FAULTS as error:
        return Verification([f"its events make no sense ({type(error).__name__})"], Status.FAULT)


def _divergence_lines(report: Report) -> Iterator[str]:
    """Yields where a table first differs when it is decided again, in lines."""
    if report.divergence:
        found = report.divergence
        yield f"{report.table} version {found.version}: {found.type} {' '.join(found.rules)}"
        yield f"  recorded: {msgspec.json.encode(found.recorded).decode()}"
        yield f"  decided:  {msgspec.json.encode(found.decided).decode()}"
    if report.stop:
        yield f"{report.table} version {report.stop.version}: {report.stop.rule} refuses the move: {report.stop.detail}"


def _completed(history: TableHistory, report: Report, checks: Checks) -> Verification:
    """Makes the remaining checks: where a branch comes from, and what AI players chose."""
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
    """Returns why the parent was not compared; None if there was nothing to compare, or it was compared."""
    if history.table.fork and not checks.parent:
        return "the branch was not compared with its parent, which is not here; name its archive with --parent"
    if checks.parent and not history.table.fork:
        return "it is not a branch: nothing was compared with the parent"
    return None


def _held(history: TableHistory, report: Report) -> Iterator[str]:
    yield f"{history.table.id}: {len(history.events)} events, head {history.table.head.hash.hex()}"
    seals = sum(len(event.sealed) for event in history.events)
    yield f"chain, {seals} commitments, {report.draws_recorded} draws and {report.moves} decisions hold"


def _choices(sampled: Sample) -> Iterator[str]:
    if sampled.moves:
        yield (
            f"{len(sampled.checked)} of {sampled.moves} AI moves recomputed, {len(sampled.different)} differ; "
            f"{sampled.gone} were made by versions of players that are gone"
        )
    yield from (f"version {version}: its player chooses another move" for version in sampled.different)
