"""Days of play under wrong clocks: `python -m tests.worker.run_hours --hours 72`."""

import logging
import random
import sys

import click

from events.log import PARTITIONS
from events.store import RedisLog, connect
from tests.chaos.telling import tell
from tests.service.api.world import embedded_store
from tests.worker.hours import lived


@click.command()
@click.option("--hours", default=12, show_default=True, help="How many.")
@click.option("--seed", default=lambda: random.randrange(1 << 16), type=int, help="Of luck, moves, jumps and absences.")
def main(hours: int, seed: int) -> None:
    """Lets people and AI players live through so many hours on a real store, and checks what is promised of clocks."""
    logging.disable(logging.WARNING)  # each jump is logged
    with embedded_store() as url:
        found = lived(RedisLog(connect(url), PARTITIONS), hours, seed)
    broken = tell(
        f"seed {seed}: {hours} hours, {found.jumps} wrong clocks, {found.tables} tables, {found.events} events, "
        f"{found.expired} clocks run out",
        found.faults,
    )
    sys.exit(bool(broken))


if __name__ == "__main__":
    main()
