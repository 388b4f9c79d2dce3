"""All that takes long, one step after the other: `make trust`. What each showed goes into benchmarks/results/trust.md.

A step is a command that exits with 0 if it found no fault. A step that fails does not keep the next from being tried.
"""

import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import click

from benchmarks.machine import commit, processor

PAGE = Path("benchmarks/results/trust.md")
HEAD = """# What takes long

`make trust` wrote this page: commit {commit}, {processor}.

| step | what it shows | result | hours |
| --- | --- | --- | ---: |
"""
PYTEST = ("pytest", "-n", "2", "--dist", "worksteal", "-m")


class Step(NamedTuple):
    """What is run, and what it shows: a module of Python with its words, or a target of the Makefile."""

    shows: str
    words: tuple[str, ...]

    @property
    def command(self) -> list[str]:
        """The whole command."""
        return list(self.words) if self.words[0] == "make" else [sys.executable, "-m", *self.words]


STEPS = {
    "long-tests": Step("the long versions of the tests", (*PYTEST, "long", "tests", "--ignore=tests/chaos")),
    "laws": Step("every law of every game at any number of seats", ("tests.games.run_laws", "--games", "2000")),
    "plays": Step("recorded games are decided as they were", ("tests.corpus.replay", "--games", "2000")),
    "worlds": Step(
        "imagined worlds agree with what was seen", ("tests.games.plenty_coups.run_worlds", "--moments", "2000")
    ),
    "twins": Step("AI players do not peek", ("tests.worker.run_twins", "--positions", "500")),
    "pairs": Step("secrets change no byte that others read", ("tests.service.api.run_pairs", "--pairs", "5000")),
    "forgeries": Step("altered archives are found", ("tests.forgeries.campaign", "--share", "0.05")),
    "requests": Step("every answer is as documented", ("tests.service.api.run_requests", "--requests", "20000")),
    "appends": Step("a killed store loses no acknowledged event", ("tests.chaos.run", "appends", "--count", "100000")),
    "replies": Step("each move is made once if answers are lost", ("tests.chaos.run", "replies", "--count", "5000")),
    "histories": Step("many devices see one order of events", ("tests.chaos.run", "histories", "--count", "100")),
    "kills": Step("killed processes lose nothing; long versions", ("pytest", "-m", "long", "tests/chaos")),
    "browser": Step("the page, and whole games in sight", ("make", "test-browser", "BROWSER=-m '' tests/browser")),
    "openspiel": Step("the games for OpenSpiel", ("make", "test-openspiel")),
    "compiled": Step("AI players play the same when compiled", ("make", "test-compiled")),
}


class Ran(NamedTuple):
    """A step that was run."""

    name: str
    step: Step
    status: int
    seconds: float

    @property
    def row(self) -> str:
        """Its line on the page; one that failed says how to run it again."""
        result = "passed" if self.status == 0 else f"**failed**: `{' '.join(self.step.words)}`"
        return f"| {self.name} | {self.step.shows} | {result} | {self.seconds / 3600:.2f} |\n"


def run(steps: dict[str, Step], page: Path = PAGE) -> list[Ran]:
    """Runs the steps, and writes the page anew after each."""
    found: list[Ran] = []
    for name, step in steps.items():
        click.echo(f"{name}: {' '.join(step.words)}")
        began = time.monotonic()
        status = subprocess.run(step.command, check=False).returncode
        found.append(Ran(name, step, status, time.monotonic() - began))
        write(found, page)
    return found


def write(found: Sequence[Ran], page: Path) -> None:
    """The page."""
    head = HEAD.format(commit=commit(), processor=processor())
    page.write_text(head + "".join(ran.row for ran in found), encoding="utf-8")


@click.command()
@click.option("--only", multiple=True, type=click.Choice(list(STEPS)), help="A step; may be given again.")
def main(only: tuple[str, ...]) -> None:
    """Runs every step, or some; exits with 1 if any failed."""
    found = run({name: STEPS[name] for name in only or STEPS})
    sys.exit(any(ran.status for ran in found))


if __name__ == "__main__":
    main()
