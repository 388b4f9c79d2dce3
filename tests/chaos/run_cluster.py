"""Many faults of a cluster under load: `python -m tests.chaos.run_cluster --kills 50`."""

import itertools
import random
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import click
from tqdm import tqdm

from benchmarks.figures import Figures, markdown
from benchmarks.machine import commit, processor
from events.scripts import LOCAL, REPLICA
from tests.chaos.cluster import Report, chaos
from tests.chaos.cluster_faults import FAULTS

MOST = 10  # faults on one cluster; then a new one is started, so that its log is checked now and then
RESULTS = Path("benchmarks/results/chaos-cluster.md")
NOTE = (
    "Four writers, a dispatcher and projections play on three primaries and three replicas, while every other fault "
    "is `kill -9` of a primary. `requests` were acknowledged; `lost` counts tables at which the store holds some of "
    "them no more, as it may with `local` where a primary dies ahead of its replica (`kill_ahead`); `unexpected` "
    "counts what must not be: a loss with `replica`, with `local` one of which whoever had been told of the request "
    "was not told, a broken chain, a torn batch, a gap in a feed, a decision answered twice."
)


@click.command()
@click.option("--kills", default=50, show_default=True, help="Faults, kills and others by turns, for each kind of ack.")
@click.option("--seed", default=lambda: random.randrange(1 << 16), type=int, help="Of faults, moments and moves.")
@click.option("--ack", type=click.Choice([LOCAL, REPLICA]), multiple=True, default=[REPLICA, LOCAL], show_default=True)
@click.option("--output", type=click.Path(path_type=Path), default=RESULTS, show_default=True, help="File of figures.")
def main(kills: int, seed: int, ack: tuple[str, ...], output: Path) -> None:
    """Befalls a cluster with faults while processes play on it, and checks the log and what they were told."""
    broken, rows = 0, dict[str, dict[str, Any]]()
    with tqdm(total=kills * len(ack), unit="fault") as bar:
        for acknowledged_by, round_ in itertools.product(ack, range(-(-kills // MOST))):
            befalling = list(
                itertools.islice(itertools.cycle(_order()), round_ * MOST, min(kills, (round_ + 1) * MOST))
            )
            found = chaos(befalling, seed + round_, acknowledged_by, bar.update)
            bar.write(_told(f"ack {acknowledged_by}, seed {seed + round_}", befalling, found))
            for fault in found.faults:
                bar.write(f"  {fault}")
            rows[acknowledged_by] = _added(rows.get(acknowledged_by, {"": acknowledged_by}), befalling, found)
            _write(output, rows)
            broken += len(found.faults)
    sys.exit(bool(broken))


def _told(what: str, befalling: list[str], found: Report) -> str:
    return (
        f"{what}: {len(befalling)} faults, {found.tables} tables, {found.acknowledged} requests acknowledged, "
        f"{found.lost} tables lost some of them, {found.seconds:.0f} s: {len(found.faults)} unexpected"
    )


def _added(row: dict[str, Any], befalling: list[str], found: Report) -> dict[str, Any]:
    """The figures of a kind of acknowledgement, with those of a further round."""
    told = {"requests": found.acknowledged, "tables": found.tables, "lost": found.lost}
    counts = Counter(befalling)
    counted = {name: counts[name] for name in FAULTS} | told | {"unexpected": len(found.faults)}
    return {"": row[""]} | {name: row.get(name, 0) + count for name, count in counted.items()}


def _write(output: Path, rows: dict[str, dict[str, Any]]) -> None:
    told = f"{NOTE} {processor()}; commit {commit()}."
    output.write_text(markdown(Figures("Faults of a cluster under load", told, list(rows.values()))))


def _order() -> list[str]:
    """Every other fault is a kill."""
    others = [name for name in FAULTS if name != "kill"]
    return [name for other in others for name in ("kill", other)]


if __name__ == "__main__":
    main()
