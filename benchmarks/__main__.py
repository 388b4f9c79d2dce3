"""All benchmarks, or some: `python -m benchmarks [--only PART]... [--name NAME]`; what they find goes into files."""

import gc
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click
import msgspec
from tqdm import tqdm

from benchmarks import engine, http
from benchmarks import log as log_part
from benchmarks.audit import audit
from benchmarks.cluster import cluster
from benchmarks.cost import cost
from benchmarks.expensive import expensive
from benchmarks.figures import SMOKE, Aim, Figures, Size, markdown
from benchmarks.history import history
from benchmarks.host import store
from benchmarks.machine import machine
from benchmarks.memory import memory
from benchmarks.streams import streams
from benchmarks.thinking import thinking
from benchmarks.yardstick import Yards, between, told, yards
from wintercount.processes.web import spare_what_stays

RESULTS = Path(__file__).parent / "results"
LATEST = "latest"
ENGINE_AIMS = {"big-manitou": 100_000, "manitou": 100_000, "plenty-coups": 60_000, "tomahawk": 30_000}


def engines(_: str, size: Size) -> Figures:
    """Random play of the pure engines."""
    found = engine.main(size.engine_s)
    rows = [{"": name, **{f"{unit}/s": figure for unit, figure in units.items()}} for name, units in found.items()]
    slowest = {
        game: min(units["moves"] for name, units in found.items() if name.startswith(f"{game}/"))
        for game in ENGINE_AIMS
    }
    note = "Random play on one core, default house rules: who must act, the legal moves, the events, the new state."
    aims = [
        Aim(f"moves a second of {game}", slowest[game], wanted, yard="plain") for game, wanted in ENGINE_AIMS.items()
    ]
    return Figures("The pure engines, by game and number of players", note, rows, aims)


PARTS: dict[str, Callable[[str, Size], Figures]] = {
    "moves": http.moves,
    "cost": cost,
    "memory": memory,
    "streams": streams,
    "reads": http.reads,
    "log": log_part.log,
    "cluster": cluster,
    "audit": audit,
    "expensive": expensive,
    "engines": engines,
    "thinking": thinking,
    "history": history,
}


def measure(parts: Sequence[str], size: Size) -> tuple[dict[str, str], dict[str, Figures]]:
    """The machine, and what each part finds; each has a store of its own, and yardsticks before and after."""
    with store() as url:
        described = machine(url)
    figures, found = {}, [yards(size.yard_s)]
    for part in tqdm(parts, unit="part", file=sys.stderr):
        with store() as url, collected_as_in_service():
            figures[part] = PARTS[part](url, size)
        found.append(yards(size.yard_s))
        figures[part] = msgspec.structs.replace(figures[part], yards=between(*found[-2:]))
    return described | yardsticks(found), figures


@contextmanager
def collected_as_in_service() -> Iterator[None]:
    """The garbage collector is set as in the web process, and leaves alone what earlier parts kept in memory."""
    thresholds = gc.get_threshold()
    spare_what_stays()
    try:
        yield
    finally:
        gc.set_threshold(*thresholds)
        gc.unfreeze()


def yardsticks(found: Sequence[Yards]) -> dict[str, str]:
    """How they read in the course of a run."""
    readings = zip(Yards._fields, zip(*found, strict=True), strict=True)
    return {f"yardstick, {name}": told(paces) for name, paces in readings}


def write(directory: Path, described: dict[str, str], figures: dict[str, Figures], name: str = LATEST) -> None:
    """Writes what was found as Markdown, in a file of this name; the latest of all parts as JSON too."""
    directory.mkdir(parents=True, exist_ok=True)
    document: dict[str, Any] = {"machine": described, "parts": msgspec.to_builtins(figures)}
    if name == LATEST:
        (directory / f"{name}.json").write_text(json.dumps(document, indent=1, ensure_ascii=False) + "\n")
    (directory / f"{name}.md").write_text(report(described, figures))


def report(described: dict[str, str], figures: dict[str, Figures]) -> str:
    """Everything as Markdown."""
    lines = [f"- {name}: {value}" for name, value in described.items()]
    return "\n".join(["# Benchmarks", "", *lines, "", *(markdown(found) for found in figures.values())])


@click.command()
@click.option("--only", "parts", multiple=True, type=click.Choice(list(PARTS)), help="a part; may be given again")
@click.option("--seconds", default=Size().seconds, show_default=True, help="of a window of load")
@click.option("--rounds", default=Size().rounds, show_default=True, help="windows of each kind")
@click.option("--smoke", is_flag=True, help="only whether everything runs: the figures mean nothing")
@click.option("--output", type=click.Path(path_type=Path), default=RESULTS, show_default=True, help="directory")
@click.option("--name", default=LATEST, show_default=True, help="of the files that are written there")
def main(  # noqa: PLR0913, PLR0917 - one for each option
    parts: tuple[str, ...], seconds: float, rounds: int, smoke: bool, output: Path, name: str
) -> None:
    """Measures, prints and writes down."""
    size = SMOKE if smoke else Size(seconds=seconds, rounds=rounds)
    described, figures = measure(parts or tuple(PARTS), size)
    described = {"command": " ".join(["python -m benchmarks", *sys.argv[1:]])} | described
    write(output, described, figures, name)
    click.echo(report(described, figures))


if __name__ == "__main__":
    main()
