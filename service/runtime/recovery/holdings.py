"""What a copy knows of a table: the hashes of all its versions, or of some."""

from bisect import bisect_left
from collections.abc import Mapping
from typing import Any, NamedTuple

import msgspec

from events.log import LogDamaged, end_of
from events.recorded import START, Head, Recorded, chain_faults

HASH = 32  # bytes


class Copy(NamedTuple):
    """A table as a source has it: its events with the requests that led to them, or no more than some heads.

    `fault` says why its events cannot be read. `imported`: that the table was recorded elsewhere is noted there.
    `part` is where in the source it is, if that has several histories of the table.
    """

    table: str
    events: tuple[Recorded, ...] = ()
    requests: Mapping[str, str] = {}
    heads: tuple[Head, ...] = ()
    fault: str = ""
    imported: bool = False
    part: str = ""

    def name_in(self, source: str) -> str:
        """How it is told from other copies of the table."""
        return f"{source}, {self.part}" if self.part else source


class Holdings(msgspec.Struct, frozen=True):
    """The hashes that a source has: of each version from 1 on (`chain`), and of single ones (`marks`).

    One source may have marks of several histories: receipts from before and after a store went back.
    """

    chain: bytes = b""
    marks: tuple[Head, ...] = ()
    fault: str = ""

    @property
    def length(self) -> int:
        """How many versions it holds whole."""
        return len(self.chain) // HASH

    def at(self, version: int) -> bytes:
        """The hash of a version that it holds whole."""
        return self.chain[(version - 1) * HASH : version * HASH]

    def has(self, mark: Head) -> bool:
        """Whether it holds a version whole, with this very hash."""
        return mark.version <= self.length and self.at(mark.version) == mark.hash

    def place(self, version: int) -> str:
        """A version with the beginning of its hash, as clients are told where they are."""
        return Head(version, self.at(version)).place


NOTHING = Holdings()


def held(copy: Copy) -> Holdings:
    """The hashes of a copy; of one whose record is not whole, none but its fault."""
    fault = copy.fault or _fault(copy)
    if fault:
        return Holdings(fault=fault)
    return Holdings(b"".join(event.hash for event in copy.events), copy.heads)


def _fault(copy: Copy) -> str:
    """What is wrong with the chain, the seals or the batches of a record; nothing if it is whole."""
    try:
        end_of(copy.table, START, copy.events)
    except LogDamaged as damage:
        return str(damage).removeprefix(f"{copy.table} ")
    return next(iter(chain_faults(copy.events)), "") or _torn(copy.events)


def _torn(events: tuple[Recorded, ...]) -> str:
    if not events or events[-1].envelope.batch[1] == events[-1].version:
        return ""
    return f"version {events[-1].version}: its batch goes on, and the record does not"


def parting(one: Holdings, other: Holdings) -> int | None:
    """The first version at which two chains differ; None if one is the beginning of the other."""
    both: Any = range(1, min(one.length, other.length) + 1)
    at = bisect_left(both, True, key=lambda version: one.at(version) != other.at(version))
    return at + 1 if at < len(both) else None  # a hash covers all before it, so what differs once differs from there on
