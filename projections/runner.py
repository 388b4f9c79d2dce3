"""Keeps projections up to date from the feeds, and builds them anew beside the old ones."""

import logging
from collections.abc import Callable, Iterable
from typing import Any

from events.log import LogDamaged, Pointer
from events.store import RedisLog
from projections import lobby, standings
from projections.history import Histories, History
from projections.shelf import Operation, Shelf, current, make_current
from projections.table import Table

PROJECTIONS: dict[str, Callable[[Table, Shelf, int, int], list[Operation]]] = {
    lobby.NAME: lobby.operations,
    standings.NAME: standings.operations,
}


log = logging.getLogger(__name__)


class Runner:
    """Brings the current generation of every projection forward."""

    def __init__(self, log: RedisLog, histories: Histories) -> None:
        self.log, self._histories = log, histories

    def catch_up(self, partitions: Iterable[int]) -> int:
        """Applies everything that the feeds of these partitions tell beyond the checkpoints; how many batches."""
        shelves = [current(self.log, name) for name in PROJECTIONS]
        return sum(self.advance(shelf, partition) for shelf in shelves for partition in partitions)

    def advance(self, shelf: Shelf, partition: int, report: Callable[[int], Any] = lambda _: None) -> int:
        """Applies what one partition's feed tells beyond a projection's checkpoint; how many batches.

        What a damaged table did is passed over and logged: it keeps no other table waiting.
        """
        done = 0
        before: dict[str, Table] = {}  # a table after the last batch that was applied, to fold on from there
        position = shelf.checkpoint(partition)
        while pointers := self.log.feed(partition, position):
            for pointer in pointers:
                table = self._table(pointer, before.get(pointer.table))
                operations = PROJECTIONS[shelf.projection](table, shelf, partition, pointer.first) if table else []
                if not shelf.apply(partition, position, pointer.position, operations):
                    return done
                if table:
                    before[pointer.table] = table
                position, done = pointer.position, done + 1
                report(1)
        return done

    def _table(self, pointer: Pointer, before: Table | None) -> Table | None:
        """The table after the batch, None if its record is damaged."""
        try:
            return self._history(pointer).at(pointer.last, before)
        except LogDamaged as damage:
            log.critical("%s; the projections pass over it: rebuild them once it is mended", damage)
            return None

    def _history(self, pointer: Pointer) -> History:
        history = self._histories.known(pointer.table)
        if history is None or history.table.version < pointer.last:
            history = self._histories.fresh(pointer.table)
        if history is None or history.table.version < pointer.last:
            raise LogDamaged(f"{pointer.table} lacks version {pointer.last}, which the feed names")
        return history

    def rebuild(self, name: str, report: Callable[[int], Any] = lambda _: None) -> Shelf:
        """Builds a new generation of a projection, lets readers turn to it, and removes the old one."""
        old = current(self.log, name)
        new = Shelf(self.log, name, old.generation + 1)
        new.clear()
        for partition in range(self.log.partitions):
            self.advance(new, partition, report)
        make_current(new)
        old.clear()
        return new
