"""Steps a second of random play through environments on one core: `make bench`.

Beside the games of this project stand the card games of RLCard, of PettingZoo and of OpenSpiel, as far as they are
installed. All are played alike: what the agent sees, one of the actions that its mask allows, the step. Counted is the
time of the process, as other work on the machine is none of theirs; told besides is that of the clock.

Machines, and the hours of one, differ in speed. So a yardstick is measured before, between and after the rounds: a
plain loop over a thousand squares, that nobody will make faster. The last column is what compares between days: steps
for one such loop. A run in which the yardstick moved by more than a tenth says so.
"""

import argparse
import random
import statistics
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from platform import python_version
from typing import Any, NamedTuple

from benchmarks.machine import commit, processor
from benchmarks.yardstick import pace, plain, told
from games import GAMES
from wintercount.env import env

RESULTS = Path(__file__).parent / "results" / "research.md"
SECONDS = 0.3  # a measurement
ROUNDS = 5  # of which the median counts; in each every game is measured once
OURS = tuple((slug, players) for slug, game in GAMES.items() for players in game.players)
BLIND = tuple((slug, players) for slug, players in OURS if slug in ("manitou", "big-manitou"))
CLASSIC = ("leduc_holdem_v4", "texas_holdem_v4", "texas_holdem_no_limit_v6")
RLCARD = (
    "blackjack",
    "leduc-holdem",
    "limit-holdem",
    "no-limit-holdem",
    "doudizhu",
    "mahjong",
    "uno",
    "gin-rummy",
    "bridge",
)
# Bridge is left out: it makes some fifty steps a second, and few of its games would fit into a measurement.
OPENSPIEL = ("leduc_poker", "gin_rummy", "hearts", "spades", "euchre", "skat", "hanabi")
PACKAGES = ("wintercount", "gymnasium", "pettingzoo", "rlcard", "open_spiel", "numpy")
Play = Callable[[random.Random], int]  # one game; gives the number of steps


class Speed(NamedTuple):
    """Steps a second of the process, and of the clock, and steps for a yardstick."""

    process: float
    clock: float
    share: float = 1.0


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


def openspiel_play(game: Any) -> Play:
    """One random game of OpenSpiel, whose luck is drawn here."""
    told = "observation" if game.get_type().provides_observation_tensor else "information_state"

    def play(rng: random.Random) -> int:
        state, steps = game.new_initial_state(), 0
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes, chances = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(rng.choices(outcomes, chances)[0])
                continue
            getattr(state, f"{told}_tensor")(state.current_player())
            state.apply_action(rng.choice(state.legal_actions()))
            steps += 1
        return steps

    return play


def players() -> Iterator[tuple[str, Play]]:
    """Every environment that is installed, by name."""
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
    if pyspiel := found("pyspiel"):
        for name in OPENSPIEL:
            yield f"openspiel {name}", openspiel_play(pyspiel.load_game(name))


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


def measured(seconds: float, rounds: int) -> tuple[Sequence[float], Mapping[str, Speed]]:
    """The yardstick before, between and after the rounds, and the median speed of every environment, by name."""
    yards, found_in = by_rounds(seconds, rounds)
    return yards, {name: median([speeds[name] for speeds in found_in]) for name in found_in[0]}


def by_rounds(seconds: float, rounds: int) -> tuple[Sequence[float], Sequence[Mapping[str, Speed]]]:
    """The yardstick before, between and after the rounds, and the speeds that were found in each."""
    asked = dict(players())
    yards = [pace(plain, seconds)]
    found_in: list[Mapping[str, Speed]] = []
    for seed in range(rounds):
        speeds = {name: measure(play, seconds, seed) for name, play in asked.items()}
        yards.append(pace(plain, seconds))
        yard = statistics.mean(yards[-2:])
        found_in.append({name: speed._replace(share=speed.process / yard) for name, speed in speeds.items()})
    return yards, found_in


def median(speeds: Sequence[Speed]) -> Speed:
    """The median of each figure."""
    return Speed(*(statistics.median(figures) for figures in zip(*speeds, strict=True)))


def report(yards: Sequence[float], speeds: Mapping[str, Speed]) -> str:
    """Everything as Markdown, the fastest for a yardstick first."""
    lines = [
        "# Random play through environments",
        "",
        "Written by `make bench`: whole games on one core, steps a second of the process and of the clock. A",
        "yardstick is a loop over 1,000 squares in plain Python.",
        "",
        *(f"- {name}: {installed(name)}" for name in PACKAGES),
        f"- Python: {python_version()}",
        f"- processor: {processor()}",
        f"- date: {datetime.now(UTC):%Y-%m-%d %H:%M UTC}, commit {commit()}",
        f"- yardstick: {told(yards)}",
        "",
        "| environment | steps/s of the process | of the clock | for a yardstick |",
        "| --- | --- | --- | --- |",
    ]
    ordered = sorted(speeds.items(), key=lambda row: -row[1].share)
    lines += [f"| {name} | {each.process:,.0f} | {each.clock:,.0f} | {each.share:.2f} |" for name, each in ordered]
    return "\n".join(lines) + "\n"


def main(seconds: float = SECONDS, rounds: int = ROUNDS, output: Path | None = RESULTS) -> Mapping[str, Speed]:
    """Measures, prints and writes down; gives the speeds by name."""
    yards, speeds = measured(seconds, rounds)
    page = report(yards, speeds)
    print(page)
    if output is not None:
        output.write_text(page)
    return speeds


def installed(package: str) -> str:
    """The version of a package."""
    try:
        return version(package)
    except PackageNotFoundError:
        return "not installed"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=SECONDS)
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--output", type=Path, default=RESULTS)
    main(**vars(parser.parse_args()))
