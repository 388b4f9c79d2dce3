"""Checks a backup as it lies in its file: the chain and seals of every table, and that the feeds tell of all of it."""

import math
import re
from collections import deque
from collections.abc import Iterator
from itertools import islice, pairwise
from pathlib import Path

import msgspec

from events.log import Pointer
from events.recorded import Recorded, chain_faults, from_fields
from service.runtime.backup.archived import BySegment, sort_in
from service.runtime.backup.copying import fields_of, position_of
from service.runtime.backup.kinds import Kind, kind_of
from service.runtime.backup.records import (
    BackupRefused,
    DueCopy,
    Entry,
    FeedCopy,
    Header,
    KeyCopy,
    PersonCopy,
    Record,
    TableCopy,
    records_of,
)
from service.tables.audit import MOST_FAULTS

MOST_PARTITIONS = 1 << 14  # more than a cluster has slots for
ENTRY = re.compile(r"([0-9]{1,19})-([0-9]{1,19})")  # the id of an entry
OF_THE_LOG = (Kind.TABLE, Kind.LOG)  # what has records of its own


class Counts(msgspec.Struct):
    """What a backup holds."""

    release: str = ""
    at: str = ""
    tables: int = 0
    events: int = 0
    batches: int = 0
    due: int = 0
    accounts: int = 0
    transcripts: int = 0
    archived: int = 0
    by_segment: BySegment = msgspec.field(default_factory=dict)
    faults: list[str] = msgspec.field(default_factory=list)

    @property
    def summary(self) -> str:
        """In words, without the faults."""
        return (
            f"{self.tables} tables ({self.archived} of them archived) with {self.events} events in "
            f"{self.batches} batches, {self.due} due entries, {self.accounts} accounts, {self.transcripts} people's "
            "transcripts"
        )


def checked(path: Path) -> Counts:
    """What the file holds and what is wrong with it; raises `BackupRefused` for one that is not whole.

    And for one that no store would take: a restore that fails half way has removed what was there before.
    """
    counts, told = Counts(), dict[str, int]()
    versions: dict[str, int] = {}
    deque(map(_refuse_impossible, records_of(path)), maxlen=0)  # to the end: nothing is believed that was altered
    for record in records_of(path):
        _count(counts, record)
        if isinstance(record, TableCopy):
            versions[record.table] = record.version
            counts.archived += bool(record.place)
            sort_in(counts.by_segment, record)
            counts.faults += islice(table_faults(record), MOST_FAULTS)
        elif isinstance(record, FeedCopy):
            counts.faults += islice(_feed_faults(record, told), MOST_FAULTS)
    counts.faults += islice(_untold(versions, told), MOST_FAULTS)
    return counts


def _refuse_impossible(record: Record) -> None:
    """Raises `BackupRefused` for a record that cannot have been copied from a store."""
    match record:
        case Header(partitions=partitions):
            possible = 0 < partitions <= MOST_PARTITIONS
        case TableCopy(entries=entries):
            possible = _ascend(entries)
        case FeedCopy(entries=entries):
            possible = bool(entries) and _ascend(entries)
        case DueCopy(due=due):
            possible = not any(map(math.isnan, due.values()))
        case KeyCopy(key=key):
            possible = kind_of(key)[0] not in OF_THE_LOG
        case PersonCopy(keys=keys):
            possible = not any(kind_of(one.key)[0] in OF_THE_LOG for one in keys)
        case _:
            possible = True
    if not possible:
        raise BackupRefused(
            f"a record of the backup was made by hand: no store holds such a one ({type(record).__name__})"
        )


def _ascend(entries: tuple[Entry, ...]) -> bool:
    """Whether these are entries of a stream: each behind the one before, with names and values."""
    ids = [tuple(map(int, found.groups())) for entry, _ in entries if (found := ENTRY.fullmatch(entry))]
    follows = all(one < other for one, other in pairwise([(0, 0), *ids]))
    return len(ids) == len(entries) and follows and all(fields and not len(fields) % 2 for _, fields in entries)


def _count(counts: Counts, record: Record) -> None:
    match record:
        case Header(release=release, at=at):
            counts.release, counts.at = release, at
        case TableCopy(entries=entries):
            counts.tables, counts.events = counts.tables + 1, counts.events + len(entries)
        case FeedCopy(entries=entries):
            counts.batches += len(entries)
        case DueCopy(due=due):
            counts.due += len(due)
        case PersonCopy(kind="ACCOUNT"):
            counts.accounts += 1
        case PersonCopy(keys=(rows, *_)):
            counts.transcripts += bool(rows.value)


def table_faults(copy: TableCopy) -> Iterator[str]:
    """Faults in the chain and the seals of a table, and an end that is not where it was to be."""
    if copy.place:
        return  # its events are in the archive
    try:
        events = tuple(from_fields(fields_of(entry)) for entry in copy.entries)
    except (KeyError, ValueError, msgspec.DecodeError) as error:
        yield f"{copy.table}: one of its entries is no event ({type(error).__name__})"
        return
    yield from (f"{copy.table} {fault}" for fault in chain_faults(events))
    yield from _end_faults(copy, events)


def _end_faults(copy: TableCopy, events: tuple[Recorded, ...]) -> Iterator[str]:
    strays = [event for event in events if event.envelope.table != copy.table]
    ids = [position_of(entry) for entry, _ in copy.entries]
    if strays or ids != [event.version for event in events]:
        yield f"{copy.table}: it holds entries of another table, or in another order"
    if len(events) != copy.version or (events and events[-1].hash != copy.hash):
        yield f"{copy.table}: the feed tells of version {copy.version}, and its stream ends otherwise"


def _feed_faults(page: FeedCopy, told: dict[str, int]) -> Iterator[str]:
    """A feed tells of each table batch by batch, without a gap; what its archived parts tell is before that."""
    is_whole = page.entries[0][0] == "1-0" or told.get(f"whole {page.partition}") == 1
    told[f"whole {page.partition}"] = int(is_whole)
    for entry in page.entries:
        pointer = _told_by(entry)
        if pointer is None:
            yield f"partition {page.partition}: entry {entry[0]} of its feed is damaged"
            continue
        begins = told.get(pointer.table, 0 if is_whole else pointer.first - 1)
        if pointer.first != begins + 1:
            yield f"{pointer.table} version {pointer.first}: the feed does not tell of what is before it"
        told[pointer.table] = pointer.last


def _told_by(entry: Entry) -> Pointer | None:
    """What an entry of a feed tells; None for one that is damaged."""
    fields = fields_of(entry)
    try:
        table, first, last = fields[b"t"].decode(), int(fields[b"f"]), int(fields[b"l"])
        due = int(fields[b"d"]) if b"d" in fields else None
    except (KeyError, ValueError):
        return None
    return Pointer(position_of(entry[0]), table, first, last, fields.get(b"h", b""), due)


def _untold(versions: dict[str, int], told: dict[str, int]) -> Iterator[str]:
    for table in sorted(name for name in told.keys() - versions.keys() if not name.startswith("whole ")):
        yield f"{table}: the feed tells of it, and it is not here"
