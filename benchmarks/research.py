"""Steps a second of random play through environments on one core: `python -m benchmarks.research`.

Beside the games of this project stand card games of RLCard and of PettingZoo, where these are installed
(`pip install rlcard pygame`). All are played alike: what the agent sees, one of the actions
that its mask allows, the step. Counted is the time of the process, as other work on the machine is none of theirs;
told besides is that of the clock.

Machines, and the hours of one, differ in speed. So a yardstick is measured by turns with the games: a plain loop over a
thousand squares, that nobody will make faster. The last column is what compares between days: steps for one such loop.
"""

import argparse
import random
import statistics
import time
from collections.abc import Callable, Iterator
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from typing import Any, NamedTuple

from wintercount.env import env

SECONDS = 1.0  # a measurement
REPEATS = 5  # of which the median counts; the games are measured by turns
OURS = (("manitou", 2), ("manitou", 4), ("big-manitou", 2), ("big-manitou", 5), ("tomahawk", 2), ("plenty-coups", 4))
BLIND = (("manitou", 2), ("big-manitou", 2))
CLASSIC = ("leduc_holdem_v4", "texas_holdem_v4", "texas_holdem_no_limit_v6")
RLCARD = ("gin-rummy", "uno", "doudizhu")
YARDSTICK = "yardstick: a loop over 1,000 squares"
PACKAGES = ("wintercount", "gymnasium", "pettingzoo", "rlcard", "numpy")
Play = Callable[[random.Random], int]  # one game; gives the number of steps


class Speed(NamedTuple):
    """Steps a second of the process, and of the clock."""

    process: float
    clock: float


def pettingzoo_play(table: Any) -> Play:
    """One random game of an AEC environment."""

    def play(rng: random.Random) -> int:
        table.reset(seed=rng.randrange(1 << 30))
        steps = 0
        for _ in table.agent_iter():
            seen, _, terminated, truncated, _ = table.last()
            if terminated or truncated:
                table.step(None)
                continue
            table.step(rng.choice(seen["action_mask"].nonzero()[0]))
            steps += 1
        return steps

    return play


def blind_play(table: Any) -> Play:
    """One random game of ours that looks at masks alone: no observation is told."""

    def play(rng: random.Random) -> int:
        table.reset(seed=rng.randrange(1 << 30))
        steps = 0
        for agent in table.agent_iter():
            _, _, terminated, truncated, _ = table.last(observe=False)
            if terminated or truncated:
                table.step(None)
                continue
            table.step(rng.choice(table.action_mask(agent).nonzero()[0]))
            steps += 1
        return steps

    return play


def rlcard_play(table: Any) -> Play:
    """One random game of an RLCard environment."""

    def play(rng: random.Random) -> int:
        seen, _ = table.reset()
        steps = 0
        while not table.is_over():
            seen, _ = table.step(rng.choice(list(seen["legal_actions"])))
            steps += 1
        return steps

    return play


def squares(_: random.Random) -> int:
    """The yardstick, once."""
    total = 0
    for number in range(1000):
        total += number * number
    return 1


def players() -> Iterator[tuple[str, Play]]:
    """The yardstick, and every environment that is installed, by name."""
    yield YARDSTICK, squares
    for slug, seats in OURS:
        yield f"wintercount {slug}/{seats}", pettingzoo_play(env(slug, seats))
    for slug, seats in BLIND:
        yield f"wintercount {slug}/{seats}, masks alone", blind_play(env(slug, seats))
    for name in CLASSIC:
        if module := found(f"pettingzoo.classic.{name}"):
            yield f"pettingzoo {name}", pettingzoo_play(module.env())
    if rlcard := found("rlcard"):
        for name in RLCARD:
            yield f"rlcard {name}", rlcard_play(rlcard.make(name))


def found(module: str) -> Any:
    """A module, or None where it or what it needs is not installed."""
    try:
        return import_module(module)
    except ImportError:
        return None


def measure(play: Play, seconds: float, seed: int) -> Speed:
    """The speed of whole games until so many seconds of the process have passed."""
    rng, steps = random.Random(seed), 0
    begun, began = time.process_time(), time.perf_counter()
    while (spent := time.process_time() - begun) < seconds:
        steps += play(rng)
    return Speed(steps / spent, steps / (time.perf_counter() - began))


def main(seconds: float = SECONDS, repeats: int = REPEATS) -> dict[str, Speed]:
    """The median speed of every environment, printed as a table and given by name."""
    print(", ".join(f"{name} {installed(name)}" for name in PACKAGES))
    asked = dict(players())
    runs = [{name: measure(play, seconds, seed) for name, play in asked.items()} for seed in range(repeats)]
    speeds = {name: median([run[name] for run in runs]) for name in asked}
    print(f"{'environment':<40}{'steps/s of the process':>24}{'of the clock':>16}{'for a yardstick':>18}")
    for name, speed in speeds.items():
        share = speed.process / speeds[YARDSTICK].process
        print(f"{name:<40}{speed.process:>24,.0f}{speed.clock:>16,.0f}{share:>18.2f}")
    return speeds


def median(speeds: list[Speed]) -> Speed:
    """The median of each figure."""
    return Speed(*(statistics.median(figures) for figures in zip(*speeds, strict=True)))


def installed(package: str) -> str:
    """The version of a package."""
    try:
        return version(package)
    except PackageNotFoundError:
        return "not installed"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=SECONDS)
    parser.add_argument("--repeats", type=int, default=REPEATS)
    main(**vars(parser.parse_args()))
