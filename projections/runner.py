"""Applies the feeds to projections, and rebuilds them beside the old ones.

Nearly all that this costs is asking the store. So the feed of a partition is read once for all projections that stand
at one place. What a script changes there is sent together with the changes of other partitions, and the places are
remembered: the script refuses if another process has moved them. Each read begins with the pointer at which they stand,
which shows a store that went back.
"""

import logging
from collections import defaultdict
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, TypeVar

from events.archiving.objects import ArchiveUnavailable
from events.failures import place_of
from events.log import LogDamaged, LogUnreadable, Pointer
from events.store import RedisLog
from projections import leaderboard, lobby, standings
from projections.batches import ArchivedBatch, Facts, FedBatch, batches
from projections.catalogue import catalogue_of
from projections.folding import FAULTS
from projections.history import TableCache
from projections.store import (
    Change,
    Checkpoint,
    Operation,
    ProjectionStore,
    all_current,
    apply,
    rebuilt,
)
from projections.table import Table


class Projection(NamedTuple):
    """How rows of a partition follow from tables.

    `operations`: what a batch changes, from the table after it, the rows, the partition and the batch;
    `archived`: what the batch changes in which the game of an archived table ended, from what is kept of the table;
    `touches`: whether a batch may change anything, as far as can be told without the table;
    `reads_rows`: whether it reads its own rows, so that what one batch changes is written before the next is looked at;
    `anew`: what a partition whose rows are removed begins with; `afterwards`: what follows from its rows elsewhere.
    """

    operations: Callable[[Table, ProjectionStore, int, FedBatch], list[Operation]]
    archived: Callable[[Facts, ProjectionStore, int], list[Operation]] = lambda _facts, _store, _partition: []
    touches: Callable[[FedBatch], bool] = lambda _: True
    reads_rows: bool = False
    anew: Callable[[ProjectionStore, int], list[Operation]] = lambda _store, _partition: []
    afterwards: Callable[[ProjectionStore, int], None] = lambda _store, _partition: None

    def changed_by(
        self,
        batch: FedBatch | ArchivedBatch | None,
        store: ProjectionStore,
        partition: int,
        known: dict[str, Table],
    ) -> list[Operation]:
        """What a batch changes in its rows. `known`: each table after its last batch that was looked at, to fold on."""
        if isinstance(batch, ArchivedBatch):
            return self.archived(batch.facts, store, partition) if batch.ends else []
        if batch is None or not self.touches(batch):
            return []
        name = batch.pointer.table
        known[name] = batch.table(known.get(name))
        return self.operations(known[name], store, partition, batch)


PROJECTIONS = {
    lobby.NAME: Projection(lobby.operations, touches=lobby.touches),
    standings.NAME: Projection(
        standings.operations,
        standings.archived,
        standings.touches,
        reads_rows=True,
        anew=leaderboard.all_unsummed,
        afterwards=leaderboard.sum_up,
    ),
}


PAGE = 1000  # pointers read at once
MOST_APPLIED = 100  # batches applied at once: a script that runs long keeps others waiting
TOGETHER = 32  # partitions whose changes are written in one trip
Done = TypeVar("Done")
Key = tuple[str, int, int]  # projection, generation, partition

log = logging.getLogger(__name__)


class Step(NamedTuple):
    """What some batches change, together: operations by projection, in the order of the stores."""

    upto: Checkpoint
    batches: int
    operations: tuple[list[Operation], ...]


Advancing = Generator[Sequence[Change], bool | None, Done]  # yields what to write, and is sent whether it was


class Runner:
    """Brings the current generation of every projection forward."""

    def __init__(self, log: RedisLog, cache: TableCache) -> None:
        self.log, self._cache = log, cache
        self._places: dict[Key, Checkpoint] = {}  # where projections stand, as far as this process knows
        self._afterwards_done: set[Key] = set()  # whose `afterwards` is done there
        self._logged: set[str] = set()  # what is wrong with feeds that are not whole
        self._ahead: dict[tuple[int, int], Sequence[Pointer]] = {}  # pages read together, by partition and position
        self._archive_is_silent = False  # somebody has waited in vain for it, since the last call

    def forget(self) -> None:
        """Forgets where the projections stand: the store may have lost rows and checkpoints, and not the feed."""
        self._places.clear()
        self._afterwards_done.clear()

    def catch_up(self, partitions: Iterable[int]) -> int:
        """Applies everything in the feeds of these partitions after the checkpoints; returns the number of batches.

        Rows that begin anew are made of the archive as well. Where it does not answer they wait, and keep no others
        waiting: they come last, and of them the first alone asks.
        """
        stores, partitions = all_current(self.log, PROJECTIONS), list(partitions)
        begins = {one: self._begin(stores[0], one) for one in partitions if _key(stores[0], one) in self._places}
        self._ahead = {(one, begins[one]): page for one, page in self.log.feeds(begins, PAGE).items()}
        self._archive_is_silent = False
        partitions.sort(key=lambda one: not begins.get(one))
        some = (partitions[first : first + TOGETHER] for first in range(0, len(partitions), TOGETHER))
        return sum(advanced({one: self._advancing_if_whole(stores, one) for one in group}) for group in some)

    def beginning(self, partitions: Iterable[int]) -> set[int]:
        """Those of the partitions of which some rows begin anew."""
        stores = all_current(self.log, PROJECTIONS)
        return {one for one in partitions if self._has_no_place(stores, one)}

    def _has_no_place(self, stores: Sequence[ProjectionStore], partition: int) -> bool:
        try:
            return any(not self._place(store, partition).position for store in stores)
        except LogDamaged:  # where it stands nobody knows: that is told where it is advanced
            return False

    def rebuild(self, name: str, report: Callable[[int], Any] = lambda _: None) -> ProjectionStore:
        """Builds a new generation of a projection, switches readers over, and removes the old one."""

        def fill(new: ProjectionStore) -> None:
            for partition in range(self.log.partitions):
                self.advance([new], partition, report)
            self.come_up(new)

        return rebuilt(self.log, name, fill, self.come_up)

    def come_up(self, new: ProjectionStore) -> None:
        """Applies what was written while a generation was made."""
        for partition in range(self.log.partitions):
            self.advance([new], partition)

    def _advancing_if_whole(self, stores: Sequence[ProjectionStore], partition: int) -> Advancing[int]:
        """As `advance`; a feed or rows that are not whole are logged once, and keep no other partition waiting."""
        try:
            return 0 if self._waits(stores, partition) else (yield from self._advancing(stores, partition))
        except ArchiveUnavailable as error:
            self._archive_is_silent = True
            log.warning("rows that are made anew wait, those of partition %d first: %s", partition, error)
        except LogUnreadable as damage:
            self._tell_once(f"{damage}; its rows wait")
        except FAULTS as error:
            self._tell_once(f"rows of partition {partition} wait until they are rebuilt: {place_of(error)}")
        return 0

    def _waits(self, stores: Sequence[ProjectionStore], partition: int) -> bool:
        """Whether rows begin anew while the archive does not answer."""
        return self._archive_is_silent and self._has_no_place(stores, partition)

    def _tell_once(self, told: str) -> None:
        if told not in self._logged:
            log.critical("%s", told)
        self._logged.add(told)

    def advance(
        self, stores: Sequence[ProjectionStore], partition: int, report: Callable[[int], Any] = lambda _: None
    ) -> int:
        """Applies what one partition's feed tells beyond the projections' checkpoints; how many batches, by projection.

        What a damaged table did is passed over and logged: it keeps no other table waiting. Where the feed does not
        hold the checkpoint, the rows tell of what is lost: those of the partition are made anew.
        """
        return advanced({partition: self._advancing(stores, partition, report)})

    def _advancing(
        self, stores: Sequence[ProjectionStore], partition: int, report: Callable[[int], Any] = lambda _: None
    ) -> Advancing[int]:
        done = 0
        for group in self._by_place(stores, partition):
            done += yield from self._advancing_together(group, partition, report)
        for store in stores:
            self._do_afterwards(store, partition)
        return done

    def _by_place(self, stores: Sequence[ProjectionStore], partition: int) -> Iterable[list[ProjectionStore]]:
        """The projections in groups that stand at the same place."""
        groups: dict[Checkpoint, list[ProjectionStore]] = defaultdict(list)
        for store in stores:
            groups[self._place(store, partition)].append(store)
        return groups.values()

    def _advancing_together(
        self, group: list[ProjectionStore], partition: int, report: Callable[[int], Any]
    ) -> Advancing[int]:
        """Applies, page by page, what the feed tells after the place at which projections stand together.

        Where they stand elsewhere after all, each is advanced from there.
        """
        from_start = not self._place(group[0], partition).position
        done, pointers = 0, self._next_page(group, partition)
        while pointers:
            is_full = len(pointers) >= PAGE - 1  # one was read besides: that at which they stand
            archived = self._archived_among(pointers) if from_start or is_full else {}
            for step in self._steps(group, partition, pointers, archived):
                if not (yield from self._applying(group, partition, step)):  # another process was faster
                    return done + (yield from self._advancing(group, partition, report))
                report(step.batches)
                done += step.batches * len(group)
            pointers = self._next_page(group, partition) if is_full else []
        return done if pointers is not None else done + (yield from self._advancing(group, partition, report))

    def _is_replaced(self, group: Sequence[ProjectionStore]) -> bool:
        """Whether readers have turned to a later generation of one: the rows of the earlier one are to stay removed."""
        read = all_current(self.log, [store.projection for store in group])
        return any(now.generation > store.generation for now, store in zip(read, group, strict=True))

    def _next_page(self, group: list[ProjectionStore], partition: int) -> Sequence[Pointer] | None:
        """The pointers after the place at which projections stand; None if they stand elsewhere after all."""
        place = self._place(group[0], partition)
        begin = self._begin(group[0], partition)
        ahead = self._ahead.pop((partition, begin), None)
        held = self.log.feed(partition, begin, PAGE) if ahead is None else ahead
        if not place.position:
            return [] if held and self._is_replaced(group) else held
        if held and place.is_at(held[0]):
            return held[1:]
        for store in group:
            self._find_place(store, partition, place)
        return None

    def _begin(self, store: ProjectionStore, partition: int) -> int:
        """The position after which a page begins that shows the pointer at which a projection stands."""
        return max(self._place(store, partition).position - 1, 0)

    def _find_place(self, store: ProjectionStore, partition: int, lost: Checkpoint) -> None:
        """Remembers where a projection stands that the feed does not hold: where another process moved it, or anew."""
        stands = store.checkpoint(partition)
        if stands == lost:
            lack = "%s: the feed of partition %d does not hold position %d, which was applied: its rows are made anew"
            log.critical(lack, store.projection, partition, lost.position)
            stands = _begin_anew(store, partition, lost)
        self._go_on_from(store, partition, stands)

    def _archived_among(self, pointers: Sequence[Pointer]) -> dict[str, Facts]:
        """What is kept of those tables of a page that are archived: reading them would take long, and no row is theirs.

        Asked where there may be any: what was told just now is of tables that are played.
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
        """What these batches change, in as few steps as there can be."""
        known: dict[str, Table] = {}
        count, gathered = 0, _nothing(group)
        for pointer, batch in batches(self._cache, pointers, archived):
            fresh = [PROJECTIONS[one.projection].changed_by(batch, one, partition, known) for one in group]
            count += 1
            for operations, further in zip(gathered, fresh, strict=True):
                operations.extend(further)
            counted = any(one and PROJECTIONS[s.projection].reads_rows for s, one in zip(group, fresh, strict=True))
            if counted or count == MOST_APPLIED or pointer is pointers[-1]:
                yield Step(Checkpoint.at(pointer), count, gathered)
                count, gathered = 0, _nothing(group)

    def _applying(self, group: list[ProjectionStore], partition: int, step: Step) -> Advancing[bool]:
        """Writes what a step changes. False if another process moved a projection meanwhile: nothing was written."""
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
        """Does what follows from the rows of a partition elsewhere, unless this process has done so already."""
        key = _key(store, partition)
        if key not in self._afterwards_done:
            PROJECTIONS[store.projection].afterwards(store, partition)
            self._afterwards_done.add(key)

    def _place(self, store: ProjectionStore, partition: int) -> Checkpoint:
        """Where a projection stands, as far as this process knows."""
        known = self._places.get(_key(store, partition))
        return known or self._go_on_from(store, partition, store.checkpoint(partition))

    def _go_on_from(self, store: ProjectionStore, partition: int, place: Checkpoint) -> Checkpoint:
        """Goes on from a place to which this process did not come itself: it knows nothing of what was done there."""
        self._afterwards_done.discard(_key(store, partition))
        self._remember(store, partition, place)
        return place

    def _remember(self, store: ProjectionStore, partition: int, place: Checkpoint | None) -> None:
        if place is None:
            self._places.pop(_key(store, partition), None)
        else:
            self._places[_key(store, partition)] = place


def advanced(feeds: Mapping[int, Advancing[int]]) -> int:
    """Lets partitions advance together, what each changes next being written in one trip; how many batches."""
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


def _nothing(group: Sequence[ProjectionStore]) -> tuple[list[Operation], ...]:
    return tuple([] for _ in group)


def _key(store: ProjectionStore, partition: int) -> Key:
    """What names the rows of a partition."""
    return store.projection, store.generation, partition


def _begin_anew(store: ProjectionStore, partition: int, stands: Checkpoint) -> Checkpoint:
    """Removes a partition's rows, unless another process has gone on meanwhile; where the projection stands then."""
    first = PROJECTIONS[store.projection].anew(store, partition)
    return Checkpoint() if store.begin_anew(partition, stands, first) else store.checkpoint(partition)
