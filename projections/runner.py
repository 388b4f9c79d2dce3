"""Keeps projections up to date from the feeds, and rebuilds them beside the old ones."""

import logging
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from events.log import LogUnreadable, Pointer
from events.store import RedisLog
from projections import leaderboard, lobby, standings
from projections.history import Histories
from projections.pointing import history_told
from projections.store import FORM, Checkpoint, Operation, ProjectionStore, current, make_current
from projections.table import Table


class Projection(NamedTuple):
    """How rows of a partition follow from tables.

    `operations`: what a batch changes, from the table after it, the rows, the partition and the batch's first version;
    `anew`: what a partition whose rows are removed begins with; `afterwards`: what follows from its rows elsewhere.
    """

    operations: Callable[[Table, ProjectionStore, int, int], list[Operation]]
    anew: Callable[[ProjectionStore, int], list[Operation]] = lambda _store, _partition: []
    afterwards: Callable[[ProjectionStore, int], None] = lambda _store, _partition: None


PROJECTIONS = {
    lobby.NAME: Projection(lobby.operations),
    standings.NAME: Projection(standings.operations, leaderboard.all_unsummed, leaderboard.sum_up),
}

log = logging.getLogger(__name__)


class Runner:
    """Brings the current generation of every projection forward."""

    def __init__(self, log: RedisLog, histories: Histories) -> None:
        self.log, self._histories = log, histories

    def catch_up(self, partitions: Iterable[int]) -> int:
        """Applies everything in the feeds of these partitions after the checkpoints; returns the number of batches."""
        stores = [current(self.log, name) for name in PROJECTIONS]
        return sum(self.advance(store, partition) for store in stores for partition in partitions)

    def advance(self, store: ProjectionStore, partition: int, report: Callable[[int], Any] = lambda _: None) -> int:
        """Applies what one partition's feed tells beyond a projection's checkpoint; how many batches.

        What a damaged table did is passed over and logged: it keeps no other table waiting. Where the feed does not
        hold the checkpoint, the rows tell of what is lost: those of the partition are made anew.
        """
        done = self._apply(store, partition, report)
        PROJECTIONS[store.projection].afterwards(store, partition)
        return done

    def _apply(self, store: ProjectionStore, partition: int, report: Callable[[int], Any]) -> int:
        done, projection = 0, PROJECTIONS[store.projection]
        before: dict[str, Table] = {}  # a table after the last batch that was applied, to fold on from there
        stands = self._stands(store, partition)
        while pointers := self.log.feed(partition, stands.position):
            for pointer in pointers:
                table = self._table(pointer, before.get(pointer.table))
                operations = projection.operations(table, store, partition, pointer.first) if table else []
                if not store.apply(partition, stands, Checkpoint.at(pointer), operations):
                    return done
                if table:
                    before[pointer.table] = table
                stands, done = Checkpoint.at(pointer), done + 1
                report(1)
        return done

    def _stands(self, store: ProjectionStore, partition: int) -> Checkpoint:
        """Where a projection continues: after its checkpoint, or at the beginning if the feed does not hold that."""
        stands = store.checkpoint(partition)
        if stands.form != FORM:
            log.warning(
                "%s: partition %d has indexes of an earlier release: they are made anew", *_named(store, partition)
            )
            return _anew(store, partition, stands)
        held = self.log.pointers({partition: stands.position}) if stands.position else {}
        if not stands.position or (held and stands.is_at(held[partition])):
            return stands
        told = "%s: the feed of partition %d does not hold position %d, which was applied: its rows are made anew"
        log.critical(told, *_named(store, partition), stands.position)
        return _anew(store, partition, stands)

    def _table(self, pointer: Pointer, before: Table | None) -> Table | None:
        """The table after the batch, None if its record is damaged."""
        try:
            history = history_told(self._histories, pointer)
            return history.at(pointer.last, before if before and history.holds(before.head) else None)
        except LogUnreadable as damage:
            log.critical("%s; the projections pass over it: rebuild them once it is mended", damage)
            return None

    def rebuild(self, name: str, report: Callable[[int], Any] = lambda _: None) -> ProjectionStore:
        """Builds a new generation of a projection, switches readers over, and removes the old one."""
        old = current(self.log, name)
        new = ProjectionStore(self.log, name, old.generation + 1)
        new.clear()
        for partition in range(self.log.partitions):
            self.advance(new, partition, report)
        make_current(new)
        old.clear()
        return new


def _anew(store: ProjectionStore, partition: int, stands: Checkpoint) -> Checkpoint:
    """Removes a partition's rows, unless another process has gone on meanwhile; where the projection stands then."""
    first = PROJECTIONS[store.projection].anew(store, partition)
    return Checkpoint() if store.begin_anew(partition, stands, first) else store.checkpoint(partition)


def _named(store: ProjectionStore, partition: int) -> tuple[str, int]:
    """What a line of the log calls the rows of a partition."""
    return store.projection, partition
