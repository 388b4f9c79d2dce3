"""Applies the feeds to projections, and rebuilds projections blue/green.

Nearly all of the cost is asking the store. So a partition's feed is read once for all projections at one checkpoint,
the changes of several partitions are written in one trip, and checkpoints are remembered: the script refuses if another
process has moved one. Each read begins with the pointer at the checkpoint, which shows a store that was restored.
"""

import logging
from collections import defaultdict
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, NamedTuple, TypeVar

from events.archiving.objects import ArchiveUnavailable
from events.failures import place_of
from events.log import LogDamaged, LogUnreadable, Pointer
from events.store import RedisLog
from projections import leaderboard, lobby_rows, standings
from projections.archived_tables import catalogue_of
from projections.batches import ArchivedBatch, Facts, FedBatch, batches
from projections.folding import FAULTS
from projections.history import TableCache
from projections.store import (
    Change,
    Checkpoint,
    Operation,
    ProjectionStore,
    all_current,
    apply,
    replace_generation,
)
from projections.table import Table


class Projection(NamedTuple):
    """How the rows of a partition follow from tables.

    - `operations` returns what a batch changes, from the table after it, the rows, the partition and the batch.
    - `archived` returns what the batch changes in which the game of an archived table ended, from the table's facts.
    - `touches` says whether a batch may change anything, as far as that shows without the table.
    - `reads_rows`: its operations depend on its rows, so that each batch is written before the next is looked at.
    - `on_restart` returns the first operations of a partition whose rows were removed.
    - `afterwards` updates what follows from a partition's rows in other partitions.
    """

    operations: Callable[[Table, ProjectionStore, int, FedBatch], list[Operation]]
    archived: Callable[[Facts, ProjectionStore, int], list[Operation]] = lambda _facts, _store, _partition: []
    touches: Callable[[FedBatch], bool] = lambda _: True
    reads_rows: bool = False
    on_restart: Callable[[ProjectionStore, int], list[Operation]] = lambda _store, _partition: []
    afterwards: Callable[[ProjectionStore, int], None] = lambda _store, _partition: None

    def changed_by(
        self,
        batch: FedBatch | ArchivedBatch | None,
        store: ProjectionStore,
        partition: int,
        known: dict[str, Table],
    ) -> list[Operation]:
        """Returns what a batch changes. `known` holds each table after its last batch so far, to fold on from."""
        if isinstance(batch, ArchivedBatch):
            return self.archived(batch.facts, store, partition) if batch.ends else []
        if batch is None or not self.touches(batch):
            return []
        name = batch.pointer.table
        known[name] = batch.table(known.get(name))
        return self.operations(known[name], store, partition, batch)


PROJECTIONS = {
    lobby_rows.NAME: Projection(lobby_rows.operations, touches=lobby_rows.touches),
    standings.NAME: Projection(
        standings.operations,
        standings.archived,
        standings.touches,
        reads_rows=True,
        on_restart=leaderboard.all_unsummed,
        afterwards=leaderboard.sum_up,
    ),
}


PAGE = 1000  # pointers read at once
MOST_APPLIED = 100  # batches applied at once: a long script keeps other clients waiting
TOGETHER = 32  # partitions written in one trip
Done = TypeVar("Done")
Key = tuple[str, int, int]  # projection, generation, partition

log = logging.getLogger(__name__)


class Step(NamedTuple):
    """The operations of some batches, by projection in the order of the stores."""

    upto: Checkpoint
    batches: int
    operations: list[list[Operation]]


Advancing = Generator[
    Sequence[Change], bool | None, Done
]  # yields changes to write, and is sent whether they were written


class Runner:
    """Advances the current generation of every projection."""

    def __init__(self, log: RedisLog, cache: TableCache) -> None:
        self.log, self._cache = log, cache
        self._places: dict[Key, Checkpoint] = {}  # as far as this process knows
        self._afterwards_done: set[Key] = set()  # whose `afterwards` is done at that checkpoint
        self._logged: set[str] = set()  # damage that was logged
        self._ahead: dict[tuple[int, int], Sequence[Pointer]] = {}  # pages read in advance, by partition and position
        self._archive_is_silent = False  # it did not answer during this call

    def forget(self) -> None:
        """Forgets the checkpoints: the store may have lost rows and checkpoints, but not the feed."""
        self._places.clear()
        self._afterwards_done.clear()

    def catch_up(self, partitions: Iterable[int]) -> int:
        """Applies everything in the feeds of these partitions after the checkpoints; returns the number of batches.

        Partitions that start again need the archive. They come last, and once it has not answered they all wait.
        """
        stores, partitions = all_current(self.log, PROJECTIONS), list(partitions)
        begins = {one: self._begin(stores[0], one) for one in partitions if _key(stores[0], one) in self._places}
        self._ahead = {(one, begins[one]): page for one, page in self.log.feeds(begins, PAGE).items()}
        self._archive_is_silent = False
        partitions.sort(key=lambda one: not begins.get(one))
        some = (partitions[first : first + TOGETHER] for first in range(0, len(partitions), TOGETHER))
        return sum(advance_together({one: self._advancing_safely(stores, one) for one in group}) for group in some)

    def restarting(self, partitions: Iterable[int]) -> set[int]:
        """Returns those of the partitions in which a projection starts again."""
        stores = all_current(self.log, PROJECTIONS)
        return {one for one in partitions if self._restarts(stores, one)}

    def _restarts(self, stores: Sequence[ProjectionStore], partition: int) -> bool:
        try:
            return any(not self._place(store, partition).position for store in stores)
        except LogDamaged:  # of the checkpoint, which is logged when the partition is advanced
            return False

    def rebuild(self, name: str, report: Callable[[int], Any] = lambda _: None) -> ProjectionStore:
        """Builds a new generation of a projection, switches readers over, and removes the old one."""

        def fill(new: ProjectionStore) -> None:
            for partition in range(self.log.partitions):
                self.advance([new], partition, report)
            self.catch_up_new(new)

        return replace_generation(self.log, name, fill, self.catch_up_new)

    def catch_up_new(self, new: ProjectionStore) -> None:
        """Applies what was recorded while a generation was built."""
        for partition in range(self.log.partitions):
            self.advance([new], partition)

    def _advancing_safely(self, stores: Sequence[ProjectionStore], partition: int) -> Advancing[int]:
        """Advances a partition; damage is logged once, and delays no other partition."""
        try:
            if self._archive_is_silent and self._restarts(stores, partition):
                return 0
            return (yield from self._advancing(stores, partition))
        except ArchiveUnavailable as error:
            self._archive_is_silent = True
            log.warning("partitions that start again wait for the archive, partition %d first: %s", partition, error)
        except LogUnreadable as damage:
            self._log_once(f"{damage}; its rows wait")
        except FAULTS as error:
            self._log_once(f"rows of partition {partition} wait until they are rebuilt: {place_of(error)}")
        return 0

    def _log_once(self, message: str) -> None:
        if message not in self._logged:
            log.critical("%s", message)
        self._logged.add(message)

    def advance(
        self, stores: Sequence[ProjectionStore], partition: int, report: Callable[[int], Any] = lambda _: None
    ) -> int:
        """Applies one partition's feed after the checkpoints; returns the sum of the batches of each projection.

        Batches of damaged tables are skipped and logged. If the feed does not hold the checkpoint, the rows are of
        a lost feed: they are removed and built again.
        """
        return advance_together({partition: self._advancing(stores, partition, report)})

    def _advancing(
        self, stores: Sequence[ProjectionStore], partition: int, report: Callable[[int], Any] = lambda _: None
    ) -> Advancing[int]:
        done = 0
        for group in self._by_place(stores, partition):
            done += yield from self._advancing_group(group, partition, report)
        for store in stores:
            self._do_afterwards(store, partition)
        return done

    def _by_place(self, stores: Sequence[ProjectionStore], partition: int) -> Iterable[list[ProjectionStore]]:
        """Returns the projections in groups that have the same checkpoint."""
        groups: dict[Checkpoint, list[ProjectionStore]] = defaultdict(list)
        for store in stores:
            groups[self._place(store, partition)].append(store)
        return groups.values()

    def _advancing_group(
        self, group: list[ProjectionStore], partition: int, report: Callable[[int], Any]
    ) -> Advancing[int]:
        """Applies, page by page, the feed after the common checkpoint of a group.

        If another process has moved a checkpoint, each projection is advanced from its own.
        """
        from_start = not self._place(group[0], partition).position
        done, pointers = 0, self._next_page(group, partition)
        while pointers:
            is_full = len(pointers) >= PAGE - 1  # one of the page was that at the checkpoint
            archived = self._archived_among(pointers) if from_start or is_full else {}
            for step in self._steps(group, partition, pointers, archived):
                if not (yield from self._applying(group, partition, step)):  # another process was faster
                    return done + (yield from self._advancing(group, partition, report))
                report(step.batches)
                done += step.batches * len(group)
            pointers = self._next_page(group, partition) if is_full else []
        return done if pointers is not None else done + (yield from self._advancing(group, partition, report))

    def _is_replaced(self, group: Sequence[ProjectionStore]) -> bool:
        """Whether one was replaced by a later generation: then its rows stay removed."""
        read = all_current(self.log, [store.projection for store in group])
        return any(now.generation > store.generation for now, store in zip(read, group, strict=True))

    def _next_page(self, group: list[ProjectionStore], partition: int) -> Sequence[Pointer] | None:
        """Returns the pointers after the checkpoint of a group; None if it has changed."""
        place = self._place(group[0], partition)
        begin = self._begin(group[0], partition)
        ahead = self._ahead.pop((partition, begin), None)
        held = self.log.feed(partition, begin, PAGE) if ahead is None else ahead
        if not place.position:
            return [] if held and self._is_replaced(group) else held
        if held and place.is_at(held[0]):
            return held[1:]
        for store in group:
            self._refresh(store, partition, place)
        return None

    def _begin(self, store: ProjectionStore, partition: int) -> int:
        """Returns the position after which a page starts that includes the pointer at the checkpoint."""
        return max(self._place(store, partition).position - 1, 0)

    def _refresh(self, store: ProjectionStore, partition: int, lost: Checkpoint) -> None:
        """Remembers another process's checkpoint, or the start if the feed has lost the old one."""
        stands = store.checkpoint(partition)
        if stands == lost:
            lack = "%s: the feed of partition %d does not hold position %d, which was applied: its rows are built again"
            log.critical(lack, store.projection, partition, lost.position)
            first = PROJECTIONS[store.projection].on_restart(store, partition)
            stands = Checkpoint() if store.restart(partition, stands, first) else store.checkpoint(partition)
        self._go_on_from(store, partition, stands)

    def _archived_among(self, pointers: Sequence[Pointer]) -> dict[str, Facts]:
        """Returns the facts of the archived tables on a page: reading them would take long, and they have no rows.

        Called for pages that may name some: recent pointers are of tables in play.
        """
        catalogue = catalogue_of(self.log)
        if catalogue is None:
            return {}
        tables = list(dict.fromkeys(pointer.table for pointer in pointers))
        found = zip(tables, self.log.places(tables), strict=True)
        return catalogue.facts([table for table, place in found if place])

    def _steps(
        self,
        group: list[ProjectionStore],
        partition: int,
        pointers: Sequence[Pointer],
        archived: Mapping[str, Facts],
    ) -> Iterator[Step]:
        """Yields what these batches change, in as few steps as possible."""
        known: dict[str, Table] = {}
        pending: list[list[list[Operation]]] = []  # by batch and projection
        for pointer, batch in batches(self._cache, pointers, archived):
            fresh = [PROJECTIONS[one.projection].changed_by(batch, one, partition, known) for one in group]
            pending.append(fresh)
            counted = any(one and PROJECTIONS[s.projection].reads_rows for s, one in zip(group, fresh, strict=True))
            if counted or len(pending) == MOST_APPLIED or pointer is pointers[-1]:
                operations = [list(chain.from_iterable(of_one)) for of_one in zip(*pending, strict=True)]
                yield Step(Checkpoint.at(pointer), len(pending), operations)
                pending = []

    def _applying(self, group: list[ProjectionStore], partition: int, step: Step) -> Advancing[bool]:
        """Writes a step; returns False, with nothing written, if another process has moved a checkpoint."""
        places = [self._place(store, partition) for store in group]
        rows = zip(group, places, step.operations, strict=True)
        changes = [Change(store, place, step.upto, operations) for store, place, operations in rows]
        for store, operations in zip(group, step.operations, strict=True):
            if operations:
                self._afterwards_done.discard(_key(store, partition))
        applied = yield changes
        for store in group:
            self._remember(store, partition, step.upto if applied else None)
        return bool(applied)

    def _do_afterwards(self, store: ProjectionStore, partition: int) -> None:
        """Calls `afterwards`, unless this process has done so at this checkpoint."""
        key = _key(store, partition)
        if key not in self._afterwards_done:
            PROJECTIONS[store.projection].afterwards(store, partition)
            self._afterwards_done.add(key)

    def _place(self, store: ProjectionStore, partition: int) -> Checkpoint:
        """Returns the checkpoint, as far as this process knows."""
        known = self._places.get(_key(store, partition))
        return known or self._go_on_from(store, partition, store.checkpoint(partition))

    def _go_on_from(self, store: ProjectionStore, partition: int, place: Checkpoint) -> Checkpoint:
        """Goes on from a checkpoint that another process wrote: what it did afterwards is unknown."""
        self._afterwards_done.discard(_key(store, partition))
        self._remember(store, partition, place)
        return place

    def _remember(self, store: ProjectionStore, partition: int, place: Checkpoint | None) -> None:
        if place is None:
            self._places.pop(_key(store, partition), None)
        else:
            self._places[_key(store, partition)] = place


def advance_together(feeds: Mapping[int, Advancing[int]]) -> int:
    """Advances partitions together, with the next changes of all in one trip; returns the number of batches."""
    done, applied = 0, dict[int, bool | None].fromkeys(feeds)  # a generator begins with None
    while applied:
        changes: dict[int, Sequence[Change]] = {}
        for partition, was_applied in applied.items():
            try:
                changes[partition] = feeds[partition].send(was_applied)
            except StopIteration as end:
                done += end.value
        applied = dict(zip(changes, apply(changes), strict=True))
    return done


def _key(store: ProjectionStore, partition: int) -> Key:
    """Returns what identifies the rows of a partition."""
    return store.projection, store.generation, partition
