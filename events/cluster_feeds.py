"""Follows the feeds of a cluster: reads those that its servers announce, in one trip to each server."""

import time
from collections.abc import Iterator, Mapping
from typing import Any

from events.announcements import Announcements

LOOK_S = 5.0  # how often all feeds are read, whatever is announced
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
            self._hear(min(left, LOOK_S))
        yield from found

    def _hear(self, wait_s: float) -> None:
        """Forgets where the feeds ended of which something is announced; of all now and then."""
        for key in self._announcements.heard(wait_s):
            self._ends.pop(self._partitions[key], None)
        if time.monotonic() > self._looked + LOOK_S:
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
                self._ends[partition] = _position(entries[-1]) if entries else after[partition]
        return [(partition, entries) for partition, entries in read.items() if entries]


def _position(entry: Any) -> int:
    return int(entry[0].split(b"-")[0])
