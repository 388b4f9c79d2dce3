"""Many spoilt answers under load: `python -m tests.chaos.run_replies --replies 5000`."""

import random
import sys

import click
from tqdm import tqdm

from tests.chaos.replies import with_spoilt_replies
from tests.chaos.telling import tell


@click.command()
@click.option("--replies", default=5000, show_default=True, help="How many are spoilt.")
@click.option("--seed", default=lambda: random.randrange(1 << 16), type=int, help="Of ways, moments and moves.")
def main(replies: int, seed: int) -> None:
    """Lets clients play through proxies that spoil answers, and checks the log and all answers."""
    with tqdm(total=replies, unit="reply") as bar:
        found = with_spoilt_replies(replies, seed, bar.update)
        broken = tell(
            f"seed {seed}: {found.spoilt.total()} replies {dict(sorted(found.spoilt.items()))}, {found.tables} tables, "
            f"{found.events} events, {found.acknowledged} requests acknowledged, {found.in_doubt} of them in doubt "
            f"before, {found.seconds:.0f} s",
            found.faults,
            bar.write,
        )
    sys.exit(bool(broken))


if __name__ == "__main__":
    main()
