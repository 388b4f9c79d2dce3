"""A model of size: what so many tables a month take, worked out of measured figures and stated assumptions.

`make scaling` writes the tables of `docs/scaling.md` anew.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from math import ceil
from pathlib import Path
from typing import NamedTuple

PAGE = Path(__file__).parents[1] / "docs" / "scaling.md"
SIZES = (10_000, 1_000_000, 100_000_000)  # tables a month
DAYS = 30.4  # of a month
DAY_S = 86_400
GIB = 1 << 30
UNITS = (("TiB", 1 << 40), ("GiB", GIB), ("MiB", 1 << 20), ("KiB", 1 << 10))


class Figure(NamedTuple):
    """A figure of the model, and where it comes from."""

    value: float
    what: str
    source: str


MEASURED = {
    "moves": Figure(153, "moves a table, the four games in equal parts", "`make growth`"),
    "events": Figure(272, "events a table", "`make growth`"),
    "rate": Figure(
        332, "moves a second a core, with dispatcher, projections, store and load on it", "`make bench`, moves"
    ),
    "writes": Figure(2_943, "writes a second of one primary, each on its disk", "`make bench`, floor"),
    "in_play": Figure(182_000, "bytes of memory a table in the store", "`make growth`"),
    "head": Figure(149, "bytes of memory an archived table, beside 8 MiB that a store takes", "`make growth`"),
    "archive": Figure(41.5, "bytes of archive an event, feeds included", "`make growth`"),
    "catalogue": Figure(4_908, "bytes of the catalogue on each machine, an archived table", "size of the file"),
    "archived": Figure(39, "tables a second that one archiver archives", "`make growth`, as it tells"),
    "rebuilt": Figure(92_500, "events a second a core, the slowest rebuild of a projection", "`make growth`"),
    "choice": Figure(0.1, "seconds of a core a choice of a `skilled` AI", "`make bench`, choices"),
}
ASSUMED = {
    "peak": Figure(4, "times the mean at the busiest hour", "evenings of one continent"),
    "used": Figure(0.5, "of a core is used at the peak", "so that waiting times stay short"),
    "ai": Figure(0.2, "of all moves are made by `skilled` AI", "one seat of five"),
    "hours": Figure(2, "hours that a table is in play", "a live game; tables of days a move last weeks"),
    "kept": Figure(7, "days that a closed table stays in the store", "`WINTERCOUNT_ARCHIVE_AFTER_DAYS`"),
    "primary": Figure(32, "GiB of memory of a primary", "a usual machine"),
    "core_price": Figure(20, "USD a month a core", "a cloud's list price, rounded"),
    "memory_price": Figure(4, "USD a month a GiB of memory, doubled for replicas", "the same"),
    "object_price": Figure(0.023, "USD a month a GiB of object storage", "the same"),
}


class Load(NamedTuple):
    """So many tables a month, and closed tables that leave the store after so many days."""

    tables: int
    kept_days: float = ASSUMED["kept"].value

    @property
    def mean_moves(self) -> float:
        """Moves a second."""
        return self.tables * MEASURED["moves"].value / (DAYS * DAY_S)

    @property
    def peak_moves(self) -> float:
        """Moves a second at the busiest hour."""
        return ASSUMED["peak"].value * self.mean_moves

    @property
    def cores(self) -> int:
        """Cores for web processes, dispatchers, projections and store together."""
        return ceil(self.peak_moves / (ASSUMED["used"].value * MEASURED["rate"].value))

    @property
    def ai_cores(self) -> int:
        """Cores for the workers of AI players."""
        busy = self.peak_moves * ASSUMED["ai"].value * MEASURED["choice"].value
        return ceil(busy / ASSUMED["used"].value)

    @property
    def in_store(self) -> float:
        """Tables in the store at once."""
        days = self.kept_days + ASSUMED["hours"].value / 24
        return self.tables / DAYS * days

    @property
    def memory(self) -> float:
        """Bytes of memory for tables in the store."""
        return self.in_store * MEASURED["in_play"].value

    @property
    def heads(self) -> float:
        """Bytes of memory for what stays of tables archived in a year."""
        return 12 * self.tables * MEASURED["head"].value

    @property
    def primaries(self) -> int:
        """Primaries after a year, by memory or by writes, whichever takes more; each has a replica."""
        by_memory = (self.memory + self.heads) / (ASSUMED["primary"].value * GIB)
        return ceil(max(by_memory, self.peak_moves / MEASURED["writes"].value))

    @property
    def archive(self) -> float:
        """Bytes of archive after a year."""
        return 12 * self.tables * MEASURED["events"].value * MEASURED["archive"].value

    @property
    def catalogue(self) -> float:
        """Bytes of the catalogue on each machine after a year."""
        return 12 * self.tables * MEASURED["catalogue"].value

    @property
    def archivers(self) -> float:
        """How many archivers are at work on average: any number share what is due."""
        return self.tables / (DAYS * DAY_S) / MEASURED["archived"].value

    @property
    def rebuild_hours(self) -> float:
        """Hours of one core to make the slowest projection anew after a year."""
        return 12 * self.tables * MEASURED["events"].value / MEASURED["rebuilt"].value / 3600

    @property
    def price(self) -> float:
        """USD a month after a year, without traffic."""
        memory = 2 * (self.memory + self.heads) / GIB * ASSUMED["memory_price"].value
        archive = self.archive / GIB * ASSUMED["object_price"].value
        return (self.cores + self.ai_cores) * ASSUMED["core_price"].value + memory + archive


def figures(named: dict[str, Figure]) -> Iterator[Sequence[str]]:
    """The rows that tell what goes into the model."""
    yield "figure", "what", "source"
    for figure in named.values():
        yield f"{figure.value:,}", figure.what, figure.source


def outcome(loads: Sequence[Load]) -> Iterator[Sequence[str]]:
    """The rows that tell what comes out, a column a load."""
    yield "", *(f"{load.tables:,} a month" for load in loads)
    yield "closed tables stay in the store", *(f"{load.kept_days:g} days" for load in loads)
    yield "moves a second, mean", *(f"{load.mean_moves:,.1f}" for load in loads)
    yield "moves a second, peak", *(f"{load.peak_moves:,.1f}" for load in loads)
    yield "cores", *(f"{load.cores:,}" for load in loads)
    yield "cores for AI players", *(f"{load.ai_cores:,}" for load in loads)
    yield "tables in the store", *(f"{load.in_store:,.0f}" for load in loads)
    yield "memory for them", *(told(load.memory) for load in loads)
    yield "memory for heads, after a year", *(told(load.heads) for load in loads)
    yield "primaries, each with a replica", *(f"{load.primaries:,}" for load in loads)
    yield "archive, after a year", *(told(load.archive) for load in loads)
    yield "catalogue on each machine, after a year", *(told(load.catalogue) for load in loads)
    yield "archivers at work, mean", *(f"{load.archivers:,.4f}" for load in loads)
    yield "slowest rebuild on one core, after a year", *(f"{load.rebuild_hours:,.1f} h" for load in loads)
    yield "USD a month, after a year", *(f"{load.price:,.0f}" for load in loads)


def told(size: float) -> str:
    """A number of bytes in the largest unit that leaves a whole one."""
    unit, bytes_ = next((found for found in UNITS if size >= found[1]), ("B", 1))
    return f"{size / bytes_:,.1f} {unit}"


def table(rows: Iterator[Sequence[str]]) -> str:
    """Rows as Markdown."""
    head, *rest = (f"| {' | '.join(row)} |" for row in rows)
    return "\n".join([head, f"|{' --- |' * (head.count('|') - 1)}", *rest])


TABLES: dict[str, Callable[[], str]] = {
    "measured": lambda: table(figures(MEASURED)),
    "assumed": lambda: table(figures(ASSUMED)),
    "kept": lambda: table(outcome([Load(tables) for tables in SIZES])),
    "at-once": lambda: table(outcome([Load(tables, 0) for tables in SIZES])),
}


def filled(text: str) -> str:
    """The page with its tables as the model gives them: each stands between two comments with its name."""
    for name, rows in TABLES.items():
        mark = f"<!-- {name} -->"
        text = re.sub(f"{mark}.*{mark}", f"{mark}\n{rows()}\n{mark}", text, flags=re.DOTALL)
    return text


if __name__ == "__main__":
    PAGE.write_text(filled(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
