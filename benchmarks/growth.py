"""Growth: a store and an archive filled with finished tables, and what memory, reads and rebuilds then cost.

Tables are played to their end by random players through the use cases, archived slice by slice, and kept in a
directory: whoever starts again with the same directory goes on from there. `make growth TABLES=10000`.
"""

import argparse
import random
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from tqdm import tqdm

from benchmarks.engine import Luck
from benchmarks.figures import Figures, markdown, median, percentile_ms
from benchmarks.machine import machine
from benchmarks.play import handler_on, people, play_on
from events.archiving.objects import Objects
from events.lifecycle import SeatOffer
from events.log import PARTITIONS
from events.store import RedisLog, connect
from games import GAMES
from projections import lobby, standings
from projections.catalogue import SEGMENTS, catalogue_of
from projections.history import Histories
from projections.lobby import Part
from projections.runner import Runner
from projections.store import current
from service.accounts.accounts import Player
from service.commands import CommandContext, CommandHandler, Request
from service.runtime import embedded
from service.tables.audit import record_faults
from service.tables.opening import Opening, open_table, take_seat
from worker.archiver import ANSWERED_MS, Archiver

SLICE = 200  # tables played between two archivings
MOST_PLAYERS = 6
SAMPLE = 200  # archived tables that are read, and audited
MIB = 1 << 20
PLAYED = "growth:played"  # how many tables were played into this store


class Growth(NamedTuple):
    """A store that grows, and the directory of its archive."""

    log: RedisLog
    directory: Path

    @property
    def memory(self) -> int:
        """Bytes of memory that the store's data take."""
        return int(self.log.client.info("memory")["used_memory_dataset"])

    @property
    def archived_bytes(self) -> int:
        """Bytes of all files of the archive."""
        return sum(path.stat().st_size for path in self.directory.rglob("*") if path.is_file())

    def fresh(self) -> Histories:
        """What a process that starts now knows."""
        return Histories(self.log, capacity=1)


@contextmanager
def growing(where: Path) -> Iterator[Growth]:
    """The store and the archive in a directory."""
    where.mkdir(parents=True, exist_ok=True)
    server = embedded.start(where)
    try:
        objects = Objects(str(where / "archive"), where / "catalogue.sqlite")
        yield Growth(RedisLog(connect(embedded.url_of(where)), PARTITIONS, objects), where / "archive")
    finally:
        server.terminate()
        server.wait()


def play_one(growth: Growth, number: int, players: list[Player]) -> int:
    """Plays a table of the game whose turn it is to its end; how many events it has."""
    luck = Luck(number)
    handler = handler_on(growth.log)
    game = list(GAMES.values())[number % len(GAMES)]
    count = luck.rng.choice(game.players)
    seated = luck.rng.sample(players, count)
    offers = tuple(SeatOffer(seat, "player", player.id) for seat, player in enumerate(seated, 1))
    name = f"growth {number}"
    table = open_table(handler, CommandContext(seated[0], Request(name)), Opening(game.slug, offers)).table
    for seat, player in enumerate(seated[1:], 2):
        table = take_seat(handler, table.id, seat, CommandContext(player, Request(f"{name} {seat}"))).table
    for _, outcome in play_on(handler, table, luck):
        table = outcome.table
    growth.log.client.hincrby(PLAYED, "events", table.version)
    growth.log.client.hincrby(PLAYED, "tables", 1)
    return table.version


def fill(growth: Growth, tables: int, players: list[Player]) -> list[dict[str, Any]]:
    """Plays until there are so many tables, and archives each slice; the memory before and after each."""
    rows = []
    played = int(growth.log.client.hget(PLAYED, "tables") or 0)
    with tqdm(total=tables, initial=played, unit=" tables") as bar:
        while played < tables:
            for number in range(played, min(played + SLICE, tables)):
                play_one(growth, number, players)
                bar.update()
            rows.append(archive(growth))
            played = int(rows[-1]["tables"])
    return rows


def archive(growth: Growth) -> dict[str, Any]:
    """Projects and archives what was played; the memory before and after."""
    handler = CommandHandler(growth.log)
    Runner(growth.log, growth.fresh()).catch_up(range(PARTITIONS))
    before = growth.memory
    begun = time.process_time()
    done = Archiver(growth.log, lambda: handler.now_ms() + ANSWERED_MS, 0).archive_due()
    taken_s = time.process_time() - begun
    kept = {name.decode(): int(value) for name, value in growth.log.client.hgetall(PLAYED).items()}
    return {
        "tables": kept["tables"],
        "memory before, MiB": round(before / MIB, 1),
        "memory after, MiB": round(growth.memory / MIB, 1),
        "bytes of memory a table": round(growth.memory / kept["tables"]),
        "bytes of archive an event": round(growth.archived_bytes / kept["events"], 1),
        "ms of processor a table": round(1000 * taken_s / max(done.tables, 1), 1),
    }


def reading(growth: Growth) -> list[dict[str, Any]]:
    """What reads cost a process that knows nothing yet."""
    luck, names = random.Random(1), sample(growth)
    versions = {name: luck.randint(1, growth.log.head(name).version) for name in names}

    def at(name: str) -> object:
        history = growth.fresh().fresh(name)
        return history and history.at(versions[name])

    rows = current(growth.log, lobby.NAME)
    return [
        taken("an archived table at any version, cold", [partial(at, name) for name in names]),
        taken("a page of 50 finished tables", [lambda: lobby.page(rows, "finished", Part(None, 50))] * 20),
        taken("the chain and seals of an archived table", [partial(whole, growth, name) for name in names]),
    ]


def sample(growth: Growth) -> list[str]:
    """Some archived tables, the newest first."""
    found, _ = lobby.page(current(growth.log, lobby.NAME), "finished", Part(None, SAMPLE))
    return [row["table"] for row in found]


def whole(growth: Growth, name: str) -> None:
    """Checks the record of a table; raises `ValueError` for a fault."""
    if faults := list(record_faults(growth.log.read(name))):
        raise ValueError(f"{name}: {faults[0]}")


def taken(what: str, calls: list[Callable[[], object]]) -> dict[str, Any]:
    """How long calls take, in milliseconds."""
    found_s = []
    for call in calls:
        begun = time.perf_counter()
        call()
        found_s.append(time.perf_counter() - begun)
    return {
        "what": what,
        "calls": len(found_s),
        "median, ms": 1000 * median(found_s),
        "p99, ms": percentile_ms(found_s, 99),
    }


def rebuilding(growth: Growth) -> dict[str, Any]:
    """How fast the standings are made anew from the archive and the feeds."""
    begun, before = time.process_time(), list(current(growth.log, standings.NAME).contents())
    anew = Runner(growth.log, growth.fresh()).rebuild(standings.NAME)
    taken_s = time.process_time() - begun
    events = int(growth.log.client.hget(PLAYED, "events"))
    return {
        "what": "standings made anew",
        "events": events,
        "events/s of one core": round(events / taken_s),
        "the same to the byte": list(anew.contents()) == before,
    }


def grown(where: Path, tables: int) -> list[Figures]:
    """Fills a directory with so many tables, and measures."""
    with growing(where) as growth:
        filled = fill(growth, tables, people(MOST_PLAYERS))
        catalogue = catalogue_of(growth.log)
        listed = catalogue.count("finished", "", "~") if catalogue else 0
        host = "; ".join(f"{name}: {value}" for name, value in machine(embedded.url_of(where)).items())
        note = f"{listed} public tables in {growth.log.client.zcard(SEGMENTS)} segments. {host}"
        return [
            Figures("Memory and archive", note, filled),
            Figures("Reads", "of a process that has nothing in memory", reading(growth)),
            Figures("Rebuilding", "from the lists of segments and the feeds", [rebuilding(growth)]),
        ]


def main() -> None:
    """Prints the figures as Markdown."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=10_000)
    parser.add_argument("--directory", type=Path, default=Path("var/growth"))
    asked = parser.parse_args()
    for figures in grown(asked.directory, asked.tables):
        print(markdown(figures))


if __name__ == "__main__":
    main()
