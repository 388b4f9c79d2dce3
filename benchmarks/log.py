"""The log: append, replay and rebuild beside the bare commands of the store."""

import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from tqdm import tqdm

from benchmarks.engine import Luck
from benchmarks.figures import Aim, Figures, Size, median
from benchmarks.host import Host
from benchmarks.play import choice, handler_on, open_for, people, play_on, play_to
from events.envelopes import fields_from_event
from events.log import Batch, VersionRange
from events.store import RedisLog
from projections import lobby_rows
from projections.folding import fold
from projections.history import TableCache
from projections.runner import Runner
from service.command_handler import Request
from service.tables.playing import play
from tests.memory_log import MemoryLog

REPLAYED = 400  # events of the table that is replayed
STREAM = "benchmarks:raw"


def log(redis_url: str, size: Size) -> Figures:
    """Events a second of writing and reading, each beside the bare command."""
    store = Host(redis_url, 0).log()
    written = writing(store, played_batches(size.batches), size)
    read = reading(store, size)
    rows = [written[0], written[1], playing(store, size), *read, rebuilding(store)]
    note = (
        "One connection, one call after the other, `appendfsync always`. XADD adds one event a call, of the same bytes "
        "as the appends add in batches. A play decides a move of Big Manitou, records it, appends it and folds it in. "
        "A cold replay reads all events of a table and folds them. A rebuild makes the lobby anew from the feeds, with "
        "nothing in memory before."
    )
    aim = Aim(f"{read[1]['']}, ms", read[1]["ms a call"], 2.0, most=True, yard="plain")
    return Figures("The log", note, rows, [aim])


def played_batches(count: int) -> list[tuple[str, Batch]]:
    """Batches of random games, as they were appended."""
    batches: list[tuple[str, Batch]] = []
    for seed in range(count):
        if len(batches) >= count:
            break
        kept = Kept()
        handler = handler_on(kept)
        for _ in play_on(handler, open_for(handler, people(2 + seed % 4)), Luck(seed)):
            pass
        batches += kept.batches
    return batches[:count]


class Kept(MemoryLog):
    """A log in memory that remembers its batches."""

    def __init__(self) -> None:
        super().__init__()
        self.batches: list[tuple[str, Batch]] = []

    def append(self, table: str, batch: Batch) -> VersionRange:
        """Appends and remembers."""
        self.batches.append((table, batch))
        return super().append(table, batch)


def row_of(what: str, events: int, taken_s: Sequence[float]) -> dict[str, Any]:
    """The figures of calls that dealt with so many events altogether."""
    seconds = sum(taken_s)
    return {
        "": what,
        "events/s": events / seconds,
        "calls/s": len(taken_s) / seconds,
        "ms a call": 1000 * median(taken_s),
    }


def taken(call: Callable[[], Any]) -> float:
    """The seconds that a call takes."""
    begun = time.perf_counter()
    call()
    return time.perf_counter() - begun


def writing(store: RedisLog, batches: Sequence[tuple[str, Batch]], size: Size) -> list[dict[str, Any]]:
    """Bare XADD of single events and appends of batches, by turns."""
    bare: list[float] = []
    appends: list[float] = []
    share = -(-len(batches) // size.rounds)
    for begin in tqdm(range(0, len(batches), share), desc="append", unit="round", leave=False):
        chunk = batches[begin : begin + share]
        for fields in [fields_from_event(event) for _, batch in chunk for event in batch.events]:
            bare.append(taken(partial(store.client.xadd, STREAM, fields)))
        for table, batch in chunk:
            appends.append(taken(partial(store.append, table, batch)))
    return [row_of("XADD", len(bare), bare), row_of("append", len(bare), appends)]


def playing(store: RedisLog, size: Size) -> dict[str, Any]:
    """Whole plays through the use case, without the web."""
    handler, seconds, events = handler_on(store), [], 0
    table = open_for(handler, people())
    luck = Luck(1)
    for _ in tqdm(range(size.batches), desc="play", unit="move", leave=False):
        if not table.decisions:
            table = open_for(handler, people())
        asked, version = choice(table, luck), table.version
        player = table.seats[asked.seat - 1].player
        begun = time.perf_counter()
        outcome = play(handler, table.id, asked, player, Request(f"{table.id} {asked.decision}"))
        seconds.append(time.perf_counter() - begun)
        table = outcome.table
        events += table.version - version
    return row_of("play", events, seconds)


def reading(store: RedisLog, size: Size) -> list[dict[str, Any]]:
    """Bare XRANGE of a table and its cold replay, by turns."""
    version = min(REPLAYED, size.events)
    table = play_to(handler_on(store), people(), version, Luck(1)).id
    key = store.table_key(table, "events")
    bare, replays = [], []
    for _ in tqdm(range(20 * size.rounds), desc="replay", unit="replay", leave=False):
        bare.append(taken(partial(store.client.xrange, key, 1, version)))
        replays.append(taken(lambda: fold(None, store.read(table, 1, version))))
    return [
        row_of(f"XRANGE of {version} events", version * len(bare), bare),
        row_of(f"cold replay of {version} events", version * len(replays), replays),
    ]


def rebuilding(store: RedisLog) -> dict[str, Any]:
    """The lobby made anew."""
    pointers = [pointer for partition in range(store.partitions) for pointer in store.feed(partition, 0, 10**6)]
    events = sum(pointer.last - pointer.first + 1 for pointer in pointers)
    with tqdm(total=len(pointers), desc="rebuild", unit="batch", leave=False) as bar:
        seconds = taken(lambda: Runner(store, TableCache(store)).rebuild(lobby_rows.NAME, bar.update))
    return row_of("rebuild of the lobby", events, [seconds])
