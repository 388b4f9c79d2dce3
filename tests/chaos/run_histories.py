"""Many concurrent histories: `python -m tests.chaos.run_histories --histories 100`."""

import random
import sys

import click
from tqdm import tqdm

from tests.chaos.histories import concurrent_histories
from tests.chaos.telling import tell


@click.command()
@click.option("--histories", default=100, show_default=True, help="How many, one after the other.")
@click.option("--seed", default=lambda: random.randrange(1 << 16), type=int, help="Of operations and moves.")
def main(histories: int, seed: int) -> None:
    """Lets many devices read and play at one table after the other, and looks whether an order explains it all."""
    with tqdm(total=histories, unit="history") as bar:
        found = concurrent_histories(histories, seed, bar.update)
        broken = tell(
            f"seed {seed}: {found.histories} histories, {found.operations} operations",
            found.faults,
            bar.write,
        )
    sys.exit(bool(broken))


if __name__ == "__main__":
    main()
