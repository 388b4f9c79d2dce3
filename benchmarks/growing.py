"""A store and an archive that grow: tables played to their end by random players, and archived slice by slice.

Which tables were played is kept in the store: whoever starts again with the same directory goes on from there.
"""

import multiprocessing
import os
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from tqdm import tqdm

from benchmarks.engine import Luck
from benchmarks.play import handler_on, people, play_on
from events.archiving.objects import Objects
from events.lifecycle import SeatOffer
from events.log import PARTITIONS
from events.store import RedisLog, connect
from games import GAMES
from projections.history import Histories
from projections.registry import PROJECTIONS
from projections.runner import Runner
from projections.store import current
from service.clock import Clock
from service.commands import CommandContext, Request
from service.runtime import archiving, embedded
from service.tables.opening import Opening, open_table
from service.tables.seating import take_seat
from worker.archiver import ANSWERED_MS, Archiver

MOST_PLAYERS = 6
AT_ONCE = 10  # tables that a process plays before it is given more
MIB = 1 << 20
PLAYED = "growth:played"  # the numbers of the tables that were played into this store, as bits
EVENTS = "growth:events"  # how many events they have
ARCHIVED = "growth:archived"  # how many of them were archived; what is played meanwhile comes with the next slice


class Growth(NamedTuple):
    """A store that grows, and the directory of its archive."""

    log: RedisLog
    directory: Path
    fewest: bool  # whether tables have as few seats as their games allow; else any number that they allow

    @classmethod
    def at(cls, where: Path, fewest: bool = False) -> "Growth":
        """What grows in a directory, whose server runs."""
        objects = Objects(str(where / "archive"), where / "catalogue.sqlite")
        return cls(RedisLog(connect(embedded.url_of(where)), PARTITIONS, objects), where / "archive", fewest)

    @property
    def memory(self) -> int:
        """Bytes of memory that the store's data take."""
        return int(self.log.client.info("memory")["used_memory_dataset"])

    @property
    def archived_bytes(self) -> int:
        """Bytes of all files of the archive."""
        return sum(path.stat().st_size for path in self.directory.rglob("*") if path.is_file())

    @property
    def tables(self) -> int:
        """How many tables were played."""
        return int(self.log.client.bitcount(PLAYED))

    @property
    def archived(self) -> int:
        """How many tables were played and archived."""
        return int(self.log.client.get(ARCHIVED) or 0)

    @property
    def events(self) -> int:
        """How many events they have."""
        return int(self.log.client.get(EVENTS) or 0)

    def fresh(self) -> Histories:
        """What a process that starts now knows."""
        return Histories(self.log, capacity=1)


@contextmanager
def growing(where: Path, fewest: bool = False) -> Iterator[Growth]:
    """The store and the archive in a directory."""
    where.mkdir(parents=True, exist_ok=True)
    server = embedded.start(where)
    try:
        yield Growth.at(where, fewest)
    finally:
        server.terminate()
        server.wait()


@contextmanager
def hasty(growth: Growth) -> Iterator[None]:
    """The store writes to disk once a second: filling it is not what is measured."""
    growth.log.client.config_set("appendfsync", "everysec")
    yield
    growth.log.client.config_set("appendfsync", "always")


def fill(where: Path, growth: Growth, tables: int, slice_: int) -> Iterator[dict[str, Any]]:
    """Plays until there are so many tables, and archives slice by slice; the memory before and after each."""
    with hasty(growth), tqdm(total=tables, initial=growth.tables, unit=" tables") as bar:
        while growth.archived < tables:
            missing = _missing(growth, min(growth.tables + slice_, tables))
            for _ in _played_in(partial(play_one, where, growth.fewest), missing):
                bar.update()
            yield archive(where, growth)


def _missing(growth: Growth, tables: int) -> list[int]:
    """The numbers of tables that were not played yet."""
    bits = growth.log.client.get(PLAYED) or b""
    return [number for number in range(tables) if not _bit(bits, number)]


def _bit(bits: bytes, number: int) -> bool:
    return number // 8 < len(bits) and bool(bits[number // 8] >> (7 - number % 8) & 1)


def _played_in(one: Callable[[int], int], numbers: list[int]) -> Iterator[int]:
    """Plays tables by as many processes as there are cores."""
    if not numbers:
        return
    with _processes() as pool:
        yield from pool.map(one, numbers, chunksize=AT_ONCE)


def play_one(where: Path, fewest: bool, number: int) -> int:
    """Plays the table of this number to its end; how many moves were made."""
    return len(played(Growth.at(where, fewest), number))


def played(growth: Growth, number: int) -> list[float]:
    """Plays the table of this number to its end, of the game whose turn it is; how long each move took, in seconds."""
    luck, players = Luck(number), people(MOST_PLAYERS)
    handler, taken_s = handler_on(growth.log), []
    game = list(GAMES.values())[number % len(GAMES)]
    seated = luck.rng.sample(players, min(game.players) if growth.fewest else luck.rng.choice(game.players))
    offers = tuple(SeatOffer(seat, "player", player.id) for seat, player in enumerate(seated, 1))
    name = f"growth {number}"
    table = open_table(handler, CommandContext(seated[0], Request(name)), Opening(game.slug, offers)).table
    for seat, player in enumerate(seated[1:], 2):
        table = take_seat(handler, table.id, seat, CommandContext(player, Request(f"{name} {seat}"))).table
    begun = time.perf_counter()
    for _, outcome in play_on(handler, table, luck):
        taken_s.append(time.perf_counter() - begun)
        table = outcome.table
        begun = time.perf_counter()
    pipeline = growth.log.client.pipeline()
    pipeline.setbit(PLAYED, number, 1)
    pipeline.incrby(EVENTS, table.version)
    pipeline.execute()
    return taken_s


def archive(where: Path, growth: Growth) -> dict[str, Any]:
    """Projects and archives what was played; the memory before and after, and what both cost."""
    project(where)
    before, held = growth.memory, growth.tables
    with tqdm(unit=" tables archived") as bar:
        archiving.archive(partial(_archiver, where), os.cpu_count() or 1, bar.update)
    growth.log.client.set(ARCHIVED, held)
    return {
        "tables": held,
        "events": growth.events,
        "memory before, MiB": round(before / MIB, 1),
        "memory after, MiB": round(growth.memory / MIB, 1),
        "bytes of memory a table": round(growth.memory / growth.tables),
        "bytes of archive an event": round(growth.archived_bytes / growth.events, 1),
    }


def _archiver(where: Path) -> Archiver:
    """Archives at once, as if no request were to be answered again."""
    return Archiver(Growth.at(where).log, lambda: Clock().now_ms() + ANSWERED_MS, 0)


def project(where: Path) -> None:
    """Brings every projection up to date, by as many processes as there are cores."""
    with _processes() as pool, tqdm(unit=" batches projected") as bar:
        for done in pool.map(partial(_advanced, where), range(PARTITIONS)):
            bar.update(done)


def _advanced(where: Path, partition: int) -> int:
    growth = Growth.at(where)
    stores = [current(growth.log, name) for name in PROJECTIONS]
    return Runner(growth.log, growth.fresh()).advance(stores, partition)


def _processes() -> ProcessPoolExecutor:
    return ProcessPoolExecutor(os.cpu_count(), multiprocessing.get_context("spawn"))
