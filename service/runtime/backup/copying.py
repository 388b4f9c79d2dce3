"""Copies a store that is in use: of the log one moment, of each account one moment.

A feed and the events that it tells of never change. So what makes a copy whole is where the feeds are cut off: their
ends are read together with what is due then (on one server in one transaction, on a cluster in one for each partition),
and everything up to there is read afterwards, however much is played meanwhile. Accounts are copied after all tables:
whoever sits at a table has an account in the copy, unless it has ended since.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import islice
from typing import Any, NamedTuple, TypeVar

import redis

from events.archiving import segments
from events.log import Pointer
from events.recorded import fields_of as fields_as_kept
from events.store import RedisLog
from service.accounts.accounts import key_of
from service.accounts.webhooks import keys_of
from service.runtime.backup.kinds import Kind, kind_of
from service.runtime.backup.records import DueCopy, Entry, FeedCopy, KeyCopy, PersonCopy, Record, TableCopy

PAGE = 1000  # pointers read at once
TABLES, PEOPLE = 20, 100  # read in one trip

Item = TypeVar("Item")


class Place(NamedTuple):
    """Up to where a table is copied: a version and, where the feed tells it, the hash of the event there."""

    version: int
    hash: bytes


class Copier:
    """Reads everything that a backup holds, and remembers what it found wrong and what it does not know."""

    def __init__(self, log: RedisLog, report: Callable[[int], Any] = lambda _: None) -> None:
        self.log, self.client, self._report = log, log.client, report
        self.faults: list[str] = []
        self.unknown: list[str] = []

    def records(self) -> Iterator[Record]:
        """All records between the header and the end."""
        cuts, known = self._cuts(), set[str]()
        for cut in cuts:
            places = self._places(cut)
            known |= places.keys()
            yield from self._tables(places)
            yield from (FeedCopy(cut.partition, page) for page in self._feed(cut.partition, 0, cut.end))
            yield cut
        yield from self._others(cuts, known)

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
            found = pipe.execute()
        for partition, newest, due in zip(partitions, found[::2], found[1::2], strict=True):
            end = position_of(newest[0][0].decode()) if newest else 0
            yield DueCopy(partition, end, {member.decode(): score for member, score in due})

    def _feed(self, partition: int, after: int, upto: int | None = None) -> Iterator[tuple[Entry, ...]]:
        """The pages of a feed behind a position."""
        end = "+" if upto is None else upto
        while upto is None or after < upto:
            found = self.client.xrange(self.log.partition_key(partition, "feed"), after + 1, end, PAGE)
            if not found:
                return
            page = self._archived(partition, after, entries_of(found))
            yield page
            after = position_of(page[-1][0])

    def _archived(self, partition: int, after: int, page: tuple[Entry, ...]) -> tuple[Entry, ...]:
        """The page, or if what is before it lies in the archive, the first of that."""
        first = position_of(page[0][0])
        if first == after + 1:
            return page
        older = [pointer for pointer in self.log.feed(partition, after, PAGE) if pointer.position < first]
        return tuple(map(entry_of, older))

    def _places(self, cut: DueCopy) -> dict[str, Place]:
        """Where the tables of a partition stand where its feed is cut off."""
        found: dict[str, Place] = {}
        for page in self._feed(cut.partition, 0, cut.end):
            for entry in page:
                if told := told_by(entry):
                    found[told.table] = Place(told.last, told.hash)
        return found

    def _tables(self, places: Mapping[str, Place]) -> Iterator[TableCopy]:
        for names in slices(places, TABLES):
            with self.client.pipeline(transaction=False) as pipe:
                for name in names:
                    pipe.xrange(self.log.table_key(name, "events"), "-", places[name].version)
                    pipe.hgetall(self.log.table_key(name, "requests"))
                    pipe.hmget(self.log.table_key(name, "head"), "version", "hash", "place")
                found = pipe.execute()
            for name, events, requests, head in zip(names, found[::3], found[1::3], found[2::3], strict=True):
                entries = self._archived_events(name, head[2]) if head[2] else entries_of(events)
                yield self._table(name, places[name], entries[: places[name].version], requests, head)
            self._report(len(names))

    def _archived_events(self, name: str, place: bytes) -> tuple[Entry, ...]:
        """The events of an archived table as the store would have them: a backup is whole without the archive."""
        events = self.log.archived(name, segments.Place.read(place))
        return entries_of((f"{event.version}-0".encode(), fields_as_kept(event)) for event in events)

    def _table(
        self, name: str, place: Place, entries: tuple[Entry, ...], requests: Mapping[bytes, bytes], head: Any
    ) -> TableCopy:
        """A table up to its place; a head that lies behind it, or elsewhere, is a fault."""
        last = fields_of(entries[-1]).get(b"h", b"") if entries else b""
        there = place.hash or last
        version, held = int(head[0] or 0), head[1]
        if version < place.version or (version == place.version and held != there):
            self.faults.append(f"{name}: its head is at version {version}, and the feed tells of {place.version}")
        answered = {request: span for request, span in requests.items() if _last(span) <= place.version}
        return TableCopy(name, place.version, there, entries, answered)

    def _others(self, cuts: list[DueCopy], known: set[str]) -> Iterator[Record]:
        """Everything but the log, from one walk through all keys; and tables of which no feed tells."""
        strangers: set[str] = set()
        for keys in slices((key.decode() for key in self.client.scan_iter(count=PAGE)), PEOPLE):
            found: dict[Kind, dict[str, str]] = defaultdict(dict)
            for key in keys:
                kind, name = kind_of(key)
                found[kind][key] = name
            strangers |= {*found[Kind.TABLE].values()} - known
            self.unknown += found[Kind.UNKNOWN]
            yield from map(self._whole, found[Kind.WHOLE])
            yield from self._accounts(list(found[Kind.ACCOUNT].values()))
            yield from self._transcripts(found[Kind.TRANSCRIPTS])
        yield from self._untold(cuts, strangers)

    def _untold(self, cuts: list[DueCopy], strangers: set[str]) -> Iterator[Record]:
        """The tables that no feed tells of; one that was opened since the feeds were cut off is left out."""
        since = {
            told.table
            for partition in {self.log.partition(name) for name in strangers}
            for page in self._feed(partition, cuts[partition].end)
            for told in map(told_by, page)
            if told
        }
        untold = {name: Place(head.version, head.hash) for name in strangers - since for head in [self.log.head(name)]}
        self.faults += [f"{name}: its feed does not tell of it" for name in sorted(untold)]
        yield from self._tables(untold)

    def _whole(self, key: str) -> KeyCopy:
        value = self.client.hgetall(key) if self.client.type(key) == b"hash" else self.client.get(key)
        return KeyCopy(key, value or b"")

    def _accounts(self, people: list[str]) -> Iterator[PersonCopy]:
        """Accounts with their tokens; a token that is revoked meanwhile is in neither the list nor the copy."""
        if not people:
            return
        with self.client.pipeline(transaction=True) as pipe:
            for person in people:
                pipe.hgetall(key_of("tokens", person))
                for key in _records(person):  # a cluster's pipeline knows no MGET
                    pipe.get(key)
            found = iter(pipe.execute())
        for person in people:
            yield self._account(person, next(found), list(islice(found, len(_records(person)))))

    def _account(self, person: str, tokens: Mapping[bytes, bytes], records: list[bytes | None]) -> PersonCopy:
        kept = [KeyCopy(key, value) for key, value in zip(_records(person), records, strict=True) if value]
        texts = self._values({key_of("token", digest.decode()): name for name, digest in tokens.items()})
        if texts:
            kept.append(KeyCopy(key_of("tokens", person), {name: tokens[name] for _, name, _ in texts}))
        return PersonCopy(person, Kind.ACCOUNT.name, (*kept, *(KeyCopy(key, value) for key, _, value in texts)))

    def _transcripts(self, lists: Mapping[str, str]) -> Iterator[PersonCopy]:
        """The transcripts of people; one that is deleted meanwhile is in neither the list nor the copy."""
        for key, person in lists.items():
            slot, rows = key.partition("}")[0], self.client.hgetall(key)
            texts = self._values({f"{slot}}}:{name.decode()}": name for name in rows})
            listed = KeyCopy(key, {name: rows[name] for _, name, _ in texts})
            yield PersonCopy(person, Kind.TRANSCRIPTS.name, (listed, *(KeyCopy(one, text) for one, _, text in texts)))

    def _values(self, keys: Mapping[str, bytes]) -> list[tuple[str, bytes, bytes]]:
        """Those of the keys that are there: key, the name by which a list has it, value."""
        values = self.client.mget(list(keys)) if keys else []
        return [(key, name, value) for (key, name), value in zip(keys.items(), values, strict=True) if value]


def _records(person: str) -> tuple[str, str, str]:
    return key_of("player", person), *keys_of(person)


def _last(span: bytes) -> int:
    """The last version of what a request led to; 0 for what is no answer."""
    last = span.rsplit(b":", 1)[-1]
    return int(last) if last.isdigit() else 0


def entries_of(found: Iterable[tuple[bytes, Mapping[bytes, bytes]]]) -> tuple[Entry, ...]:
    """Entries of a stream as a backup has them."""
    return tuple((entry.decode(), tuple(part for field in fields.items() for part in field)) for entry, fields in found)


def entry_of(pointer: Pointer) -> Entry:
    """A pointer as the feed would have it."""
    told = {b"t": pointer.table.encode(), b"f": str(pointer.first).encode(), b"l": str(pointer.last).encode()}
    fields = told | ({b"h": pointer.hash} if pointer.hash else {})
    return entries_of([(f"{pointer.position}-0".encode(), fields)])[0]


def fields_of(entry: Entry) -> dict[bytes, bytes]:
    """The fields of an entry."""
    return dict(zip(entry[1][::2], entry[1][1::2], strict=True))


def told_by(entry: Entry) -> Pointer | None:
    """What an entry of a feed tells; None for one that is damaged."""
    fields = fields_of(entry)
    try:
        table, first, last = fields[b"t"].decode(), int(fields[b"f"]), int(fields[b"l"])
    except (KeyError, ValueError):
        return None
    return Pointer(position_of(entry[0]), table, first, last, fields.get(b"h", b""))


def position_of(entry: str) -> int:
    """The number that the id of an entry begins with."""
    return int(entry.partition("-")[0])


def slices(items: Iterable[Item], most: int) -> Iterator[list[Item]]:
    """The items, so many at once."""
    left = iter(items)
    while some := list(islice(left, most)):
        yield some
