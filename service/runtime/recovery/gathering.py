"""Asks every source what it knows, and compares the tables of which any source knows other than the store."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import msgspec
from redis.exceptions import RedisError

from events.recorded import Head
from service.runtime.recovery.archived import Archive
from service.runtime.recovery.comparing import Comparison, Finding, findings
from service.runtime.recovery.holdings import NOTHING, Copy, Holdings, held
from service.runtime.recovery.packed import Unread
from service.runtime.recovery.sources import Source
from service.runtime.recovery.stores import Store
from service.tables.ids import TABLE

MOST_TOLD = 60  # characters of what a file calls a table
MOST_VERSIONS = 2**53  # numbers of which JSON and Lua tell each from the next
Report = Callable[[int], Any]


class Gathered(msgspec.Struct):
    """What all sources know of the tables that differ, and what could not be read."""

    store: Store
    sources: Sequence[Source]
    tables: int = 0
    comparisons: dict[str, Comparison] = {}
    asked: dict[str, Source] = {}  # by the names of their copies
    requests: dict[str, dict[str, str]] = {}
    imported: set[str] = set()  # tables of which one of our copies notes that
    unread: list[Finding] = []

    def close(self) -> None:
        """Ends the connections to all stores."""
        for source in (self.store, *self.sources):
            if isinstance(source, Store):
                source.close()

    def findings(self) -> Iterator[Finding]:
        """All that is to be said, the tables in order."""
        yield from self.unread
        for table in sorted(self.comparisons):
            yield from findings(self.comparisons[table])

    def copies(self, name: str, tables: set[str]) -> Iterator[Copy]:
        """The tables in the copies of that name, as far as they are still there as they were compared."""
        source = self.asked[name]
        try:
            for copy in source.copies(tables):
                if copy.name_in(source.name) == name and held(copy) == self.comparisons[copy.table].others[name]:
                    yield copy
        except (Unread, RedisError):  # nobody can tell from the beginning of a file what its end says
            return

    def is_claimed(self, name: str) -> bool:
        """Whether anybody may have written what the copies of that name tell."""
        return self.asked[name].claimed


def gathered(store: Store, sources: Sequence[Source], report: Report = lambda _: None) -> Gathered:
    """Reads the store, every table of it, and of all other sources what differs; raises `Unread` for the store.

    `report` is told how many tables were read.
    """
    heads = dict(store.heads())
    differing = set(_damaged(store, heads, report))
    found = Gathered(store, sources, len(heads))
    for source in sources:
        differing |= _differing(source, heads, found)
    others = _others(found, differing)
    for table in differing:
        found.comparisons[table] = Comparison(table, _in_store(store, table), others.get(table, {}))
    return found


def _damaged(store: Store, heads: Mapping[str, Head], report: Report) -> Iterator[str]:
    """The tables whose record in the store is not whole; of those in the archive their segments tell."""
    for table in heads:
        if table not in store.archived and held(store.copy(table)).fault:
            yield table
        report(1)


def _differing(source: Source, heads: Mapping[str, Head], found: Gathered) -> set[str]:
    """The tables of which a source tells another version than the store's last; what cannot be read is noted."""
    try:
        told = [_possible(table, head) for table, head in source.heads()]
    except (Unread, RedisError) as unread:
        found.unread.append(_unread(source, unread))
        return set()
    differing = {table for table, head in told if heads.get(table) != head}
    if not isinstance(source, Archive):
        return differing
    found.unread += [_unread(source, fault) for fault in source.faults]
    return differing | (found.store.archived - {table for table, _ in told})


def _unread(source: Source, why: object) -> Finding:
    return Finding("unread", "", source.name, 0, 0, str(why))


def _possible(table: object, head: Head) -> tuple[str, Head]:
    """A table with its head; raises `Unread` for what no service calls a table or a version."""
    if not isinstance(table, str) or not TABLE.fullmatch(table):
        raise Unread(f"{ascii(table)[:MOST_TOLD]} is no name that the service gives to a table")
    if type(head.version) is not int or not 0 <= head.version <= MOST_VERSIONS:
        raise Unread(f"{table} has no version {ascii(head.version)[:MOST_TOLD]}")
    return table, head


def _others(found: Gathered, tables: set[str]) -> dict[str, dict[str, Holdings]]:
    """What each source holds of the tables; their requests are kept beside."""
    others: dict[str, dict[str, Holdings]] = defaultdict(dict)
    failed = {finding.source for finding in found.unread}
    for source in sorted(found.sources, key=lambda one: one.claimed):  # of two that hold the same, ours is asked
        if source.name in failed and not isinstance(source, Archive):
            continue
        try:
            for copy in source.copies(tables):
                _take_in(found, source, copy, others)
        except (Unread, RedisError) as unread:  # it could be read a moment ago
            found.unread.append(_unread(source, unread))
    return others


def _take_in(found: Gathered, source: Source, copy: Copy, others: dict[str, dict[str, Holdings]]) -> None:
    name = copy.name_in(source.name)
    found.asked.setdefault(name, source)  # of two of a name the first, which is ours
    others[copy.table][name] = held(copy)
    found.requests.setdefault(copy.table, {}).update(copy.requests)
    found.imported |= {copy.table} if copy.imported else set()


def _in_store(store: Store, table: str) -> Holdings:
    return held(store.copy(table)) if store.log else NOTHING
