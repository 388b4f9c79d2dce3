"""Faults at length: `python -m tests.chaos.run kills --count 200`; also `appends`, `replies` and `histories`."""

import random
import sys
from collections.abc import Callable, Iterator
from typing import Any

import click
from tqdm import tqdm

from tests.chaos.appends import appends
from tests.chaos.histories import concurrent_histories
from tests.chaos.kills import chaos
from tests.chaos.replies import with_spoilt_replies
from tests.chaos.telling import tell

MOST_KILLS = 50  # in one service; then a new one is started, so that its log is checked now and then

Campaign = Callable[[int, int, Any], Iterator[Any]]  # how many, the seed and the bar: what each round found


def of_kills(count: int, seed: int, bar: Any) -> Iterator[Any]:
    """Kills the processes of the service at random moments, and checks the log and all answers."""
    for done in range(0, count, MOST_KILLS):
        yield chaos(min(MOST_KILLS, count - done), seed + done, bar.update)


def of_appends(count: int, seed: int, bar: Any) -> Iterator[Any]:
    """Writes so many events to many tables at once while the store is killed at random."""
    yield appends(count, seed, lambda done: bar.update(done - bar.n))


def of_replies(count: int, seed: int, bar: Any) -> Iterator[Any]:
    """Lets clients play through proxies that spoil so many answers, and checks the log and all answers."""
    yield with_spoilt_replies(count, seed, bar.update)


def of_histories(count: int, seed: int, bar: Any) -> Iterator[Any]:
    """Lets many devices read and play at one table after the other, and looks whether an order explains it all."""
    yield concurrent_histories(count, seed, bar.update)


CAMPAIGNS: dict[str, tuple[Campaign, int]] = {
    "kills": (of_kills, 200),
    "appends": (of_appends, 100_000),
    "replies": (of_replies, 5000),
    "histories": (of_histories, 100),
}


def told(found: Any) -> str:
    """What a round found, but for its faults."""
    return ", ".join(f"{name.replace('_', ' ')} {value}" for name, value in found._asdict().items() if name != "faults")


@click.command()
@click.argument("campaign", type=click.Choice(list(CAMPAIGNS)))
@click.option("--count", type=int, help="How many; as many as `make trust` tries unless it is given.")
@click.option("--seed", default=lambda: random.randrange(1 << 16), type=int, help="Of faults, moments and moves.")
def main(campaign: str, count: int | None, seed: int) -> None:
    """Lets faults befall the service or its log under load, and exits with 1 if anything is lost."""
    tried, usual = CAMPAIGNS[campaign]
    wanted = count or usual
    with tqdm(total=wanted, unit=campaign) as bar:
        broken = sum(tell(f"seed {seed}: {told(found)}", found.faults, bar.write) for found in tried(wanted, seed, bar))
    sys.exit(bool(broken))


if __name__ == "__main__":
    main()
