"""The timers: in each partition a sorted set by time, and a hash that counts how often each was leased."""

from collections.abc import Iterable
from typing import Any

from events.archiving.objects import Objects
from events.feeds import Announcements, RedisFeeds, entries_by_stream
from events.log import LONGEST_LEASE, Timer, partition_of
from events.scripts import Client, acknowledged_answer, script

LATEST_MS = 253_402_300_799_999  # the end of the year 9999: times are written with four digits for the year


class RedisTimers(RedisFeeds):
    """The feeds and timers of all partitions."""

    def __init__(self, client: Client, partitions: int, archive: Objects | None) -> None:
        super().__init__(client, partitions, archive)
        self._lease, self._unlisten = (script(client, "events", name) for name in ("lease.lua", "unlisten.lua"))
        self._wakes = {self.partition_key(partition, "wake"): partition for partition in range(partitions)}
        self._seen = dict.fromkeys(self._wakes, b"0-0")  # the newest wake-up of each partition that was read
        self._announcements: Announcements | None = None

    def partitions_due(self, now_ms: int) -> list[int]:
        """Returns the partitions that have due timers."""
        return [partition for partition, first in enumerate(self._first_due(now_ms)) if first]

    def first_due_ms(self, now_ms: int) -> int:
        """Returns the time of the timer that has been due for longest; now if none is due."""
        return min((max(0, int(score)) for found in self._first_due(now_ms) for _, score in found), default=now_ms)

    def _first_due(self, now_ms: int) -> list[Any]:
        """Returns the first due timer of each partition with its time, in a list that is empty if there is none."""
        first = {"byscore": True, "offset": 0, "num": 1, "withscores": True}
        return self.everywhere("zrange", "timers", "-inf", now_ms, **first)

    def woken_partitions(self, wait_s: float) -> set[int]:
        """Returns the partitions that were woken since the last call, waiting up to `wait_s` for one.

        For use by one thread. Reading consumes nothing: every dispatcher is woken.
        """
        if self._clustered:
            self._announcements = self._announcements or Announcements(self.client, self._wakes)
            return {self._wakes[key] for key in self._announcements.wait_for_changes(wait_s)}
        answer = self.client.xread(self._seen, block=max(1, int(wait_s * 1000)))
        found = {name.decode(): entries[-1][0] for name, entries in entries_by_stream(answer)}
        self._seen |= found
        return {self._wakes[name] for name in found}

    def lease(self, partition: int, now_ms: int, lease_ms: int, most: int) -> list[tuple[str, int]]:
        """Leases up to `most` due timers; returns each member with the number of this attempt."""
        keys = [self.partition_key(partition, name) for name in ("timers", "attempts")]
        found = self._lease(keys=keys, args=[now_ms, lease_ms, LONGEST_LEASE * lease_ms, most])
        return [(_text(found[i]), int(found[i + 1])) for i in range(0, len(found), 2)]

    def add_timers(self, entries: Iterable[Timer]) -> None:
        """Adds the timers that are not there yet, and wakes the dispatchers."""
        with self.client.pipeline(transaction=False) as pipe:
            for entry in entries:
                pipe.zadd(self._key_of(entry), {entry.member: entry.at_ms}, nx=True)
                pipe.xadd(self._key_of(entry, "wake"), {"w": ""}, maxlen=1, approximate=False)
            pipe.execute()

    def listen(self, player: str, webhook: str) -> None:
        """Starts writing the timers that have this player as listener, for this webhook."""
        self.everywhere("hset", "listeners", player, webhook)
        last = self.partition_key(self.partitions - 1, "listeners")
        acknowledged_answer(self.client, last, "HEXISTS", last, player)

    def unlisten(self, player: str, webhook: str = "") -> None:
        """Stops writing them, unless the player listens with another webhook than this one."""
        for partition in range(self.partitions):
            self._unlisten(keys=[self.partition_key(partition, "listeners")], args=[player, webhook])

    def remove_timers(self, entries: Iterable[tuple[str, str]]) -> None:
        """Removes timers, given as pairs of table and member."""
        with self.client.pipeline(transaction=False) as pipe:
            for table, member in entries:
                partition = partition_of(table, self.partitions)
                pipe.zrem(self.partition_key(partition, "timers"), member)
                pipe.hdel(self.partition_key(partition, "attempts"), member)
            pipe.execute()

    def bring_forward(self, entries: Iterable[Timer]) -> None:
        """Makes existing timers due earlier and resets their attempts; adds none."""
        with self.client.pipeline(transaction=False) as pipe:
            for entry in entries:
                pipe.zadd(self._key_of(entry), {entry.member: entry.at_ms}, xx=True, lt=True)
                pipe.hdel(self._key_of(entry, "attempts"), entry.member)
            pipe.execute()

    def _key_of(self, timer: Timer, name: str = "timers") -> str:
        return self.partition_key(partition_of(timer.member.partition("|")[0], self.partitions), name)

    def timers(self, partition: int) -> list[Timer]:
        """Returns all timers of a partition, the earliest first; a damaged score becomes the nearest valid time."""
        entries = self.client.zrange(self.partition_key(partition, "timers"), 0, -1, withscores=True)
        return [Timer(_text(member), int(min(max(score, 0), LATEST_MS))) for member, score in entries]


def _text(member: bytes) -> str:
    """Decodes a member, escaping invalid bytes, so that one damaged timer does not hide the others."""
    return member.decode(errors="backslashreplace")
