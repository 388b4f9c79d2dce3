"""The feeds on Redis streams: a pointer for each batch of a partition, in order. Old parts are in the archive.

A cluster announces to which feeds something was added, and those are read in one trip to each server.
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
from events.archiving.objects import ArchiveUnavailable, Objects
from events.log import Log, LogDamaged, LogUnreadable, Pointer
from events.scripts import Client, script

CHANNEL = "__redis__:invalidate"
PAUSE_S = 0.1  # between two looks where nothing is announced


class Announcements:
    """Listens to all primaries for writes to some keys; for one thread."""

    def __init__(self, cluster: redis.RedisCluster, keys: Collection[str]) -> None:
        self._cluster, self._keys = cluster, frozenset(keys)
        self._connections: dict[str, Any] = {}  # by the name of the primary
        self._is_new = False  # one of them: what was written before is not announced on it
        self._refused = False  # by servers that do not announce anything

    def heard(self, wait_s: float) -> Collection[str]:
        """The keys that may have been written since the last call, waiting up to `wait_s` for the first of them.

        All of them where something may have been missed: a connection is new, or there is none.
        """
        if self._refused or not self._connect():
            time.sleep(min(wait_s, PAUSE_S))
            return self._keys
        if self._is_new:
            return self._keys
        return self._received(wait_s)

    def __del__(self) -> None:
        """Ends the connections with the thread that listened."""
        for name in list(self._connections):
            self._drop(name)

    def _connect(self) -> bool:
        """Listens to the primaries there are now, and to no others; returns whether it hears all of them."""
        primaries = {node.name: node for node in self._cluster.get_primaries()}
        for name in self._connections.keys() - primaries.keys():
            self._drop(name)
        missing = primaries.keys() - self._connections.keys()
        self._is_new = bool(missing)
        try:
            for name in missing:
                self._connections[name] = _listening(self._cluster.get_redis_connection(primaries[name]), self._keys)
        except ResponseError:  # a server of a provider that does not allow it
            self._refused = True
        except (redis.ConnectionError, redis.TimeoutError):  # reading the feeds finds out who serves them now
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
        """The primaries that have announced something.

        redis-py waits on one connection; to wait on all of them takes their sockets. `select` would take none beyond
        the first 1024 of a process, and a web process may have more.
        """
        names = {connection._sock.fileno(): name for name, connection in self._connections.items()}
        waiting = select.poll()
        for number in names:
            waiting.register(number, select.POLLIN)
        return [names[number] for number, _ in waiting.poll(max(0.0, wait_s) * 1000)]

    def _read(self, connection: Any) -> set[str]:
        """What one primary has announced by now: of a key whose name goes on behind one of these, nothing."""
        written: set[str] = set()
        while connection.can_read():
            _, _, keys = connection.read_response()
            written |= self._keys if keys is None else {key.decode() for key in keys}  # None: everything was removed
        return written & self._keys

    def _drop(self, name: str) -> None:
        self._connections.pop(name).disconnect()


def _listening(node: redis.Redis, keys: Collection[str]) -> Any:
    """A connection of its own to a node, which announces on it."""
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


READ_ALL_S = 5.0  # how often all feeds are read, whatever is announced
PAGE = 1000  # entries read at once


class ClusterFeeds:
    """The feeds of all partitions, for one thread that follows them."""

    def __init__(self, cluster: Any, keys: Mapping[int, str]) -> None:
        self._cluster, self._keys = cluster, keys
        self._partitions = {key: partition for partition, key in keys.items()}
        self._announcements = Announcements(cluster, self._partitions)
        self._ends: dict[int, int] = {}  # positions behind which nothing had been written when they were read
        self._looked = 0.0

    def entries_after(self, after: Mapping[int, int], wait_s: float) -> Iterator[tuple[int, Any]]:
        """The entries after the positions `after`, by partition, waiting up to `wait_s` for the first of them."""
        end = time.monotonic() + wait_s
        self._hear(0)
        while not (found := self._read(after)) and (left := end - time.monotonic()) > 0:
            self._hear(min(left, READ_ALL_S))
        yield from found

    def _hear(self, wait_s: float) -> None:
        """Forgets where the feeds ended of which something is announced; of all now and then."""
        for key in self._announcements.heard(wait_s):
            self._ends.pop(self._partitions[key], None)
        if time.monotonic() > self._looked + READ_ALL_S:
            self._ends.clear()
            self._looked = time.monotonic()

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
                self._ends[partition] = _position(entries[-1][0]) if entries else after[partition]
        return [(partition, entries) for partition, entries in read.items() if entries]


AT_ONCE = feeds.PART  # archived pointers that are made at once, where many are wanted


class RedisFeeds:
    """The feeds of all partitions."""

    def __init__(self, client: Client, partitions: int, archive: Objects | None) -> None:
        self.client, self.partitions, self._archive = client, partitions, archive
        self._clustered = isinstance(client, redis.RedisCluster)
        self._own = threading.local()  # each thread that follows the feeds of a cluster has a connection of its own
        self._trim = script(client, "events.archiving", "trim.lua")

    @property
    def has_archive(self) -> bool:
        """Whether this process knows where the archive is."""
        return self._archive is not None

    @property
    def archive(self) -> Objects:
        """The archive; raises `ArchiveUnavailable` if this process does not know where it is."""
        if self._archive is None:
            raise ArchiveUnavailable("the store has archived tables: set WINTERCOUNT_ARCHIVE to where they are")
        return self._archive

    def partition_key(self, partition: int, name: str) -> str:
        """The key of something that belongs to a partition as a whole."""
        return f"{{p{partition:02d}}}:{name}"

    def feed(self, partition: int, after: int, count: int = 1000) -> Sequence[Pointer]:
        """The pointers after a position."""
        entries = self.client.xrange(self.partition_key(partition, "feed"), after + 1, "+", count)
        return self._page(partition, after, count, entries)

    def feeds(self, after: Mapping[int, int], count: int = 1000) -> dict[int, Sequence[Pointer]]:
        """As `feed`, of many partitions in one trip; without those in which something cannot be read."""
        with self.client.pipeline(transaction=False) as pipe:
            for partition, position in after.items():
                pipe.xrange(self.partition_key(partition, "feed"), position + 1, "+", count)
            answers = zip(after.items(), pipe.execute(), strict=True)
        found: dict[int, Sequence[Pointer]] = {}
        for (partition, position), entries in answers:
            with suppress(LogUnreadable, ArchiveUnavailable):
                found[partition] = self._page(partition, position, count, entries)
        return found

    def _page(self, partition: int, after: int, count: int, entries: Sequence[Any]) -> Sequence[Pointer]:
        """The pointers after a position: archived ones, where the feed begins behind it, and these entries."""
        found = [_pointer(partition, *entry) for entry in entries]
        if not found or found[0].position == after + 1:
            return found
        older = islice(self._older(partition, after, found[0].position, count), count)
        return [*older, *found][:count]

    def whole_feed(self, partition: int) -> Iterator[Pointer]:
        """All pointers of a partition."""
        position = 0
        while found := self.feed(partition, position):
            yield from found
            position = found[-1].position

    def _older(self, partition: int, after: int, before: int, at_once: int = AT_ONCE) -> Iterator[Pointer]:
        """The pointers between two positions, which are archived; at most so many are made at once."""
        while after + 1 < before:
            number = feeds.number_of(after + 1)
            last = min(after + at_once, before - 1, feeds.first_of(number + 1) - 1)
            yield from self._part(partition, number, after + 1, last)
            after = last

    def _part(self, partition: int, number: int, first: int, last: int) -> list[Pointer]:
        """What is asked for of an archived part of a feed; raises `LogDamaged` where there is none."""
        name = self.client.hget(self.partition_key(partition, "feed:parts"), number)
        if name is None:
            raise LogDamaged(f"the feed of partition {partition} lacks position {feeds.first_of(number)}")
        return feeds.pointers_of(self.archive, _part_name(partition, number, name), first, last)

    def archive_part(self, partition: int, upto: int) -> bool:
        """Archives the oldest part of a feed that is still in the store, if it ends at `upto` or before.

        The newest pointers always stay. Returns False if nothing was archived.
        """
        keys = [self.partition_key(partition, name) for name in ("feed", "feed:parts")]
        number = self.client.hlen(keys[1])
        first, last = feeds.first_of(number), feeds.first_of(number + 1) - 1
        if last > upto or last > self.feed_ends()[partition] - feeds.KEPT:
            return False
        pointers = [_pointer(partition, *entry) for entry in self.client.xrange(keys[0], first, last)]
        if len(pointers) != feeds.PART:
            raise LogDamaged(f"the feed of partition {partition} lacks positions from {first} to {last}")
        name = feeds.written(self.archive, partition, pointers)
        return bool(self._trim(keys=keys, args=[number, name, last, pointers[-1].hash]))

    def follow(self, after: dict[int, int], wait_s: float) -> Iterator[tuple[int, Pointer]]:
        """The pointers after the positions `after`; waits up to `wait_s` for the first one."""
        return self._hear(after, wait_s) if self._clustered else self._wait(after, wait_s)

    def _wait(self, after: dict[int, int], wait_s: float) -> Iterator[tuple[int, Pointer]]:
        names = {self.partition_key(partition, "feed"): partition for partition in after}
        streams = {name: f"{after[partition]}-0" for name, partition in names.items()}
        for name, entries in self.client.xread(streams, count=1000, block=max(1, int(wait_s * 1000))) or ():
            partition = names[name.decode()]
            yield from self._whole(partition, after[partition], entries)

    def _hear(self, after: dict[int, int], wait_s: float) -> Iterator[tuple[int, Pointer]]:
        if not hasattr(self._own, "feeds"):
            keys = {partition: self.partition_key(partition, "feed") for partition in range(self.partitions)}
            self._own.feeds = ClusterFeeds(self.client, keys)
        for partition, entries in self._own.feeds.entries_after(after, wait_s):
            yield from self._whole(partition, after[partition], entries)

    def _whole(self, partition: int, after: int, entries: Sequence[Any]) -> Iterator[tuple[int, Pointer]]:
        """The pointers of these entries, preceded by the archived ones between them and the position `after`."""
        found = [_pointer(partition, *entry) for entry in entries]
        for pointer in chain(self._older(partition, after, found[0].position), found):
            yield partition, pointer

    def feed_ends(self) -> dict[int, int]:
        """The position of the last pointer of each partition's feed."""
        with self.client.pipeline(transaction=False) as pipe:
            for partition in range(self.partitions):
                pipe.xrevrange(self.partition_key(partition, "feed"), "+", "-", 1)
            found = enumerate(pipe.execute())
        return {partition: _position(newest[0][0]) if newest else 0 for partition, newest in found}

    def pointers(self, positions: Mapping[int, int]) -> dict[int, Pointer]:
        """The pointers at these positions of the partitions, where there are any that can be read."""
        with self.client.pipeline(transaction=False) as pipe:
            for partition, position in positions.items():
                pipe.xrange(self.partition_key(partition, "feed"), position, position)
            answers = zip(positions, pipe.execute(), strict=True)
        found: dict[int, Pointer] = {}
        for partition, entries in answers:
            with suppress(LogDamaged):
                if entries:
                    found[partition] = _pointer(partition, *entries[0])
        older = {partition: position for partition, position in positions.items() if partition not in found}
        return found | dict(self._archived_pointers(older))

    def _archived_pointers(self, positions: Mapping[int, int]) -> Iterator[tuple[int, Pointer]]:
        """The archived ones among the pointers at positions that the feeds no longer hold."""
        with self.client.pipeline(transaction=False) as pipe:
            for partition, position in positions.items():
                pipe.hget(self.partition_key(partition, "feed:parts"), feeds.number_of(position))
            names = pipe.execute() if positions else []
        for (partition, position), name in zip(positions.items(), names, strict=True):
            if name is not None:
                number = feeds.number_of(position)
                named = _part_name(partition, number, name)
                (found,) = feeds.pointers_of(self.archive, named, position, position)
                yield partition, found


def _part_name(partition: int, number: int, told: bytes) -> feeds.PartName:
    return feeds.PartName(partition, number, told.decode(errors="replace"))


def _position(entry_id: bytes) -> int:
    return int(entry_id.split(b"-")[0])


def _pointer(partition: int, entry_id: bytes, fields: dict[bytes, bytes]) -> Pointer:
    """An entry of a feed; raises `LogDamaged` for one that is none."""
    position = _position(entry_id)
    try:
        first, last = int(fields[b"f"]), int(fields[b"l"])
        return Pointer(position, fields[b"t"].decode(), first, last, fields[b"h"])
    except (KeyError, ValueError) as error:
        told = f"the feed of partition {partition} tells nothing at position {position} ({type(error).__name__})"
        raise LogDamaged(told) from error


LOOK_S = 1.0  # how often the feeds are checked: do they still hold what they told?

log = logging.getLogger(__name__)


class News(NamedTuple):
    """The pointers that are new, and the partitions whose feeds went back."""

    pointers: tuple[tuple[int, Pointer], ...]
    gone_back: frozenset[int] = frozenset()

    @property
    def partitions(self) -> set[int]:
        """The partitions in which something happened."""
        return {partition for partition, _ in self.pointers} | self.gone_back


class Follower:
    """Follows all feeds of a log, from where they ended when it was made."""

    def __init__(self, followed: Log) -> None:
        self._log = followed
        self._positions = followed.feed_ends()
        self._told = followed.pointers(self._positions)
        self._known: dict[int, Pointer] = {}  # what the next look has to find: told after this, it proves nothing of it
        self._gone_back: frozenset[int] = frozenset()  # noticed and not told yet
        self._looked = 0.0

    def news(self, wait_s: float) -> News:
        """The news since the last call, waiting up to `wait_s` for it; a failed call loses nothing.

        Feeds that lack what comes next, as a part of theirs is damaged, count as feeds that went back.
        """
        try:
            return self._news(wait_s)
        except LogUnreadable as damage:
            log.critical("%s: what it told is passed over, and the feeds are followed from their ends", damage)
            self._begin_anew(frozenset(self._positions))
            return self._told_with(())

    def _news(self, wait_s: float) -> News:
        if time.monotonic() >= self._looked + LOOK_S:
            self._look()
        pointers = tuple(self._log.follow(self._positions, 0 if self._gone_back else wait_s))
        for partition, pointer in pointers:
            self._positions[partition], self._told[partition] = pointer.position, pointer
        return self._told_with(pointers)

    def _told_with(self, pointers: tuple[tuple[int, Pointer], ...]) -> News:
        gone_back, self._gone_back = self._gone_back, frozenset()
        return News(pointers, gone_back)

    def _look(self) -> None:
        """Finds the feeds that no longer hold what they had, and follows them from their ends again."""
        held = self._log.pointers({partition: pointer.position for partition, pointer in self._known.items()})
        gone_back = frozenset(partition for partition, told in self._known.items() if held.get(partition) != told)
        for partition in gone_back:
            lost = self._known[partition].position
            log.critical("the feed of partition %d holds position %d no more: the store went back", partition, lost)
        if gone_back:
            self._begin_anew(gone_back)
        self._known.update(self._told)
        self._told.clear()
        self._looked = time.monotonic()

    def _begin_anew(self, partitions: frozenset[int]) -> None:
        ends = self._log.feed_ends()
        held = self._log.pointers({partition: ends[partition] for partition in partitions})
        for partition in partitions:
            self._known.pop(partition, None)
            self._positions[partition] = ends[partition]
            self._told.pop(partition, None)
        self._told.update(held)
        self._gone_back |= partitions
