"""Which projections there are, and how the rows of each follow from tables."""

from collections.abc import Callable
from typing import NamedTuple

from projections import leaderboard, lobby, standings
from projections.batches import ArchivedBatch, FedBatch
from projections.store import Operation, ProjectionStore
from projections.table import Table
from projections.table_facts import Facts


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
