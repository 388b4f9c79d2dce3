"""Beside peers, part by part: `python -m benchmarks.peers [--only PART]...`; what is found goes into files.

A part is written down as soon as it is measured. Without `--only` those are measured that were not at this commit: so a
run that was stopped goes on with the part at which it stopped.
"""

import os
import shlex
import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from pathlib import Path

import click
import msgspec
from tqdm import tqdm

from benchmarks.figures import SMOKE, Size
from benchmarks.host import store
from benchmarks.machine import CHANGED, commit, machine
from benchmarks.peers import nodes
from benchmarks.peers.compared import Part
from benchmarks.peers.page import PLOT, page, plot
from benchmarks.research import installed

RESULTS = Path(__file__).parent.parent / "results"
KEPT = "peers.json"
Measured = Callable[[Size], Part]


def _of(module: str) -> Measured:
    """The part of a module, which needs what it measures to be installed, and is imported no sooner."""

    def measured(size: Size) -> Part:
        part: Part = getattr(import_module(f"benchmarks.peers.{module}"), module)(size)
        return part

    return measured


PARTS: dict[str, tuple[Measured, Callable[[], Mapping[str, str]]]] = {
    "boardgame.io": (_of("matches"), nodes.versions),
    "eventsourcing": (_of("aggregates"), lambda: versions("eventsourcing")),
    "chess": (_of("positions"), lambda: versions("chess")),
    "steps": (_of("steps"), lambda: versions("gymnasium", "pettingzoo", "rlcard", "open_spiel", "numpy")),
}


def versions(*packages: str) -> dict[str, str]:
    """Of packages, by name."""
    return {package: installed(package) for package in packages}


def measure(name: str, size: Size) -> Part:
    """Measures a part; says on what, by which command, with which versions, and what else the machine did."""
    with store() as url:
        described = machine(url)
    found, told = PARTS[name]
    part = found(size)
    described |= {
        "load after": f"{os.getloadavg()[0]:.2f}",
        "command": shlex.join(["python", "-m", "benchmarks.peers", *sys.argv[1:]]),
    }
    return msgspec.structs.replace(part, described=described | dict(told()))


def kept(directory: Path) -> dict[str, Part]:
    """The parts that were found so far, in their order."""
    file = directory / KEPT
    found = msgspec.json.decode(file.read_bytes(), type=dict[str, Part]) if file.exists() else {}
    return {name: found[name] for name in PARTS if name in found}


def write(directory: Path, parts: Mapping[str, Part]) -> None:
    """Writes what was found, as a page and as a plot."""
    directory.mkdir(parents=True, exist_ok=True)
    ordered = {name: parts[name] for name in PARTS if name in parts}
    (directory / KEPT).write_bytes(msgspec.json.format(msgspec.json.encode(ordered), indent=1) + b"\n")
    (directory / "peers.md").write_text(page(ordered))
    (directory / PLOT).write_text(plot(ordered))


def missing(parts: Mapping[str, Part], now: str) -> list[str]:
    """The parts that were not measured at this commit; all, where files differ from it."""
    return [
        name for name in PARTS if now.endswith(CHANGED) or name not in parts or parts[name].described["commit"] != now
    ]


@click.command()
@click.option("--only", "asked", multiple=True, type=click.Choice(list(PARTS)), help="a part; may be given again")
@click.option("--seconds", default=Size().seconds, show_default=True, help="of a window of load")
@click.option("--rounds", default=Size().rounds, show_default=True, help="turns of each")
@click.option("--smoke", is_flag=True, help="only whether everything runs: the figures mean nothing")
@click.option("--output", type=click.Path(path_type=Path), default=RESULTS, show_default=True, help="directory")
def main(asked: tuple[str, ...], seconds: float, rounds: int, smoke: bool, output: Path) -> None:
    """Measures what is asked for, or what is missing; prints and writes down."""
    size = SMOKE if smoke else Size(seconds=seconds, rounds=rounds, tables=(1, 50))
    parts = kept(output)
    for name in tqdm(asked or missing(parts, commit()), unit="part", file=sys.stderr):
        parts[name] = measure(name, size)
        write(output, parts)
    click.echo(page(parts))
    if faults := [part.fault for part in parts.values() if part.fault]:
        sys.exit("\n".join(faults))


if __name__ == "__main__":
    main()
