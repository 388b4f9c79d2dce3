"""Stores as places where tables are: the service's own, and others by their URL."""

from collections.abc import Collection, Iterator, Sequence
from functools import cached_property

from redis.exceptions import RedisError

from events.all_keys import KeysMissed, all_keys
from events.archiving.objects import ArchiveUnavailable, Objects
from events.log import PARTITIONS, LogUnreadable
from events.recorded import Head
from events.store import META, RedisLog, connect
from service.loading import RESTORED, RESTORING
from service.runtime.backup.copying import number_in, slices
from service.runtime.backup.kinds import Kind, kind_of, text_of
from service.runtime.recovery.holdings import Copy
from service.runtime.recovery.packed import Unread

AT_ONCE = 200  # heads read in one trip


class Store:
    """A store: that of the service, or another one by its URL. Nothing is written there."""

    claimed = False

    def __init__(self, url: str, archive: Objects | None, name: str) -> None:
        self.name, self._client, self._archive = name, connect(url), archive
        self.archived = set[str]()  # of which no more than the head is in the store

    def close(self) -> None:
        """Ends the connections."""
        self._client.close()

    @cached_property
    def log(self) -> RedisLog | None:
        """The log in it; None while it is empty."""
        try:
            held = self._client.exists(META)
            return RedisLog(self._client, PARTITIONS, self._archive) if held else None
        except (RedisError, LogUnreadable) as error:
            raise Unread(f"the store cannot be read: {error}") from None

    def heads(self) -> Iterator[tuple[str, Head]]:
        """All tables; of those in the archive the head that was kept."""
        for names in slices(self._tables(), AT_ONCE):
            yield from zip(names, self._heads(names), strict=True)

    def _tables(self) -> Iterator[str]:
        keys = all_keys(self._client) if self.log else ()
        try:
            yield from (name for kind, name in map(kind_of, map(text_of, keys)) if kind is Kind.TABLE)
        except KeysMissed as missed:
            raise Unread(str(missed)) from None

    def _heads(self, names: Sequence[str]) -> list[Head]:
        log = self._opened()
        with self._client.pipeline(transaction=False) as pipe:
            for name in names:
                pipe.hmget(log.table_key(name, "head"), "version", "hash", "place")
            found = pipe.execute()
        self.archived |= {name for name, (_, _, place) in zip(names, found, strict=True) if place}
        return [Head(number_in(version), digest or b"") for version, digest, _ in found]

    def copies(self, tables: Collection[str]) -> Iterator[Copy]:
        """The tables with their requests."""
        return map(self.copy, sorted(tables)) if self.log else iter(())

    def copy(self, table: str) -> Copy:
        """A table; one whose head is not where its events end is damaged."""
        log = self._opened()
        try:
            head = log.head(table)
            events = log.read(table)[: head.version]  # others may be playing on
        except (LogUnreadable, ArchiveUnavailable) as damage:
            return Copy(table, fault=str(damage).removeprefix(f"{table} "))
        requests = self._client.hgetall(log.table_key(table, "requests"))
        end = Head(events[-1].version, events[-1].hash) if events else Head(0, bytes(32))
        fault = "" if end == head else f"its head is at version {head.version}, and its events end at {end.version}"
        kept = {text_of(name): text_of(told) for name, told in requests.items()}
        return Copy(table, events, kept, fault=fault, imported=log.is_imported(table))

    def _opened(self) -> RedisLog:
        if self.log is None:
            raise Unread("the store is empty")
        return self.log


class OtherStore(Store):
    """A store that is not the service's: where nothing is, or not everything yet, nobody can tell what was there."""

    def heads(self) -> Iterator[tuple[str, Head]]:
        """All tables; raises `Unread` where there is none, or a restore has not come to its end."""
        if self._client.exists(RESTORING):
            raise Unread(RESTORED.detail)
        heads = super().heads()
        first = next(heads, None)
        if first is None:
            raise Unread("there is no table in it")
        yield first
        yield from heads
