"""Moves a second of the pure engines in random play on one core: `python -m benchmarks.engine`.

Counted is all that a game takes: who must act, the list of legal moves, the choice of one, its events, the new state.
"""

import random
import statistics
import time
from collections.abc import Sequence
from typing import Any

from games import GAMES
from games.kernel import AnyGame, MoveSet, T

SECONDS = 1.0  # a measurement
REPEATS = 3  # of which the median counts


class Luck:
    """Luck out of a seed, as cheap as can be."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)

    def __call__(self, kind: str, population: Sequence[T], count: int) -> tuple[T, ...]:  # noqa: ARG002 - as asked for
        return tuple(self.rng.sample(population, count))


def measure(game: AnyGame, players: int, seconds: float = SECONDS, seed: int = 1) -> dict[str, float]:
    """Moves, events and games a second of one engine with a number of players, under the default house rules."""
    luck, options = Luck(seed), game.read_options({}, players)
    moves = events = games = 0
    begun = time.perf_counter()
    while (spent := time.perf_counter() - begun) < seconds:
        made, written = play_one(game, players, options, luck)
        moves, events, games = moves + made, events + written, games + 1
    return {"moves": moves / spent, "events": events / spent, "games": games / spent}


def play_one(game: AnyGame, players: int, options: Any, luck: Luck) -> tuple[int, int]:
    """One game from start to end: how many moves were made and how many events written."""
    turn = game.start(players, options, luck)
    moves, events = 0, len(turn.events)
    pick = luck.rng.choice
    while seats := game.to_act(turn.state):
        seat = pick(seats)
        listed = pick(game.legal_moves(turn.state, seat))
        move = listed.sample(luck) if isinstance(listed, MoveSet) else listed
        turn = game.play(turn.state, seat, move, luck)
        moves, events = moves + 1, events + len(turn.events)
    return moves, events


def main(seconds: float = SECONDS) -> dict[str, dict[str, float]]:
    """The median figures of every game and number of players, printed as a table and given by `game/players`."""
    print(f"{'game':<16}{'players':>8}{'moves/s':>12}{'events/s':>12}{'games/s':>10}")
    figures = {}
    for slug, game in GAMES.items():
        for players in game.players:
            runs = [measure(game, players, seconds, seed) for seed in range(REPEATS)]
            median = {unit: statistics.median(run[unit] for run in runs) for unit in runs[0]}
            figures[f"{slug}/{players}"] = median
            print(f"{slug:<16}{players:>8}{median['moves']:>12,.0f}{median['events']:>12,.0f}{median['games']:>10,.1f}")
    return figures


if __name__ == "__main__":
    main()
