"""Packs the events of a table: by columns, compressed, without what can be computed from the rest.

Hashes, commitments and salts are left out, and what the events of a batch share is kept once. `packed` unpacks
its result and compares it event by event, so it never returns anything that would not come back byte for byte.
"""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import msgspec

from events.archiving.compression import ZstdError, compress, decompress
from events.canonical import canonical
from events.chain import GENESIS, commitment, derived_salt, link, salt_key
from events.recorded import Envelope, Recorded, Seal

LEVEL = 12  # of compression: higher ones take several times as long and save a few per cent
FOREIGN = (ZstdError, msgspec.MsgspecError, LookupError, TypeError, OverflowError, RecursionError)  # of other bytes
SEED = "seed"  # the secret of a table's first event from which its salts are derived


class NotPackable(Exception):
    """These events would not come back byte for byte."""


class PackedBatch(msgspec.Struct, array_like=True):
    """What the events of a batch share, and how many there are."""

    events: int
    at: str
    by: dict[str, Any]
    request: str | None
    draws: dict[str, int]
    now: str | None


class Packed(msgspec.Struct):
    """The events by columns, with one entry for each event.

    `payload` holds all fields of the payload, secret ones too, and `sealed` the secrets beside the payload.
    """

    table: str
    batches: list[PackedBatch]
    type: list[str]
    schema: list[int]
    payload: list[dict[str, Any]]
    readers: list[dict[str, list[int]]]
    sealed: list[dict[str, Any]]


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
    firsts = [one for one in envelopes if one.version == one.batch[0]]
    return Packed(
        table=envelopes[0].table,
        batches=[
            PackedBatch(1 + one.batch[1] - one.batch[0], one.at, one.by, one.request, one.draws, one.now)
            for one in firsts
        ],
        type=[one.type for one in envelopes],
        schema=[one.schema for one in envelopes],
        payload=[event.payload for event in events],
        readers=[one.readers for one in envelopes],
        sealed=[_beside(event) for event in events],
    )


def _beside(event: Recorded) -> dict[str, Any]:
    """The secrets of an event that are no field of its payload."""
    return {name: seal.value for name, seal in event.sealed.items() if name not in event.envelope.readers}


def _events(columns: Packed) -> Iterator[Recorded]:
    """The events, each sealed, hashed and linked again."""
    key, previous, version = salt_key(columns.payload[0][SEED]), GENESIS, 0
    for batch in columns.batches:
        span = version + 1, version + batch.events
        for version in range(span[0], span[1] + 1):
            event = _event(columns, batch, span, _Link(version, previous, key))
            yield event
            previous = event.hash


class _Link(NamedTuple):
    """What an event is linked to: its version, the hash before it, and the key of the table's salts."""

    version: int
    previous: bytes
    key: bytes


def _event(columns: Packed, batch: PackedBatch, span: tuple[int, int], at: _Link) -> Recorded:
    version, index = at.version, at.version - 1
    payload, readers, beside = columns.payload[index], columns.readers[index], columns.sealed[index]
    secrets = {name: payload[name] for name in readers} | beside if readers else beside
    sealed = {
        name: Seal(derived_salt(at.key, at.previous, version, name, value), value) for name, value in secrets.items()
    }
    envelope = Envelope(
        table=columns.table,
        version=version,
        type=columns.type[index],
        schema=columns.schema[index],
        at=batch.at,
        by=batch.by,
        request=batch.request,
        batch=span,
        payload={name: value for name, value in payload.items() if name not in readers} if readers else payload,
        readers=readers,
        secrets={name: commitment(seal.salt, seal.value) for name, seal in sealed.items()},
        draws=batch.draws if version == span[0] else {},
        now=batch.now,
    )
    raw = canonical(envelope)
    return Recorded(envelope, raw, sealed, link(at.previous, version, raw))
