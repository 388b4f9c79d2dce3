"""The feeds on Redis streams: a pointer for each batch of a partition, in order. Old parts are in the archive."""

import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import chain, islice
from typing import Any

import redis

from events.announcements import ClusterFeeds
from events.archiving import feeds
from events.archiving.objects import ArchiveUnavailable, Objects
from events.log import LogDamaged, LogUnreadable, Pointer
from events.scripts import Client, script

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
        if last > upto or last > self._end(partition) - feeds.KEPT:
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

    def _end(self, partition: int) -> int:
        newest = self.client.xrevrange(self.partition_key(partition, "feed"), "+", "-", 1)
        return _position(newest[0][0]) if newest else 0

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
