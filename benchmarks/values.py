"""Where better values of a standing in Plenty Coups lie: `python -m benchmarks.values --players 3 --games 7000`.

Half of the seats of each game judge by values moved at random, each by itself and about as far as it matters; the
others by the values as they are, or as the greedy player, by turns. Everybody plays by first sight. As the moves of
the values are independent, what each of them and its square go with in the share of the victory is a mean. The values
stand in `worker/players/search/plenty_coups_values.py`.
"""

import argparse
import random
from collections.abc import Iterator, Mapping
from math import sqrt
from statistics import fmean, pstdev
from typing import Any, NamedTuple

from tqdm import tqdm

from benchmarks.matches import Deal, Table, luck_of
from games import GAMES
from worker.players.greedy import plenty_coups as greedy
from worker.players.search.plenty_coups import first_sight
from worker.players.search.plenty_coups_values import VALUES, Values

GAME = GAMES["plenty-coups"]
SPREAD, LEAST = 0.35, 0.1  # standard deviation of a move: so much of the value, and at least so many points
BEND = 0.005  # by which the share falls off, at least, one deviation from the best


class Effect(NamedTuple):
    """What the share of the victory changes by, a standard deviation away: with the move, and with its square."""

    slope: float
    slope_error: float
    bend: float

    def step(self) -> float:
        """How far to move, in standard deviations; less the less sure the slope is, and never more than one."""
        sure = max(0.0, 1 - (self.slope_error / self.slope) ** 2) if self.slope else 0.0
        return max(-1.0, min(1.0, sure * self.slope / (2 * max(BEND, -self.bend))))


Flat = dict[str, float]  # values by names such as `threat` and `cards horse`


def flat(values: Values) -> Flat:
    """All values by name."""
    found: Flat = {}
    for name, value in values._asdict().items():
        found |= {f"{name} {key}": worth for key, worth in value.items()} if isinstance(value, dict) else {name: value}
    return found


def moved(values: Values, by: Mapping[str, float]) -> Values:
    """The values, each moved by so many of its standard deviations."""
    fields: dict[str, Any] = {}
    for name, value in values._asdict().items():
        if isinstance(value, dict):
            fields[name] = {key: worth + by[f"{name} {key}"] * spread(worth) for key, worth in value.items()}
        else:
            fields[name] = value + by[name] * spread(value)
    return Values(**fields)


def spread(value: float) -> float:
    """The standard deviation by which a value is moved."""
    return max(LEAST, SPREAD * abs(value))


def move_of(table: Table, seat: int, values: Values | None, luck: random.Random) -> Any:
    """What a seat does by first sight, by these values or, without any, as the greedy player."""
    view = table.game.view(table.state, seat)
    if values is None or view.phase == "choose_tribe":
        return greedy.weigh(view, table.feeds[seat - 1], luck)[0].move
    VALUES[len(table.feeds)] = values
    return first_sight(greedy.table_seen(view), seat, luck, 1)[0].move


def shares(seed: str, seats: list[Values | None]) -> list[float]:
    """What each seat has of the victory in the end."""
    table, luck = Table(GAME, len(seats), {}, Deal(seed)), luck_of(seed, "by first sight")
    while acting := table.game.to_act(table.state):
        table.play(acting[0], move_of(table, acting[0], seats[acting[0] - 1], luck))
    winners = table.game.scores(table.state).winners
    return [(seat in winners) / len(winners) for seat in range(1, len(seats) + 1)]


def trials(players: int, games: int, seed: str) -> Iterator[tuple[Flat, float]]:
    """For each seat with moved values: by how much, and its share of the victory."""
    values = VALUES[players]
    for number in tqdm(range(games), desc=f"{players} seats", unit="game"):
        luck = luck_of(seed, players, number)
        others = values if number % 2 else None
        by = {
            seat: {name: luck.gauss() for name in flat(values)}
            for seat in luck.sample(range(players), -(-players // 2))
        }
        seats = [moved(values, by[seat]) if seat in by else others for seat in range(players)]
        found = shares(f"{seed}-{number}", seats)
        VALUES[players] = values
        yield from ((by[seat], found[seat]) for seat in by)


def effects(rows: list[tuple[Flat, float]]) -> dict[str, Effect]:
    """The effect of each value."""
    mean, error = fmean(share for _, share in rows), pstdev([share for _, share in rows]) / sqrt(len(rows))
    return {
        name: Effect(
            fmean(by[name] * (share - mean) for by, share in rows),
            error,
            fmean((by[name] ** 2 - 1) * (share - mean) for by, share in rows) / 2,
        )
        for name in rows[0][0]
    }


def main() -> None:
    """Prints each value, what it does, and where the best of it may lie."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--players", type=int, default=3, choices=list(VALUES))
    parser.add_argument("--games", type=int, default=7000)
    parser.add_argument("--seed", default="values")
    asked = parser.parse_args()
    values = VALUES[asked.players]
    found = effects(list(trials(asked.players, asked.games, asked.seed)))
    better = flat(moved(values, {name: effect.step() for name, effect in found.items()}))
    for name, value in flat(values).items():
        slope, error, bend = [100 * figure for figure in found[name]]
        print(f"{name:20} {value:6.2f} -> {better[name]:5.2f}   slope {slope:5.2f} ± {error:.2f} %, bend {bend:5.2f} %")


if __name__ == "__main__":
    main()
