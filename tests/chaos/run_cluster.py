"""Many faults of a cluster under load: `python -m tests.chaos.run_cluster --kills 50`."""

import itertools
import random
import sys

import click
from tqdm import tqdm

from events.scripts import LOCAL, REPLICA
from tests.chaos.cluster import chaos
from tests.chaos.cluster_faults import FAULTS

MOST = 10  # faults on one cluster; then a new one is started, so that its log is checked now and then


@click.command()
@click.option("--kills", default=50, show_default=True, help="Faults, kills and others by turns, for each kind of ack.")
@click.option("--seed", default=lambda: random.randrange(1 << 16), type=int, help="Of faults, moments and moves.")
@click.option("--ack", type=click.Choice([LOCAL, REPLICA]), multiple=True, default=[REPLICA, LOCAL], show_default=True)
def main(kills: int, seed: int, ack: tuple[str, ...]) -> None:
    """Befalls a cluster with faults while processes play on it, and checks the log and what they were told."""
    broken = 0
    with tqdm(total=kills * len(ack), unit="fault") as bar:
        for acknowledged_by, round_ in itertools.product(ack, range(-(-kills // MOST))):
            befalling = list(
                itertools.islice(itertools.cycle(_order()), round_ * MOST, min(kills, (round_ + 1) * MOST))
            )
            found = chaos(befalling, seed + round_, acknowledged_by, bar.update)
            bar.write(
                f"ack {acknowledged_by}, seed {seed + round_}: {len(befalling)} faults, {found.tables} tables, "
                f"{found.acknowledged} requests acknowledged, {found.lost} tables lost some of them, "
                f"{found.seconds:.0f} s: {len(found.faults)} unexpected"
            )
            for fault in found.faults:
                bar.write(f"  {fault}")
            broken += len(found.faults)
    sys.exit(bool(broken))


def _order() -> list[str]:
    """Every other fault is a kill."""
    others = [name for name in FAULTS if name != "kill"]
    return [name for other in others for name in ("kill", other)]


if __name__ == "__main__":
    main()
