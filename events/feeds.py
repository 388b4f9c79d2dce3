"""The feeds: for each partition a Redis stream of pointers, one per batch, in order. Old parts are in the archive.

On a cluster, client-side caching reports which feeds have changed; those are read in one round trip per server.
"""

import logging
import select
import threading
import time
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import chain, islice
from typing import Any, NamedTuple

import redis
from redis.exceptions import ResponseError

from events.archiving import feeds
from events.archiving.feeds import PART
from events.archiving.objects import ArchiveUnavailable, Objects
from events.connections import read_together
from events.log import Log, LogDamaged, LogUnreadable, Pointer
from events.scripts import Client, script

CHANNEL = "__redis__:invalidate"
PAUSE_S = 0.1  # between two reads where servers announce nothing


class Announcements:
    """Listens to all primaries for writes to some keys; for use by one thread."""

    def __init__(self, cluster: redis.RedisCluster, keys: Collection[str]) -> None:
        self._cluster, self._keys = cluster, frozenset(keys)
        self._connections: dict[str, Any] = {}  # by the name of the primary
        self._is_new = False  # whether a connection is new: it does not announce earlier writes
        self._refused = False  # by servers that announce nothing

    def wait_for_changes(self, wait_s: float) -> Collection[str]:
        """Returns the keys that may have been written since the last call, after waiting up to `wait_s` for one.

        Returns all keys if a write may have been missed, because a connection is new or missing.
        """
        if self._refused or not self._connect():
            time.sleep(min(wait_s, PAUSE_S))
            return self._keys
        if self._is_new:
            return self._keys
        return self._received(wait_s)

    def __del__(self) -> None:
        """Closes the connections when the listening thread ends."""
        for name in list(self._connections):
            self._drop(name)

    def _connect(self) -> bool:
        """Connects to the current primaries and drops all others; returns whether all are connected."""
        primaries = {node.name: node for node in self._cluster.get_primaries()}
        for name in self._connections.keys() - primaries.keys():
            self._drop(name)
        missing = primaries.keys() - self._connections.keys()
        self._is_new = bool(missing)
        try:
            for name in missing:
                self._connections[name] = _listening(self._cluster.get_redis_connection(primaries[name]), self._keys)
        except ResponseError:  # some providers do not allow it
            self._refused = True
        except (redis.ConnectionError, redis.TimeoutError):  # reading the feeds will find the new primary
            return False
        return not self._refused

    def _received(self, wait_s: float) -> Collection[str]:
        written: set[str] = set()
        for name in self._ready(wait_s):
            try:
                written |= self._read(self._connections[name])
            except (redis.ConnectionError, redis.TimeoutError):
                self._drop(name)
                return self._keys
        return written

    def _ready(self, wait_s: float) -> list[str]:
        """Returns the primaries that have announced something.

        redis-py can wait on one connection only, so this polls their sockets. `select` would not accept descriptors
        above 1023, and a web process may have more.
        """
        names = {connection._sock.fileno(): name for name, connection in self._connections.items()}
        waiting = select.poll()
        for number in names:
            waiting.register(number, select.POLLIN)
        return [names[number] for number, _ in waiting.poll(max(0.0, wait_s) * 1000)]

    def _read(self, connection: Any) -> set[str]:
        """Returns the keys that one primary has announced; ignores longer keys with the same prefix."""
        written: set[str] = set()
        while connection.can_read():
            _, _, keys = connection.read_response()
            written |= self._keys if keys is None else {key.decode() for key in keys}  # None: the server was flushed
        return written & self._keys

    def _drop(self, name: str) -> None:
        self._connections.pop(name).disconnect()


def _listening(node: redis.Redis, keys: Collection[str]) -> Any:
    """Opens a connection on which a node announces writes to the keys."""
    pool = node.connection_pool
    connection = pool.connection_class(**(pool.connection_kwargs | {"protocol": 2}))
    own = _answer(connection, "CLIENT", "ID")
    prefixes = (word for key in sorted(keys) for word in ("PREFIX", key))
    _answer(connection, "CLIENT", "TRACKING", "ON", "REDIRECT", own, "BCAST", *prefixes)
    _answer(connection, "SUBSCRIBE", CHANNEL)
    return connection


def _answer(connection: Any, *words: Any) -> Any:
    connection.send_command(*words)
    return connection.read_response()


READ_ALL_S = 5.0  # how often all feeds are read, even if nothing is announced
PAGE = 1000  # entries read at once


class ClusterFeeds:
    """Reads the feeds of all partitions of a cluster; for use by one thread."""

    def __init__(self, cluster: Any, keys: Mapping[int, str]) -> None:
        self._cluster, self._keys = cluster, keys
        self._partitions = {key: partition for partition, key in keys.items()}
        self._announcements = Announcements(cluster, self._partitions)
        self._ends: dict[int, int] = {}  # the last positions, as far as they were read
        self._all_read_at = 0.0

    def entries_after(self, after: Mapping[int, int], wait_s: float) -> Iterator[tuple[int, Any]]:
        """Yields the entries after the positions `after`, by partition, waiting up to `wait_s` for the first."""
        end = time.monotonic() + wait_s
        self._forget_changed(0)
        while not (found := self._read(after)) and (left := end - time.monotonic()) > 0:
            self._forget_changed(min(left, READ_ALL_S))
        yield from found

    def _forget_changed(self, wait_s: float) -> None:
        """Forgets the ends of the feeds that were announced, and every `READ_ALL_S` of all feeds."""
        for key in self._announcements.wait_for_changes(wait_s):
            self._ends.pop(self._partitions[key], None)
        if time.monotonic() > self._all_read_at + READ_ALL_S:
            self._ends.clear()
            self._all_read_at = time.monotonic()

    def _read(self, after: Mapping[int, int]) -> list[tuple[int, Any]]:
        asked = [partition for partition, position in after.items() if self._ends.get(partition) != position]
        if not asked:
            return []
        with self._cluster.pipeline(transaction=False) as pipe:
            for partition in asked:
                pipe.xrange(self._keys[partition], after[partition] + 1, "+", PAGE)
            read = dict(zip(asked, pipe.execute(), strict=True))
        for partition, entries in read.items():
            if len(entries) < PAGE:
                self._ends[partition] = _position_of(entries[-1][0]) if entries else after[partition]
        return [(partition, entries) for partition, entries in read.items() if entries]


class RedisFeeds:
    """The feeds of all partitions, in the store and in the archive."""

    def __init__(self, client: Client, partitions: int, archive: Objects | None) -> None:
        self.client, self.partitions, self._archive = client, partitions, archive
        self._clustered = isinstance(client, redis.RedisCluster)
        self._own = threading.local()  # the `ClusterFeeds` of each thread
        self._trim = script(client, "events.archiving", "trim.lua")

    @property
    def has_archive(self) -> bool:
        """Whether this process has an archive configured."""
        return self._archive is not None

    @property
    def archive(self) -> Objects:
        """Returns the archive; raises `ArchiveUnavailable` if none is configured."""
        if self._archive is None:
            raise ArchiveUnavailable("the store has archived tables: set WINTERCOUNT_ARCHIVE to their location")
        return self._archive

    def partition_key(self, partition: int, name: str) -> str:
        """Returns the key of something that belongs to a whole partition."""
        return f"{{p{partition:02d}}}:{name}"

    def everywhere(self, command: str, name: str, *arguments: Any, **options: Any) -> list[Any]:
        """Returns the answer of each partition to a command on one of its keys, in one round trip."""
        with self.client.pipeline(transaction=False) as pipe:
            for partition in range(self.partitions):
                getattr(pipe, command)(self.partition_key(partition, name), *arguments, **options)
            return list(pipe.execute())

    def feed(self, partition: int, after: int, count: int = 1000) -> Sequence[Pointer]:
        """Returns the pointers after a position."""
        entries = self.client.xrange(self.partition_key(partition, "feed"), after + 1, "+", count)
        return self._page(partition, after, count, entries)

    def feeds(self, after: Mapping[int, int], count: int = 1000) -> dict[int, Sequence[Pointer]]:
        """Returns the same for many partitions in one round trip, leaving out unreadable ones."""
        ranges = {partition: (position + 1, "+", "COUNT", count) for partition, position in after.items()}
        found: dict[int, Sequence[Pointer]] = {}
        for partition, entries in self._entries(ranges):
            with suppress(LogUnreadable, ArchiveUnavailable):
                found[partition] = self._page(partition, after[partition], count, entries)
        return found

    def _entries(self, ranges: Mapping[int, tuple[Any, ...]]) -> Iterator[tuple[int, Any]]:
        """Yields the entries in a range of each partition's feed, read in one round trip."""
        commands = [("XRANGE", self.partition_key(partition, "feed"), *asked) for partition, asked in ranges.items()]
        for partition, entries in zip(ranges, read_together(self.client, commands), strict=True):
            if isinstance(entries, Exception):
                raise entries
            yield partition, entries

    def _page(self, partition: int, after: int, count: int, entries: Sequence[Any]) -> Sequence[Pointer]:
        """Returns the archived pointers between a position and these entries, then the entries."""
        found = [_pointer(partition, *entry) for entry in entries]
        if not found or found[0].position == after + 1:
            return found
        older = islice(self._archived(partition, after, found[0].position, count), count)
        return [*older, *found][:count]

    def whole_feed(self, partition: int) -> Iterator[Pointer]:
        """Yields all pointers of a partition."""
        position = 0
        while found := self.feed(partition, position):
            yield from found
            position = found[-1].position

    def _archived(self, partition: int, after: int, before: int, chunk: int = PART) -> Iterator[Pointer]:
        """Yields the archived pointers between two positions, decoding at most `chunk` at a time."""
        while after + 1 < before:
            number = feeds.part_number(after + 1)
            last = min(after + chunk, before - 1, feeds.first_position(number + 1) - 1)
            yield from self._read_part(partition, number, after + 1, last)
            after = last

    def _read_part(self, partition: int, number: int, first: int, last: int) -> list[Pointer]:
        """Reads pointers of an archived part; raises `LogDamaged` if there is no such part."""
        name = self.client.hget(self.partition_key(partition, "feed:parts"), number)
        if name is None:
            raise LogDamaged(f"the feed of partition {partition} lacks position {feeds.first_position(number)}")
        return feeds.read_pointers(self.archive, _part_name(partition, number, name), first, last)

    def archive_part(self, partition: int, upto: int) -> bool:
        """Archives the oldest part of a feed that is still in the store, if it ends at `upto` or before.

        The newest pointers always stay in the store. Returns False if nothing was archived.
        """
        keys = [self.partition_key(partition, name) for name in ("feed", "feed:parts")]
        number = self.client.hlen(keys[1])
        first, last = feeds.first_position(number), feeds.first_position(number + 1) - 1
        if last > upto or last > self.feed_ends()[partition] - feeds.KEPT:
            return False
        pointers = [_pointer(partition, *entry) for entry in self.client.xrange(keys[0], first, last)]
        if len(pointers) != feeds.PART:
            raise LogDamaged(f"the feed of partition {partition} lacks positions from {first} to {last}")
        name = feeds.write_part(self.archive, partition, pointers)
        return bool(self._trim(keys=keys, args=[number, name, last, pointers[-1].hash]))

    def wait_for_pointers(self, after: dict[int, int], wait_s: float) -> Iterator[tuple[int, Pointer]]:
        """Yields the pointers after the positions `after`, waiting up to `wait_s` for the first."""
        return self._wait_on_cluster(after, wait_s) if self._clustered else self._wait(after, wait_s)

    def _wait(self, after: dict[int, int], wait_s: float) -> Iterator[tuple[int, Pointer]]:
        names = {self.partition_key(partition, "feed"): partition for partition in after}
        streams = {name: f"{after[partition]}-0" for name, partition in names.items()}
        answer = self.client.xread(streams, count=1000, block=max(1, int(wait_s * 1000)))
        for name, entries in entries_by_stream(answer):
            partition = names[name.decode()]
            yield from self._without_gap(partition, after[partition], entries)

    def _wait_on_cluster(self, after: dict[int, int], wait_s: float) -> Iterator[tuple[int, Pointer]]:
        if not hasattr(self._own, "feeds"):
            keys = {partition: self.partition_key(partition, "feed") for partition in range(self.partitions)}
            self._own.feeds = ClusterFeeds(self.client, keys)
        for partition, entries in self._own.feeds.entries_after(after, wait_s):
            yield from self._without_gap(partition, after[partition], entries)

    def _without_gap(self, partition: int, after: int, entries: Sequence[Any]) -> Iterator[tuple[int, Pointer]]:
        """Yields the archived pointers between the position `after` and these entries, then the entries."""
        found = [_pointer(partition, *entry) for entry in entries]
        for pointer in chain(self._archived(partition, after, found[0].position), found):
            yield partition, pointer

    def feed_ends(self) -> dict[int, int]:
        """Returns the position of the last pointer in each partition's feed."""
        found = enumerate(self.everywhere("xrevrange", "feed", "+", "-", 1))
        return {partition: _position_of(newest[0][0]) if newest else 0 for partition, newest in found}

    def pointers(self, positions: Mapping[int, int]) -> dict[int, Pointer]:
        """Returns the readable pointers at one position in each of these partitions."""
        found: dict[int, Pointer] = {}
        for partition, entries in self._entries({one: (position, position) for one, position in positions.items()}):
            with suppress(LogDamaged):
                if entries:
                    found[partition] = _pointer(partition, *entries[0])
        older = {partition: position for partition, position in positions.items() if partition not in found}
        return found | dict(self._archived_pointers(older))

    def _archived_pointers(self, positions: Mapping[int, int]) -> Iterator[tuple[int, Pointer]]:
        """Yields the archived pointers at these positions."""
        with self.client.pipeline(transaction=False) as pipe:
            for partition, position in positions.items():
                pipe.hget(self.partition_key(partition, "feed:parts"), feeds.part_number(position))
            names = pipe.execute() if positions else []
        for (partition, position), name in zip(positions.items(), names, strict=True):
            if name is not None:
                number = feeds.part_number(position)
                named = _part_name(partition, number, name)
                (found,) = feeds.read_pointers(self.archive, named, position, position)
                yield partition, found


def _part_name(partition: int, number: int, name: bytes) -> feeds.PartName:
    return feeds.PartName(partition, number, name.decode(errors="replace"))


def entries_by_stream(answer: Any) -> Iterator[tuple[bytes, Sequence[Any]]]:
    """Yields each stream in an answer to XREAD: pairs of RESP2, or a dict of RESP3 with a list in a list."""
    if isinstance(answer, Mapping):
        return ((name, found[0]) for name, found in answer.items())
    return iter(answer or ())


def _position_of(entry_id: bytes) -> int:
    return int(entry_id.split(b"-")[0])


def _pointer(partition: int, entry_id: bytes, fields: dict[bytes, bytes]) -> Pointer:
    """Parses an entry of a feed; raises `LogDamaged`."""
    position = _position_of(entry_id)
    try:
        first, last = int(fields[b"f"]), int(fields[b"l"])
        return Pointer(position, fields[b"t"].decode(), first, last, fields[b"h"])
    except (KeyError, ValueError) as error:
        unreadable = f"the feed of partition {partition} is unreadable at position {position}"
        raise LogDamaged(f"{unreadable} ({type(error).__name__})") from error


CHECK_S = 1.0  # how often `FeedTail` checks that the feeds still hold the pointers it has read

log = logging.getLogger(__name__)


class FeedUpdate(NamedTuple):
    """The new pointers, and the partitions whose feeds went back to an earlier state."""

    pointers: tuple[tuple[int, Pointer], ...]
    gone_back: frozenset[int] = frozenset()

    @property
    def partitions(self) -> set[int]:
        """The partitions that have changed."""
        return {partition for partition, _ in self.pointers} | self.gone_back


class FeedTail:
    """Follows all feeds of a log from where they ended when it was created."""

    def __init__(self, source: Log) -> None:
        self._log = source
        self._positions = source.feed_ends()
        self._recent = source.pointers(self._positions)  # the last pointer of each feed that was read since the check
        self._expected: dict[int, Pointer] = {}  # pointers that the next check must find unchanged
        self._gone_back: frozenset[int] = frozenset()  # detected and not reported yet
        self._checked_at = 0.0

    def next_update(self, wait_s: float) -> FeedUpdate:
        """Returns the changes since the last call, waiting up to `wait_s` for one; a failed call loses nothing.

        A feed whose next part is damaged counts as one that went back.
        """
        try:
            return self._next_update(wait_s)
        except LogUnreadable as damage:
            log.critical("%s: skipping what is unreadable and continuing from the ends of the feeds", damage)
            self._restart(frozenset(self._positions))
            return self._update(())

    def _next_update(self, wait_s: float) -> FeedUpdate:
        if time.monotonic() >= self._checked_at + CHECK_S:
            self._check()
        pointers = tuple(self._log.wait_for_pointers(self._positions, 0 if self._gone_back else wait_s))
        for partition, pointer in pointers:
            self._positions[partition], self._recent[partition] = pointer.position, pointer
        return self._update(pointers)

    def _update(self, pointers: tuple[tuple[int, Pointer], ...]) -> FeedUpdate:
        gone_back, self._gone_back = self._gone_back, frozenset()
        return FeedUpdate(pointers, gone_back)

    def _check(self) -> None:
        """Finds the feeds that no longer hold an expected pointer, and restarts them from their ends."""
        held = self._log.pointers({partition: pointer.position for partition, pointer in self._expected.items()})
        gone_back = frozenset(partition for partition, one in self._expected.items() if held.get(partition) != one)
        for partition in gone_back:
            lost = self._expected[partition].position
            log.critical("the feed of partition %d no longer holds position %d: the store went back", partition, lost)
        if gone_back:
            self._restart(gone_back)
        self._expected.update(self._recent)
        self._recent.clear()
        self._checked_at = time.monotonic()

    def _restart(self, partitions: frozenset[int]) -> None:
        ends = self._log.feed_ends()
        held = self._log.pointers({partition: ends[partition] for partition in partitions})
        for partition in partitions:
            self._expected.pop(partition, None)
            self._positions[partition] = ends[partition]
            self._recent.pop(partition, None)
        self._recent.update(held)
        self._gone_back |= partitions
