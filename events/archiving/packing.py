"""Packs the events of a table: by columns, compressed, without what can be computed from the rest.

Hashes, commitments and salts are left out, and what the events of a batch share is kept once. `packed` unpacks
its result and compares it event by event, so it never returns anything that would not come back byte for byte.
"""

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any

import msgspec

from events.archiving.compression import ZstdError, compress, decompress
from events.canonical import canonical
from events.chain import salt_key
from events.recorded import START, BatchMetadata, Head, NewEvent, Recorded, record

LEVEL = 12  # of compression: higher ones take several times as long and save a few per cent
FOREIGN = (ZstdError, msgspec.MsgspecError, LookupError, TypeError, OverflowError, RecursionError)  # of other bytes
SEED = "seed"  # the secret of a table's first event from which its salts are derived


class NotPackable(Exception):
    """These events would not come back byte for byte."""


class PackedBatch(msgspec.Struct, array_like=True):
    """What the events of a batch share, and how many there are; `sealed` holds the secrets beside the first payload."""

    events: int
    at: str
    by: dict[str, Any]
    request: str | None
    sealed: dict[str, Any]
    draws: dict[str, int]
    now: str | None


class Packed(msgspec.Struct):
    """The events by columns, with one entry for each event.

    `payload` holds all fields of the payload, secret ones too.
    """

    table: str
    batches: list[PackedBatch]
    type: list[str]
    schema: list[int]
    payload: list[dict[str, Any]]
    readers: list[dict[str, list[int]]]


_packed = msgspec.json.Decoder(Packed)


def packed(events: Sequence[Recorded]) -> bytes:
    """The packed form of all events of a table; raises `NotPackable`."""
    found = compress(canonical(_columns(events)), level=LEVEL)
    if not _is_packed(events, found):
        raise NotPackable(f"{events[0].envelope.table}: its events would not come back from their packed form")
    return found


def _is_packed(events: Sequence[Recorded], kept: bytes) -> bool:
    try:
        return [_bytes(event) for event in unpacked(kept)] == [_bytes(event) for event in events]
    except ValueError:
        return False


def _bytes(event: Recorded) -> tuple[bytes, bytes, bytes]:
    return event.raw, canonical(event.sealed), event.hash


def unpacked(kept: bytes) -> tuple[Recorded, ...]:
    """The events that a packed form holds, one at least; raises `ValueError`."""
    try:
        columns = _packed.decode(decompress(kept))
        if not columns.batches or any(batch.events < 1 for batch in columns.batches):
            raise LookupError("a batch without events")
        return tuple(_events(columns))
    except FOREIGN as error:
        raise ValueError(f"not a packed table ({type(error).__name__})") from error


def _columns(events: Sequence[Recorded]) -> Packed:
    envelopes = [event.envelope for event in events]
    return Packed(
        table=envelopes[0].table,
        batches=[_batch(event) for event in events if event.version == event.envelope.batch[0]],
        type=[one.type for one in envelopes],
        schema=[one.schema for one in envelopes],
        payload=[event.payload for event in events],
        readers=[one.readers for one in envelopes],
    )


def _batch(first: Recorded) -> PackedBatch:
    one = first.envelope
    beside = {name: seal.value for name, seal in first.sealed.items() if name not in one.readers}
    return PackedBatch(1 + one.batch[1] - one.batch[0], one.at, one.by, one.request, beside, one.draws, one.now)


def _events(columns: Packed) -> Iterator[Recorded]:
    """The events, each sealed, hashed and linked again."""
    key, head = salt_key(columns.payload[0][SEED]), START
    rows = map(NewEvent, columns.type, columns.payload, columns.readers, columns.schema)
    for batch in columns.batches:
        metadata = BatchMetadata(batch.at, batch.by, key, batch.request, batch.sealed, batch.draws, batch.now)
        events = record(columns.table, head, tuple(islice(rows, batch.events)), metadata)
        yield from events
        head = Head(events[-1].version, events[-1].hash)
