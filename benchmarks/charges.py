"""Holds what requests are charged against what they take: `python -m benchmarks.charges [--only PART]...`.

The dearest places are made, and each operation of the service is asked there; what takes much more than its charge is
named, and the exit status is 1. `--only` takes a part of the name of an operation, or a kind of places.
"""

import contextlib
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import click
from tqdm import tqdm

from benchmarks import host
from benchmarks.charging.asking import Asker, Found, settle
from benchmarks.charging.cases import CASES, Case, missing
from benchmarks.charging.hall import Hall
from benchmarks.charging.page import page, undercharged
from benchmarks.charging.place import SMALL, Place, Size
from benchmarks.charging.places import PLACES
from benchmarks.charging.serving import serving
from benchmarks.charging.shelves import SHELVES, archive, fill
from benchmarks.machine import machine
from benchmarks.yardstick import told, yards

RESULTS = Path(__file__).parent / "results"
FILE = "charges.md"
KEPT, COLD = 2000, 3  # tables in memory: of a service as it is, and of one that reads each anew


def run(size: Size, wanted: Sequence[str] = ()) -> tuple[list[Found], dict[str, str]]:
    """What was found on a store of one's own, and which operations could not be asked everywhere, and why."""
    cases = chosen(CASES, wanted)
    with contextlib.ExitStack() as stack:
        url = stack.enter_context(host.store())
        data = Path(stack.enter_context(tempfile.TemporaryDirectory(dir=host.DATA, prefix="charges-")))
        served, cold = (stack.enter_context(serving(url, data, kept)) for kept in (KEPT, COLD))
        if without := missing(served.app):
            raise RuntimeError(f"no case asks for {', '.join(without)}: add some to benchmarks/charging/cases.py")
        served.log.client.config_set("appendfsync", "no")  # writing is not what is measured
        hall = Hall(served)
        fill(data, size.games, hall.people[0].player.id)
        places = made(hall, size, {kind for case in cases for kind in case.places}, wanted)
        asker = Asker(hall, cold, small_tables(hall))
        settle()
        return [*asker.ask_all(cases, places), *archived(asker, cases, places)], asker.skipped


def chosen(cases: Sequence[Case], wanted: Sequence[str]) -> list[Case]:
    """The cases of which an operation, or a kind of places, is wanted; all if nothing is said."""

    def is_wanted(case: Case) -> bool:
        return any(part.lower() in case.operation.lower() or part in case.places for part in wanted)

    return [case for case in cases if not wanted or is_wanted(case)]


def made(hall: Hall, size: Size, kinds: set[str], wanted: Sequence[str] = ()) -> dict[str, list[Place]]:
    """The places of these kinds; where kinds were asked for, those alone."""
    named = kinds & set(wanted) or kinds
    found = {}
    for kind, make in tqdm({**SHELVES, **PLACES}.items(), desc="making", unit="kind", file=sys.stderr):
        if kind in named:
            found[kind] = list(make(hall, size))
    hall.served.catch_up()
    return found


def small_tables(hall: Hall) -> list[str]:
    """So many tables that whoever has read them knows no other."""
    return [hall.opened("tomahawk", 2) for _ in range(COLD)]


def archived(asker: Asker, cases: Sequence[Case], places: Mapping[str, Sequence[Place]]) -> Iterator[Found]:
    """The reads of tables that were archived."""
    archive(asker.hall)
    yield from asker.ask_archived(cases, places)


@click.command()
@click.option("--only", "wanted", multiple=True, help="a part of an operation's name, or a kind of places")
@click.option("--small", is_flag=True, help="only whether everything runs: the figures mean nothing")
@click.option("--output", type=click.Path(path_type=Path), default=RESULTS, show_default=True, help="directory")
def main(wanted: tuple[str, ...], small: bool, output: Path) -> None:
    """Measures, writes down, and names what is undercharged."""
    with host.store() as url:
        described = machine(url)
    paces = [yards()]
    found, skipped = run(SMALL if small else Size(), wanted)
    paces.append(yards())
    described |= {"command": " ".join(["python -m benchmarks.charges", *sys.argv[1:]])}
    described |= {"yardstick, plain": told([one.plain for one in paces])}
    text = page(described, found, skipped)
    with contextlib.suppress(FileExistsError):
        output.mkdir(parents=True)
    if not wanted:
        (output / FILE).write_text(text)
    click.echo(text)
    sys.exit(bool(undercharged(found)))


if __name__ == "__main__":
    main()
