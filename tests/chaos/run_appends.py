"""Many writes to the log while its server is killed: `python -m tests.chaos.run_appends --events 100000`."""

import random
import sys

import click
from tqdm import tqdm

from tests.chaos.appends import appends
from tests.chaos.telling import tell


@click.command()
@click.option("--events", default=100_000, show_default=True, help="At least so many.")
@click.option("--seed", default=lambda: random.randrange(1 << 16), type=int, help="Of what is written, and of kills.")
def main(events: int, seed: int) -> None:
    """Writes to many tables at once while the store is killed at random, and looks what is there."""
    with tqdm(total=events, unit="event") as bar:
        found = appends(events, seed, lambda done: bar.update(done - bar.n))
        broken = tell(
            f"seed {seed}: {found.events} events in {found.batches} batches acknowledged, {found.in_doubt} of them in "
            f"doubt before, {found.kills} kills, {found.seconds:.0f} s",
            found.faults,
            bar.write,
        )
    sys.exit(bool(broken))


if __name__ == "__main__":
    main()
