"""Copies a store that is in use: of the log one moment, of each account one moment.

A feed and the events that it tells of never change. So what makes a copy whole is where the feeds are cut off: their
ends are read together with what is due then (on one server in one transaction, on a cluster in one for each partition),
and everything up to there is read afterwards, however much is played meanwhile. Accounts are copied after all tables:
whoever sits at a table has an account in the copy, unless it has ended since. What concerns all of them is copied after
the accounts: a report that one has made is there, as its number would be that of the next one otherwise.
"""

import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, TypeVar

import redis

from events.all_keys import all_keys
from events.archiving import segments
from events.archiving.objects import ArchiveUnavailable
from events.log import LogUnreadable, Pointer
from events.recorded import Head
from events.recorded import fields_of as stored
from events.store import RedisLog
from projections import catalogue
from service.runtime.backup import people
from service.runtime.backup.archived import BySegment, sort_in
from service.runtime.backup.kinds import Kind, kind_of, text_of
from service.runtime.backup.places import CopiedUpTo, archived_up_to, places_told
from service.runtime.backup.records import (
    DueCopy,
    Entry,
    FeedCopy,
    KeyCopy,
    Record,
    SegmentsCopy,
    TableCopy,
)

UNREADABLE = (LogUnreadable, KeyError, ValueError)  # what reading a damaged feed raises
PAGE = 1000  # pointers read at once
TABLES, PEOPLE = 20, 100  # read in one trip

Item = TypeVar("Item")


class Copier:
    """Reads everything that a backup holds, and remembers what it found wrong and what it does not know."""

    def __init__(self, log: RedisLog, report: Callable[[int], Any] = lambda _: None) -> None:
        self.log, self.client, self._report = log, log.client, report
        self.faults: list[str] = []
        self.unknown: list[str] = []
        self.by_segment: BySegment = {}
        self.silence: str | None = None  # why the archive was not asked any more
        self._unread: set[int] = set()  # the partitions whose older pointers could not be read

    def records(self) -> Iterator[Record]:
        """All records between the header and the end."""
        cuts, known = self._cuts(), set[str]()
        for cut in cuts:
            places = self._places(cut)
            known |= places.keys()
            yield from self._tables(places)
            yield from self._pages(cut)
            yield cut
        yield from self._others(cuts, known)
        yield self._segments()

    def _cuts(self) -> list[DueCopy]:
        """Where each feed ends, and what is due at that moment."""
        partitions = range(self.log.partitions)
        together = [[one] for one in partitions] if isinstance(self.client, redis.RedisCluster) else [list(partitions)]
        return [cut for some in together for cut in self._cut(some)]

    def _cut(self, partitions: list[int]) -> Iterator[DueCopy]:
        with self.client.pipeline(transaction=True) as pipe:
            for partition in partitions:
                pipe.xrevrange(self.log.partition_key(partition, "feed"), "+", "-", 1)
                pipe.zrange(self.log.partition_key(partition, "due"), 0, -1, withscores=True)
                pipe.hgetall(self.log.partition_key(partition, "feed:parts"))
            found = pipe.execute()
        for partition, newest, due, parts in zip(partitions, found[::3], found[1::3], found[2::3], strict=True):
            end = position_of(newest[0][0].decode()) if newest else 0
            yield DueCopy(partition, end, dict(self._due(partition, due)), parts)

    def _due(self, partition: int, due: Iterable[tuple[bytes, float]]) -> Iterator[tuple[str, float]]:
        """What is due; a name that is none is a fault, and left out."""
        for member, score in due:
            try:
                yield member.decode(), score
            except UnicodeDecodeError:
                self.faults.append(f"partition {partition}: {member!r} is due, which is no name; left out")

    def _feed(self, partition: int, after: int, upto: float = math.inf) -> Iterator[Sequence[Pointer]]:
        """The pointers behind a position, page by page; those that were archived since are read there."""
        while after < upto and (found := self.log.feed(partition, after, PAGE)):
            yield [pointer for pointer in found if pointer.position <= upto]
            after = found[-1].position

    def _places(self, cut: DueCopy) -> dict[str, CopiedUpTo]:
        """Where the tables of a partition stand where its feed is cut off, as far as it tells."""
        newer = self._readable(cut, self._feed(cut.partition, archived_up_to(cut), cut.end))
        return self._older_places(cut) | places_told(newer)

    def _older_places(self, cut: DueCopy) -> dict[str, CopiedUpTo]:
        """What the archived part of a feed tells of that; nothing, where it cannot be read to its end.

        Tables of which it alone tells are found by their heads then. The archive is asked until it does not answer.
        """
        try:
            if not self.silence:
                return places_told(self._feed(cut.partition, 0, archived_up_to(cut)))
        except ArchiveUnavailable as error:
            self.silence = str(error)
        except UNREADABLE as error:
            self._tell_unreadable(cut, error)
        self._unread |= {cut.partition} if cut.parts else set()
        return {}

    def _pages(self, cut: DueCopy) -> Iterator[FeedCopy]:
        """The part of a feed that was not archived when it was cut off."""
        for page in filter(None, self._readable(cut, self._feed(cut.partition, archived_up_to(cut), cut.end))):
            yield FeedCopy(cut.partition, tuple(map(entry_of, page)))

    def _readable(self, cut: DueCopy, pages: Iterator[Sequence[Pointer]]) -> Iterator[Sequence[Pointer]]:
        """The pages up to one that cannot be read, which is a fault."""
        try:
            yield from pages
        except UNREADABLE as error:
            self._tell_unreadable(cut, error)

    def _tell_unreadable(self, cut: DueCopy, error: Exception) -> None:
        told = f"partition {cut.partition}: its feed cannot be read ({type(error).__name__}: {error})"
        self.faults += [] if told in self.faults else [told]

    def _tables(self, places: Mapping[str, CopiedUpTo]) -> Iterator[TableCopy]:
        for names in slices(places, TABLES):
            with self.client.pipeline(transaction=False) as pipe:
                for name in names:
                    pipe.xrange(self.log.table_key(name, "events"), "-", places[name].version)
                    pipe.hgetall(self.log.table_key(name, "requests"))
                    pipe.hmget(self.log.table_key(name, "head"), "version", "hash", "place")
                found = pipe.execute()
            for name, events, requests, head in zip(names, found[::3], found[1::3], found[2::3], strict=True):
                yield self._table(name, places[name], entries_of(events), requests, head)
            self._report(len(names))

    def _table(
        self, name: str, place: CopiedUpTo, entries: tuple[Entry, ...], requests: Mapping[bytes, bytes], head: Any
    ) -> TableCopy:
        """A table up to its place; a head that lies behind it, or elsewhere, is a fault.

        One that was archived since, further than to this place, is copied as it was.
        """
        version, held, where = number_in(head[0]), head[1] or b"", head[2] or b""
        if where and version > place.version:
            entries, where = self._unpacked(name, place, where), b""
        last = fields_of(entries[-1]).get(b"h", b"") if entries else b""
        there = place.hash or last or held
        self._compare(name, (version, held), (place.version, there))
        answered = _answered(requests, place.version)
        copy = TableCopy(name, place.version, there, () if where else entries, answered, where)
        sort_in(self.by_segment, copy)
        return copy

    def _compare(self, name: str, head: tuple[int, bytes], told: tuple[int, bytes]) -> None:
        """Notes a head that lies behind what the feed tells, or elsewhere."""
        if head != told and head[0] <= told[0]:
            self.faults.append(f"{name}: its head is at version {head[0]}, and the feed tells of {told[0]}")

    def _unpacked(self, name: str, place: CopiedUpTo, where: bytes) -> tuple[Entry, ...]:
        """The entries of an archived table; none, and a fault, where they are not at the place that its head names."""
        try:
            events = self.log.archived(name, segments.SegmentRange.read(where))[: place.version]
        except LogUnreadable as damage:
            self.faults.append(f"{name}: {damage}")
            return ()
        return entries_of((f"{event.version}-0".encode(), stored(event)) for event in events)

    def _segments(self) -> SegmentsCopy:
        """The segments up to the last one in which a table of the copy lies."""
        names = [segment.name for segment in catalogue.named(self.client, 1)]
        needed = max((names.index(name) + 1 for name in self.by_segment if name in names), default=0)
        return SegmentsCopy(tuple(names[:needed]))

    def _others(self, cuts: list[DueCopy], known: set[str]) -> Iterator[Record]:
        """Everything but the log, from one walk through all keys; and tables of which no feed tells."""
        strangers: set[str] = set()
        whole: list[str] = []
        for keys in slices(map(text_of, all_keys(self.client, count=PAGE)), PEOPLE):
            found: dict[Kind, dict[str, str]] = defaultdict(dict)
            for key in keys:
                kind, name = kind_of(key)
                found[kind][key] = name
            strangers |= {*found[Kind.TABLE].values()} - known
            self.unknown += found[Kind.UNKNOWN]
            whole += found[Kind.WHOLE]
            yield from people.accounts(self.client, list(found[Kind.ACCOUNT].values()))
            yield from people.transcripts(self.client, found[Kind.TRANSCRIPTS])
        yield from map(self._whole, whole)
        yield from self._untold(cuts, strangers)

    def _untold(self, cuts: list[DueCopy], strangers: set[str]) -> Iterator[Record]:
        """The tables that no feed tells of, up to where they stood when the feeds were cut off.

        One that was opened since is left out. That a feed does not tell of a table is a fault, if it was read.
        """
        heads = {name: head for name in sorted(strangers) if (head := self._head(name))}
        since = self._told_since(cuts, {self.log.partition(name) for name in strangers})
        places = dict(self._stood(heads, since))
        self.faults += [f"{name}: its feed does not tell of it" for name in places if not self._is_unread(name)]
        yield from self._tables(places)

    def _stood(self, heads: Mapping[str, Head], since: Mapping[str, int]) -> Iterator[tuple[str, CopiedUpTo]]:
        """Where tables stood: where their heads were read, unless feeds tell of them behind where they were cut off."""
        for name, head in heads.items():
            if name not in since:
                yield name, CopiedUpTo(head.version, head.hash)
            elif self._is_unread(name) and since[name] > 1:
                yield name, CopiedUpTo(since[name] - 1, b"")

    def _is_unread(self, name: str) -> bool:
        """Whether the feed may tell of a table where it was not read."""
        return self.log.partition(name) in self._unread

    def _head(self, name: str) -> Head | None:
        """The head of a table; None, and a fault, for one that is damaged."""
        try:
            return self.log.head(name)
        except LogUnreadable as damage:
            self.faults.append(f"{damage}; left out")
            return None

    def _told_since(self, cuts: list[DueCopy], partitions: set[int]) -> dict[str, int]:
        """The tables of which feeds tell behind where they were cut off, with the first version of which they do."""
        since: dict[str, int] = {}
        for partition in partitions:
            for page in self._readable(cuts[partition], self._feed(partition, cuts[partition].end)):
                for told in page:
                    since.setdefault(told.table, told.first)
        return since

    def _whole(self, key: str) -> KeyCopy:
        value = self.client.hgetall(key) if self.client.type(key) == b"hash" else self.client.get(key)
        return KeyCopy(key, value or b"")


def _answered(requests: Mapping[bytes, bytes], version: int) -> dict[bytes, bytes]:
    """The requests that led to events up to a version."""
    return {request: span for request, span in requests.items() if _last(span) <= version}


def _last(span: bytes) -> int:
    """The last version of what a request led to; 0 for what is no answer."""
    return number_in(span.rsplit(b":", 1)[-1])


def number_in(kept: bytes | None) -> int:
    """A number that is kept; 0 for what is none."""
    return int(kept) if kept and kept.isdigit() else 0


def entries_of(found: Iterable[tuple[bytes, Mapping[bytes, bytes]]]) -> tuple[Entry, ...]:
    """Entries of a stream as a backup has them."""
    return tuple((entry.decode(), tuple(part for field in fields.items() for part in field)) for entry, fields in found)


def entry_of(pointer: Pointer) -> Entry:
    """A pointer as the feed keeps it."""
    told: tuple[bytes, ...] = (b"t", pointer.table.encode(), b"f", b"%d" % pointer.first, b"l", b"%d" % pointer.last)
    told += (b"h", pointer.hash) if pointer.hash else ()
    return f"{pointer.position}-0", told if pointer.due is None else (*told, b"d", b"%d" % pointer.due)


def fields_of(entry: Entry) -> dict[bytes, bytes]:
    """The fields of an entry."""
    return dict(zip(entry[1][::2], entry[1][1::2], strict=True))


def position_of(entry: str) -> int:
    """The number that the id of an entry begins with."""
    return int(entry.partition("-")[0])


def slices(items: Iterable[Item], most: int) -> Iterator[list[Item]]:
    """The items, so many at once."""
    left = iter(items)
    while some := list(islice(left, most)):
        yield some
