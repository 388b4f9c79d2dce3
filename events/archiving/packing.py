"""Packs a table's events into compressed columns, without anything that can be computed from the rest.

Hashes, commitments and salts are left out; fields that the events of a batch share are stored once. `pack_events`
unpacks its result and compares the bytes of each event, so it never returns a form that loses anything.
"""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import islice
from typing import Any

import msgspec

from events.archiving.compression import ZstdError, compress, decompress
from events.canonical import canonical
from events.commitments import salt_key
from events.envelopes import START, BatchMetadata, Envelope, Head, NewEvent, Recorded, record

LEVEL = 12  # of compression: higher levels take several times as long and save a few per cent
DECODE_ERRORS = (ZstdError, msgspec.MsgspecError, LookupError, TypeError, OverflowError, RecursionError)
SEED = "seed"  # the secret of the first event from which a table's salts are derived


class NotPackable(Exception):
    """These events would not unpack to the same bytes."""


class PackedBatch(msgspec.Struct, array_like=True):
    """The number of events in a batch, and their shared fields; `sealed` holds secrets outside the payloads."""

    events: int
    at: str
    by: dict[str, Any]
    request: str | None
    sealed: dict[str, Any]
    draws: dict[str, int]
    now: str | None


class Packed(msgspec.Struct):
    """The events in columns, one entry per event; `payload` includes the secret fields."""

    table: str
    batches: list[PackedBatch]
    type: list[str]
    schema: list[int]
    payload: list[dict[str, Any]]
    readers: list[dict[str, list[int]]]


_packed = msgspec.json.Decoder(Packed)


def pack_events(events: Sequence[Recorded]) -> bytes:
    """Returns the packed form of all events of a table; raises `NotPackable`."""
    packed = compress(canonical(columns_of(events)), level=LEVEL)
    with suppress(ValueError):
        if [_bytes(event) for event in unpack_events(packed)] == [_bytes(event) for event in events]:
            return packed
    raise NotPackable(f"{events[0].envelope.table}: its events do not unpack to the same bytes")


def _bytes(event: Recorded) -> tuple[bytes, bytes, bytes]:
    return event.raw, canonical(event.sealed), event.hash


def unpack_events(packed: bytes) -> tuple[Recorded, ...]:
    """Returns the events of a packed form, at least one; raises `ValueError`."""
    try:
        return tuple(_events(unpack_columns(packed)))
    except DECODE_ERRORS as error:
        raise _not_packed(error) from error


def unpack_columns(packed: bytes) -> Packed:
    """Returns the columns of a packed form, with at least one batch; raises `ValueError`."""
    try:
        columns = _packed.decode(decompress(packed))
    except DECODE_ERRORS as error:
        raise _not_packed(error) from error
    if not columns.batches or any(batch.events < 1 for batch in columns.batches):
        raise ValueError("not a packed table (a batch without events)")
    return columns


def _not_packed(error: Exception) -> ValueError:
    return ValueError(f"not a packed table ({type(error).__name__})")


def columns_of(events: Sequence[Recorded]) -> Packed:
    """Returns the events of a table in columns."""
    return columns((event.envelope, event.payload, _beside(event)) for event in events)


def columns(rows: Iterable[tuple[Envelope, dict[str, Any], dict[str, Any]]]) -> Packed:
    """Returns at least one event in columns: of each its envelope, its whole payload, and the secrets beside it."""
    envelopes, payloads, besides = zip(*rows, strict=True)
    firsts = [(one, beside) for one, beside in zip(envelopes, besides, strict=True) if one.version == one.batch[0]]
    return Packed(
        table=envelopes[0].table,
        batches=[_batch(one, beside) for one, beside in firsts],
        type=[one.type for one in envelopes],
        schema=[one.schema for one in envelopes],
        payload=list(payloads),
        readers=[one.readers for one in envelopes],
    )


def _beside(event: Recorded) -> dict[str, Any]:
    return {name: seal.value for name, seal in event.sealed.items() if name not in event.envelope.readers}


def _batch(one: Envelope, beside: dict[str, Any]) -> PackedBatch:
    return PackedBatch(1 + one.batch[1] - one.batch[0], one.at, one.by, one.request, beside, one.draws, one.now)


def _events(columns: Packed) -> Iterator[Recorded]:
    """Seals, hashes and chains each event again."""
    key, head = salt_key(columns.payload[0][SEED]), START
    rows = map(NewEvent, columns.type, columns.payload, columns.readers, columns.schema)
    for batch in columns.batches:
        metadata = BatchMetadata(batch.at, batch.by, key, batch.request, batch.sealed, batch.draws, batch.now)
        events = record(columns.table, head, tuple(islice(rows, batch.events)), metadata)
        yield from events
        head = Head(events[-1].version, events[-1].hash)
