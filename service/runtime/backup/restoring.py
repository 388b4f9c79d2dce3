"""Writes a backup into a store, and compares what the store then holds with it.

A mark in the store says that a restore is under way: no process starts meanwhile, and whoever repeats a restore
that was cut off begins anew. What was erased since the backup was made is not written at all.
"""

import contextlib
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
from redis.exceptions import RedisError

from events.all_keys import all_keys
from events.archiving.objects import Objects
from events.log import PARTITIONS
from events.same_servers import ServersChanged, same_servers
from events.scripts import Client, script
from events.store import META, RedisLog, connect
from projections.catalogue import SEGMENTS
from projections.history import Histories
from projections.runner import Runner
from service.accounts.account_texts import ENCRYPTED
from service.accounts.accounts import REPEATS_S
from service.loading import RESTORING
from service.runtime.alone import alone
from service.runtime.backup.copying import entries_of, slices
from service.runtime.backup.kinds import OF_OTHERS, OF_PEOPLE, Kind, kind_of, text_of
from service.runtime.backup.records import (
    DueCopy,
    Entry,
    FeedCopy,
    Header,
    KeyCopy,
    PersonCopy,
    Record,
    SegmentsCopy,
    TableCopy,
    records_of,
)

MOST_BYTES = 1 << 20  # of entries in one call of the script
AT_ONCE = 200  # keys removed in one call, tables read back in one trip


class Target(NamedTuple):
    """The store to restore into, and the archive that belongs to it."""

    url: str
    archive: Objects | None = None


class NotEmpty(Exception):
    """The store holds something already."""


class MayLack(Exception):
    """What was written may be lost in part, and what to do."""


class Written(msgspec.Struct):
    """What was written, and what is otherwise in the store than in the backup."""

    tables: int = 0
    erased: int = 0
    faults: list[str] = msgspec.field(default_factory=list)


def restore(
    target: Target,
    path: Path,
    erased: set[str],
    *,
    replace: bool = False,
    report: Callable[[int], Any] = lambda _: None,
) -> Written:
    """Writes a backup that was checked into an empty store, or in place of what is there.

    Lobby and standings are made from the restored log. `report` is told how many tables were written.
    Raises `NotEmpty`, `AnotherIsAtIt` while somebody else is at it, and `MayLack`.
    """
    client = connect(target.url)
    with alone(client, "restore") as check_alone:
        _check_empty(client, replace=replace)
        with _marked(client, path.name):
            with _nothing_lost(client):
                _clear(client)
                restorer = _restored(client, path, target.archive, erased, report)
                client.delete(ENCRYPTED)  # a server that was not stopped may have looked before all accounts were back
            check_alone()
    return restorer.written


@contextlib.contextmanager
def _marked(client: Client, name: str) -> Iterator[None]:
    """Marks the store until the block has come to its end; for good, if it does not.

    The mark is set once more then: whoever answers by now may have lost it, as it may have lost all else.
    """
    client.set(RESTORING, name)
    try:
        yield
    except BaseException:
        with contextlib.suppress(RedisError):
            client.set(RESTORING, name)
        raise
    client.delete(RESTORING)


@contextlib.contextmanager
def _nothing_lost(client: Client) -> Iterator[None]:
    """Raises `MayLack` if a server was started again meanwhile, or a replica promoted that lagged behind it."""
    try:
        with same_servers(client):
            yield
    except ServersChanged:
        raise MayLack(
            "a server was started again, a replica has taken its place, or slots of the cluster moved, so some of what "
            "was written may be lost: restore again"
        ) from None


def _check_empty(client: Client, *, replace: bool) -> None:
    """Raises `NotEmpty` for a store with something in it, unless that is what a restore left that was cut off."""
    if not replace and not client.exists(RESTORING) and (held := next(_held(client), None)):
        raise NotEmpty(
            f"the store is not empty: it holds {held}. Stop what runs and say --replace, or use another store"
        )


def _restored(
    client: Client, path: Path, archive: Objects | None, erased: set[str], report: Callable[[int], Any]
) -> "Restorer":
    """Writes all records, and makes lobby and standings of them."""
    log = _begun(client, records := records_of(path), archive)
    restorer = Restorer(client, log, erased)
    for some in slices(records, AT_ONCE):
        restorer.write(some)
        report(sum(isinstance(record, TableCopy) for record in some))
    Runner(log, Histories(log)).catch_up(range(log.partitions))
    return restorer


def _begun(client: Client, records: Iterator[Record], archive: Objects | None) -> RedisLog:
    """An empty log with as many partitions as that of the backup."""
    header = next(records)
    client.hset(META, "partitions", header.partitions if isinstance(header, Header) else PARTITIONS)
    return RedisLog(client, PARTITIONS, archive)


def _held(client: Client) -> Iterator[str]:
    """The keys in a store that somebody may miss."""
    keys = map(text_of, all_keys(client))
    return (key for key in keys if key != META and kind_of(key)[0] in OF_PEOPLE)


def _clear(client: Client) -> None:
    """Removes all that the service keeps; what others keep in the same server stays."""
    keys = (key for key in all_keys(client) if kind_of(text_of(key))[0] not in OF_OTHERS)
    for some in slices(keys, AT_ONCE):
        with client.pipeline(transaction=False) as pipe:
            for key in some:
                pipe.unlink(key)
            pipe.execute()


class Restorer:
    """Writes records. Each call may be repeated."""

    def __init__(self, client: Client, log: RedisLog, erased: set[str]) -> None:
        self._client, self._log, self._erased = client, log, erased
        self._entries = script(client, "service.runtime.backup", "entries.lua")
        self._writers: dict[type[Record], Callable[[Any], None]] = {
            TableCopy: self._table,
            FeedCopy: self._feed,
            DueCopy: self._due,
            SegmentsCopy: self._segments,
            KeyCopy: self._key,
            PersonCopy: self._person,
        }
        self.written = Written()

    def write(self, records: list[Record]) -> None:
        """Writes some records and reads back the tables among them."""
        for record in records:
            self._writers[type(record)](record)
        self._read_back([record for record in records if isinstance(record, TableCopy)])
        self._read_feeds([record for record in records if isinstance(record, FeedCopy)])

    def _table(self, copy: TableCopy) -> None:
        self._stream(self._log.table_key(copy.table, "events"), copy.entries)
        if copy.requests:
            key = self._log.table_key(copy.table, "requests")
            self._client.hset(key, mapping=copy.requests)
            if copy.place:
                self._client.expire(key, REPEATS_S)
        head: dict[str, Any] = {"version": copy.version, "hash": copy.hash}
        head |= {"place": copy.place} if copy.place else {}
        self._client.hset(self._log.table_key(copy.table, "head"), mapping=head)
        self.written.tables += 1

    def _feed(self, page: FeedCopy) -> None:
        self._stream(self._log.partition_key(page.partition, "feed"), page.entries)

    def _due(self, cut: DueCopy) -> None:
        if cut.due:
            self._client.zadd(self._log.partition_key(cut.partition, "due"), cut.due)
        if cut.parts:
            self._client.hset(self._log.partition_key(cut.partition, "feed:parts"), mapping=cut.parts)

    def _segments(self, copy: SegmentsCopy) -> None:
        if copy.names:
            self._client.zadd(SEGMENTS, {name: number for number, name in enumerate(copy.names, 1)})

    def _stream(self, key: str, entries: Iterable[Entry]) -> None:
        for chunk in _chunks(entries):
            self._entries(keys=[key], args=_arguments(chunk))

    def _person(self, copy: PersonCopy) -> None:
        """Whoever was erased is not brought back."""
        if copy.person in self._erased:
            self.written.erased += copy.kind == Kind.ACCOUNT.name
            return
        for key in copy.keys:
            self._key(self._without_erased(key))

    def _without_erased(self, copy: KeyCopy) -> KeyCopy:
        """A key without the fields that others have of whoever was erased: blocks are named after people."""
        if isinstance(copy.value, bytes):
            return copy
        left = {field: value for field, value in copy.value.items() if text_of(field) not in self._erased}
        return KeyCopy(copy.key, left)

    def _key(self, copy: KeyCopy) -> None:
        if isinstance(copy.value, bytes):
            self._client.set(copy.key, copy.value)
        elif copy.value:
            self._client.hset(copy.key, mapping=copy.value)

    def _read_back(self, copies: list[TableCopy]) -> None:
        with self._client.pipeline(transaction=False) as pipe:
            for copy in copies:
                pipe.xrange(self._log.table_key(copy.table, "events"))
                pipe.hgetall(self._log.table_key(copy.table, "requests"))
                pipe.hmget(self._log.table_key(copy.table, "head"), "version", "hash", "place")
            found = pipe.execute()
        for copy, events, requests, head in zip(copies, found[::3], found[1::3], found[2::3], strict=True):
            wrote = (copy.entries, copy.requests, [str(copy.version).encode(), copy.hash, copy.place or None])
            if (entries_of(events), requests, head) != wrote:
                self.written.faults.append(f"{copy.table}: the store does not hold what was written to it")

    def _read_feeds(self, pages: list[FeedCopy]) -> None:
        for page in pages:
            key, ids = self._log.partition_key(page.partition, "feed"), [entry for entry, _ in page.entries]
            if entries_of(self._client.xrange(key, ids[0], ids[-1])) != page.entries:
                self.written.faults.append(f"partition {page.partition}: its feed does not hold what was written to it")


def _arguments(entries: Iterable[Entry]) -> list[Any]:
    return [part for entry, fields in entries for part in (entry, len(fields), *fields)]


def _chunks(entries: Iterable[Entry]) -> Iterator[list[Entry]]:
    """The entries, about a mebibyte or some hundreds at once."""
    chunk: list[Entry] = []
    size = 0
    for entry in entries:
        chunk.append(entry)
        size += sum(map(len, entry[1]))
        if size >= MOST_BYTES or len(chunk) >= AT_ONCE:
            yield chunk
            chunk, size = [], 0
    if chunk:
        yield chunk
