"""Keeps projections up to date from the feeds, and builds them anew beside the old ones."""

from collections.abc import Callable, Iterable
from typing import Any

from events.log import Pointer
from events.store import RedisLog
from projections import lobby, standings
from projections.history import Histories, History
from projections.shelf import Operation, Shelf, current, make_current
from projections.table import Table

PROJECTIONS: dict[str, Callable[[Table, Shelf, int, int], list[Operation]]] = {
    lobby.NAME: lobby.operations,
    standings.NAME: standings.operations,
}


class Runner:
    """Brings the current generation of every projection forward."""

    def __init__(self, log: RedisLog, histories: Histories) -> None:
        self.log, self._histories = log, histories

    def catch_up(self, partitions: Iterable[int]) -> int:
        """Applies everything that the feeds of these partitions tell beyond the checkpoints; how many batches."""
        shelves = [current(self.log, name) for name in PROJECTIONS]
        return sum(self.advance(shelf, partition) for shelf in shelves for partition in partitions)

    def advance(self, shelf: Shelf, partition: int, report: Callable[[int], Any] = lambda _: None) -> int:
        """Applies what one partition's feed tells beyond a projection's checkpoint; how many batches."""
        done = 0
        before: dict[str, Table] = {}  # a table after the last batch that was applied, to fold on from there
        position = shelf.checkpoint(partition)
        while pointers := self.log.feed(partition, position):
            for pointer in pointers:
                table = self._history(pointer).at(pointer.last, before.get(pointer.table))
                operations = PROJECTIONS[shelf.projection](table, shelf, partition, pointer.first)
                if not shelf.apply(partition, position, pointer.position, operations):
                    return done
                before[pointer.table] = table
                position, done = pointer.position, done + 1
                report(1)
        return done

    def _history(self, pointer: Pointer) -> History:
        history = self._histories.known(pointer.table)
        if history is None or history.table.version < pointer.last:
            history = self._histories.fresh(pointer.table)
        if history is None:
            raise LookupError(f"the feed names {pointer.table}, which has no events")
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
