"""Growth: a store and an archive filled with finished tables, and what memory, moves, reads and rebuilds then cost.

`make growth TABLES=10000` fills a directory, measures when it holds 1,000 tables and when it holds all, and writes
`benchmarks/results/growth.md`. Whoever starts again with the same directory goes on from there.
"""

import argparse
import json
import random
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from tqdm import tqdm

from benchmarks.figures import Figures, markdown, median, percentile_ms
from benchmarks.growing import MIB, Growth, fill, growing, played, project
from benchmarks.machine import machine
from benchmarks.yardstick import REFERENCE, between, yards
from events.recorded import chain_faults
from projections import lobby, lobby_lists
from projections.catalogue import SEGMENTS, catalogue_of
from projections.lobby_lists import LobbyPage
from projections.registry import PROJECTIONS
from projections.runner import Runner
from projections.store import current
from service.runtime import embedded
from service.runtime.web import spare_what_stays

FEW = 1_000  # tables of the first measurement, where there are more
SLICE = 10_000  # tables that are played before they are archived together
SAMPLE = 1_000  # archived tables that are read, and audited
PAGES = 20
MOVED = 4  # tables at which moves are timed, one of each game
MEMORY, COSTS = "Memory and archive", "Moves and reads"
RESULTS = Path(__file__).parent / "results" / "growth.md"


def costs(growth: Growth) -> list[dict[str, Any]]:
    """What moves and reads cost in a process set up as a web process, the reads while it knows nothing yet."""
    spare_what_stays()
    held, luck, names = growth.tables, random.Random(1), sample(growth)
    versions = {name: luck.randint(1, growth.log.head(name).version) for name in names}

    def at(name: str) -> object:
        history = growth.fresh().fresh(name)
        return history and history.at(versions[name])

    rows, before = current(growth.log, lobby.NAME), yards()
    measured = {
        "an archived table at any version, cold": timed([partial(at, name) for name in names]),
        "a page of 50 finished tables": timed(
            [lambda: lobby_lists.page(rows, "finished", LobbyPage(None, 50))] * PAGES
        ),
        "the chain and seals of an archived table": timed([partial(whole, growth, name) for name in names]),
        "a move": [one for number in range(held, held + MOVED) for one in played(growth, number)],
    }
    share = between(before, yards()).plain / REFERENCE.plain
    return [{"tables": held, "what": what, **spread(taken_s, share)} for what, taken_s in measured.items()]


def sample(growth: Growth) -> list[str]:
    """Some archived tables, of all that there are."""
    catalogue = catalogue_of(growth.log)
    found = catalogue.page("finished", "", "~", growth.tables) if catalogue else []
    names = [member.rpartition("|")[2] for member in found]
    return random.Random(2).sample(names, min(SAMPLE, len(names)))


def whole(growth: Growth, name: str) -> None:
    """Checks the record of a table; raises `ValueError` for a fault."""
    if faults := list(chain_faults(growth.log.read(name))):
        raise ValueError(f"{name}: {faults[0]}")


def timed(calls: Sequence[Callable[[], object]]) -> list[float]:
    """How long each call takes, in seconds."""
    found_s = []
    for call in tqdm(calls, unit=" reads", leave=False):
        begun = time.perf_counter()
        call()
        found_s.append(time.perf_counter() - begun)
    return found_s


def spread(taken_s: Sequence[float], share: float) -> dict[str, Any]:
    """How many there were, and how long they took: here, and at the reference pace, of which this is a share."""
    return {
        "calls": len(taken_s),
        "median, ms": 1000 * median(taken_s),
        "p99, ms": percentile_ms(taken_s, 99),
        "p99 at the reference pace, ms": share * percentile_ms(taken_s, 99),
    }


def rebuilding(where: Path, growth: Growth) -> Iterator[dict[str, Any]]:
    """How fast each projection is made anew from the archive and the feeds."""
    project(where)
    for name in PROJECTIONS:
        begun, before = time.process_time(), list(current(growth.log, name).contents())
        with tqdm(unit=" batches") as bar:
            anew = Runner(growth.log, growth.fresh()).rebuild(name, bar.update)
        taken_s = time.process_time() - begun
        yield {
            "projection": name,
            "events": growth.events,
            "events/s of one core": round(growth.events / taken_s),
            "the same to the byte": list(anew.contents()) == before,
        }


def starting(where: Path) -> dict[str, Any]:
    """How long the store takes to load what it holds."""
    begun = time.perf_counter()
    with growing(where) as growth:
        ready_s = time.perf_counter() - begun
        return {"tables": growth.tables, "ready after, s": ready_s, "memory, MiB": round(growth.memory / MIB, 1)}


class Found:
    """What earlier runs and this one have found, kept beside what grows."""

    def __init__(self, where: Path) -> None:
        self._file = where / "found.jsonl"

    def keep(self, title: str, row: dict[str, Any]) -> None:
        """Keeps a row of a table."""
        with self._file.open("a") as file:
            file.write(json.dumps([title, row]) + "\n")

    def rows(self, title: str) -> list[dict[str, Any]]:
        """All rows of a table."""
        lines = self._file.read_text().splitlines() if self._file.exists() else []
        return [row for kept, row in map(json.loads, lines) if kept == title]


def grown(where: Path, tables: int, slice_: int = SLICE, fewest: bool = False) -> list[Figures]:
    """Fills a directory with so many tables, and measures."""
    found = Found(where)
    with growing(where, fewest) as growth:
        described = machine(embedded.url_of(where))
        for aim in sorted({min(FEW, tables), tables}):
            for row in fill(where, growth, aim, slice_):
                found.keep(MEMORY, row)
            if not any(row["tables"] >= aim for row in found.rows(COSTS)):
                for row in costs(growth):
                    found.keep(COSTS, row)
        rebuilt = list(rebuilding(where, growth))
        segments = growth.log.client.zcard(SEGMENTS)
    host = "; ".join(f"{name}: {value}" for name, value in described.items())
    return [
        Figures(MEMORY, f"{segments} segments. {host}", found.rows(MEMORY)),
        Figures(
            COSTS,
            "Reads of a process that has nothing in memory, moves through the use cases; set up as a web process is. "
            f"The reference pace is {REFERENCE.plain:,.0f} plain yardsticks a second (benchmarks/yardstick.py).",
            found.rows(COSTS),
        ),
        Figures("Rebuilding", "From the lists of segments and the feeds.", rebuilt),
        Figures("Starting", "The store, after it was ended.", [starting(where)]),
    ]


def main() -> None:
    """Writes the figures as Markdown."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=10_000)
    parser.add_argument("--slice", type=int, default=SLICE)
    parser.add_argument("--directory", type=Path, default=Path("var/growth"))
    parser.add_argument("--fewest", action="store_true", help="as few seats as each game allows: more tables an hour")
    asked = parser.parse_args()
    found = grown(asked.directory, asked.tables, asked.slice, asked.fewest)
    option, seats = (" FEWEST=1", "the fewest seats") if asked.fewest else ("", "any number of seats")
    heading = (
        f"# Growth\n\n`make growth TABLES={asked.tables}{option}`: the games in turn, with {seats} that each allows.\n"
    )
    RESULTS.write_text("\n".join([heading, *(markdown(figures) for figures in found)]))


if __name__ == "__main__":
    main()
