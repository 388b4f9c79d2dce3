"""Many kills of every process under load: `python -m tests.chaos.run --kills 200`."""

import random
import sys

import click
from tqdm import tqdm

from tests.chaos.kills import chaos
from tests.chaos.telling import tell

MOST = 50  # kills in one service; then a new one is started, so that its log is checked now and then


@click.command()
@click.option("--kills", default=200, show_default=True, help="How many.")
@click.option("--seed", default=lambda: random.randrange(1 << 16), type=int, help="Of victims, moments and moves.")
def main(kills: int, seed: int) -> None:
    """Kills the processes of the service at random moments, and checks the log and all answers."""
    broken = 0
    with tqdm(total=kills, unit="kill") as bar:
        for round_ in range(-(-kills // MOST)):
            found = chaos(min(MOST, kills - round_ * MOST), seed + round_, bar.update)
            broken += tell(
                f"seed {seed + round_}: {sum(found.kills.values())} kills {dict(sorted(found.kills.items()))}, "
                f"{found.tables} tables, {found.events} events, {found.acknowledged} requests acknowledged, "
                f"{found.in_doubt} of them in doubt before, {found.seconds:.0f} s",
                found.faults,
                bar.write,
            )
    sys.exit(bool(broken))


if __name__ == "__main__":
    main()
