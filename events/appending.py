"""What is appended, what the script that does so is told, and what it answers."""

from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

from events.log import Batch, Conflict, Diverged, LogDamaged, RequestReused, Span, linked
from events.recorded import Head, Recorded, fields_of, from_fields


def in_succession(head: Head, batches: Iterable[tuple[Recorded, ...]], settled: tuple[str, ...]) -> Iterator[Batch]:
    """Batches that were recorded elsewhere, each behind the one before; the first settles what was due here."""
    for events in batches:
        batch = Batch(head, events, events[0].envelope.request, completed_timers=settled)
        yield batch
        head, settled = batch.leads_to, ()


def arguments(table: str, batch: Batch) -> list[Any]:
    """What `append.lua` is told of a batch."""
    told: list[Any] = [table, batch.head.version, batch.head.hash, batch.request or "", batch.fingerprint]
    told += [len(batch.events), len(batch.completed_timers), len(batch.timers), batch.at_ms]
    for event in batch.events:
        fields = fields_of(event)
        told += [fields[b"e"], fields.get(b"s", b""), fields[b"h"]]
    told += batch.completed_timers
    for timer in batch.timers:
        told += [timer.at_ms, timer.member, timer.listener]
    return told


def span(answer: list[Any], table: str, known: Head) -> Span:
    """What it answered: the span of what it added or had added; raises `Conflict`, `RequestReused`, `LogDamaged`."""
    match answer[0].decode():
        case "appended":
            return Span(answer[1], answer[2])
        case "repeated":
            return Span(answer[1], answer[2], repeated=True)
        case "conflict":
            raise missed(table, known, tuple(event_of(table, entry, pairs(flat)) for entry, flat in answer[1:]))
        case "diverged":
            raise Diverged(table, known, Head(answer[1], answer[2]))
        case "reused":
            raise RequestReused
        case other:
            raise LogDamaged(f"{other}: {answer[1:]}")


def missed(table: str, known: Head, events: tuple[Recorded, ...]) -> Conflict:
    """The conflict that brings the events missed; raises `Diverged` and `LogDamaged` as a read does."""
    if not events:
        raise LogDamaged(f"{table} lacks version {known.version + 1}")
    return Conflict(linked(table, known, Head(events[-1].version, events[-1].hash), events))


def event_of(table: str, entry_id: bytes, fields: dict[bytes, bytes]) -> Recorded:
    """An entry of a table's stream; raises `LogDamaged` for one that is no event."""
    try:
        return from_fields(fields)
    except (KeyError, ValueError, msgspec.DecodeError) as error:
        version = entry_id.split(b"-")[0].decode()
        raise LogDamaged(f"{table} version {version} is no event ({type(error).__name__})") from error


def pairs(flat: list[bytes]) -> dict[bytes, bytes]:
    """The fields of an entry, which the store tells one after the other."""
    return dict(zip(flat[::2], flat[1::2], strict=True))
