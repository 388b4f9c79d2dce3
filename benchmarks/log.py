"""The log: append, replay and rebuild beside the bare commands of the store."""

import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from tqdm import tqdm

from benchmarks.engine import Luck
from benchmarks.figures import Aim, Figures, Size, median
from benchmarks.host import Host
from benchmarks.play import open_for, people, play_on, play_to
from events.chain import GENESIS
from events.log import Batch
from events.memory import MemoryLog
from events.recorded import Head, Recorded, fields_of
from events.store import RedisLog
from projections.history import Histories
from projections.runner import Runner
from projections.table import fold
from service.house import House

REPLAYED = 400  # events of the table that is replayed
STREAM = "benchmarks:raw"


def log(redis_url: str, size: Size) -> Figures:
    """Events a second of writing and reading, each beside the bare command."""
    store = Host(redis_url, 0).log()
    batches = played_batches(size.batches)
    rows, aims = [*writing(store, batches)], []
    replay = replaying(store, min(REPLAYED, size.events), size)
    rows += [*replay, rebuilding(store)]
    aims.append(Aim(f"cold replay of {REPLAYED} events, ms", replay[-1]["ms"], 3.0, most=True))
    note = (
        "One connection, one call after the other, `appendfsync always`. XADD adds one event a call, of the same bytes. "
        "A play decides a move of Big Manitou, records it, appends it and folds it in. A cold replay reads all events of "
        "a table and folds them. A rebuild makes the lobby anew from the feeds, with nothing in memory before."
    )
    return Figures("The log", note, rows, aims)


def played_batches(count: int) -> list[tuple[str, Batch]]:
    """Batches of random games, as they were appended."""
    batches: list[tuple[str, Batch]] = []
    seed = 0
    while len(batches) < count:
        house, seed = House(Kept()), seed + 1
        table = open_for(house, people(2 + seed % 4))
        for _ in play_on(house, table, Luck(seed)):
            pass
        batches += house.log.batches
    return batches[:count]


class Kept(MemoryLog):
    """A log in memory that remembers its batches."""

    def __init__(self) -> None:
        super().__init__()
        self.batches: list[tuple[str, Batch]] = []

    def append(self, table: str, batch: Batch) -> Any:
        """Appends and remembers."""
        self.batches.append((table, batch))
        return super().append(table, batch)
