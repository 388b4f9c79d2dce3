"""The form of an event in the log: its public envelope, and its sealed secrets."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import msgspec

from events.canonical import canonical
from events.chain import GENESIS, link
from events.commitments import commitment, derived_salt


class Seal(msgspec.Struct, frozen=True, gc=False):
    """A secret and the salt of its commitment."""

    salt: str
    value: Any


class NewEvent(msgspec.Struct, frozen=True, gc=False):
    """An event about to be recorded. `readers` names its secret payload fields and the seats that may read each.

    `schema` numbers the form of the payload. `leads_to` is the state after the event if it is known already; it is not
    recorded.
    """

    type: str
    payload: dict[str, Any]
    readers: dict[str, list[int]]
    schema: int = 1
    leads_to: Any = None


class Envelope(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """The public part of a recorded event, which the hash covers.

    `by`: who caused it. `batch`: the first and last version of the events recorded together. `draws`: the number of
    draws that the batch made, by kind. `secrets`: the commitments to the payload fields in `readers`. The first event
    of a batch caused by a move also commits to `move` (readable by `by.seat`) and, for an AI, `ai_seed` and `ai_used`.
    `at` never decreases; `now` is the machine's time if the table's time was ahead of it.
    """

    table: str
    version: int
    type: str
    schema: int
    at: str
    by: dict[str, Any]
    request: str | None
    batch: tuple[int, int]
    payload: dict[str, Any]
    readers: dict[str, list[int]]
    secrets: dict[str, str]
    draws: dict[str, int]
    now: str | None = None  # the only optional field

    @property
    def counted_from(self) -> str:
        """The time that deadlines count from: the earlier of the table's and the machine's time."""
        return self.now or self.at


class Recorded(msgspec.Struct, frozen=True, gc=False):
    """An event in the log: its envelope as a value and as the hashed bytes, its seals, and its hash."""

    envelope: Envelope
    raw: bytes
    sealed: dict[str, Seal]
    hash: bytes

    @property
    def version(self) -> int:
        """The number of the event at its table, counted from 1."""
        return self.envelope.version

    @property
    def writer(self) -> str | None:
        """The player whose name or text the event may contain."""
        player = self.envelope.payload.get("player") or self.envelope.by.get("player")
        return None if player is None else str(player)

    @property
    def payload(self) -> dict[str, Any]:
        """The whole payload, including secrets."""
        if not self.envelope.readers:
            return self.envelope.payload
        return self.envelope.payload | {name: self.sealed[name].value for name in self.envelope.readers}

    def may_read(self, name: str, seat: int | None) -> bool:
        """Returns whether `seat` (None: a spectator) may read a secret while the game is running."""
        if name in self.envelope.readers:
            return seat in self.envelope.readers[name]
        return name == "move" and seat is not None and seat == self.envelope.by.get("seat")

    def opened_for(self, seat: int | None, *, over: bool) -> dict[str, Seal]:
        """Returns the seals that `seat` may see: all of them once the game is over."""
        return {name: seal for name, seal in self.sealed.items() if over or self.may_read(name, seat)}


class BatchMetadata(msgspec.Struct, frozen=True):
    """The fields that a batch's events share; `sealed` holds secrets outside the payloads, such as the move.

    `now` is the machine's time if the table's time `at` is ahead of it. Salts are derived from `salt_key`.
    """

    at: str
    by: dict[str, Any]
    salt_key: bytes
    request: str | None = None
    sealed: dict[str, Any] = {}
    draws: dict[str, int] = {}
    now: str | None = None


class Head(msgspec.Struct, frozen=True, gc=False):
    """The end of a table's log: its version and the hash of the last event."""

    version: int
    hash: bytes

    @property
    def mark(self) -> str:
        """The beginning of the hash, enough to distinguish two histories."""
        return self.hash.hex()[:8]

    @property
    def place(self) -> str:
        """The version and the beginning of its hash, as clients see it."""
        return f"{self.version}-{self.mark}"


START = Head(0, GENESIS)  # of a table without events


def record(table: str, head: Head, new_events: Sequence[NewEvent], metadata: BatchMetadata) -> tuple[Recorded, ...]:
    """Returns the batch that appends `new_events` after `head`: numbered, sealed and chained."""
    first, last = head.version + 1, head.version + len(new_events)
    batch: list[Recorded] = []
    previous = head.hash
    for version, new_event in enumerate(new_events, first):
        extra = metadata.sealed if version == first else {}
        payload, hidden = new_event.payload, extra
        if new_event.readers:
            hidden = {name: payload[name] for name in new_event.readers} | extra
            payload = {name: value for name, value in payload.items() if name not in new_event.readers}
        sealed = {
            name: Seal(derived_salt(metadata.salt_key, previous, version, name, value), value)
            for name, value in hidden.items()
        }
        envelope = Envelope(
            table=table,
            version=version,
            type=new_event.type,
            schema=new_event.schema,
            at=metadata.at,
            by=metadata.by,
            request=metadata.request,
            batch=(first, last),
            payload=payload,
            readers=new_event.readers,
            secrets={name: commitment(seal.salt, seal.value) for name, seal in sealed.items()},
            draws=metadata.draws if version == first else {},
            now=metadata.now,
        )
        raw = canonical(envelope)
        previous = link(previous, version, raw)
        batch.append(Recorded(envelope, raw, sealed, previous))
    return tuple(batch)


def chain_faults(events: Iterable[Recorded]) -> Iterator[str]:
    """Yields the faults in the hashes and seals of a table's events, which start at version 1."""
    previous = GENESIS
    for expected, event in enumerate(events, 1):
        if event.version != expected or link(previous, expected, event.raw) != event.hash:
            yield f"version {expected}: the hash does not match the event"
        elif canonical(event.envelope) != event.raw:
            yield f"version {expected}: the envelope has unknown fields"
        for name in event.envelope.secrets.keys() - event.sealed.keys():
            yield f"version {expected}: the secret `{name}` is missing"
        for name, seal in event.sealed.items():
            if commitment(seal.salt, seal.value) != event.envelope.secrets.get(name):
                yield f"version {expected}: `{name}` does not match its commitment"
        previous = event.hash


def event_as_read(event: Recorded, seat: int | None, *, over: bool) -> dict[str, Any]:
    """Returns the event as `seat` may read it, with all that is needed to verify its hash and its opened secrets.

    Without `hash`, `opened` and the fields named in `opened`, it is the envelope that was hashed.
    """
    read = msgspec.structs.asdict(event.envelope)
    if event.envelope.now is None:
        del read["now"]
    read["hash"] = event.hash.hex()
    read["opened"] = salts = {}
    if not event.sealed:
        return read
    read["payload"] = payload = dict(event.envelope.payload)
    for name, seal in event.opened_for(seat, over=over).items():
        (payload if name in event.envelope.readers else read)[name] = seal.value
        if name in event.envelope.secrets:
            salts[name] = {"salt": seal.salt}
    return read


def fields_from_event(event: Recorded) -> dict[bytes, bytes]:
    """Returns the fields of the event's stream entry."""
    fields = {b"e": event.raw, b"h": event.hash}
    return fields | {b"s": msgspec.json.encode(event.sealed)} if event.sealed else fields


_envelope = msgspec.json.Decoder(Envelope)
_seals = msgspec.json.Decoder(dict[str, Seal])


def event_from_fields(fields: Mapping[bytes, bytes]) -> Recorded:
    """Returns the event of a stream entry."""
    raw, seals = fields[b"e"], fields.get(b"s")
    return Recorded(_envelope.decode(raw), raw, _seals.decode(seals) if seals else {}, fields[b"h"])
