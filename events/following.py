"""Follows the feeds from their ends, and notices one that no longer holds what it had."""

import logging
import time
from typing import NamedTuple

from events.log import Log, LogUnreadable, Pointer

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
