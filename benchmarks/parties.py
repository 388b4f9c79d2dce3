"""How much each kind of card is wanted in a party: `python -m benchmarks.parties`.

Hunts are played out with parties chosen at random, then by what was found so far and luck; what a card adds to the
reward of its seat is found by least squares. The tables, in ten-thousandths, stand with the games in
`worker/players/search`.
"""

import argparse
import random
from collections.abc import Sequence
from typing import Any

from tqdm import tqdm

from games.manitou_family_parties import ChooseParty
from worker.players import chance_of
from worker.players.search import big_manitou, manitou
from worker.players.search.manitou_family import gumbel
from worker.players.search.manitou_family_hunt import kind

KINDS = range(1, 16)
ROUNDS = 3
WHIM = 0.03  # in rewards: so wide that every kind is left out often enough to be told apart
TITLES: dict[str, tuple[Any, tuple[int, ...]]] = {
    "manitou": (manitou.TITLE, (2, 3, 4)),
    "big-manitou": (big_manitou.TITLE, (2, 3, 4, 5)),
}


def main() -> None:
    """Prints the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hunts", type=int, default=4000, help="in each of three rounds")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    for name, (title, seats) in TITLES.items():
        for players in seats:
            print(name, players, fitted(title, players, asked.hunts, random.Random(asked.seed)))


def fitted(title: Any, players: int, hunts: int, luck: random.Random) -> list[int]:
    """The worth of each kind, 0 on average over a deck; kind 0 is none."""
    taste = [0.0] * 16
    for _ in range(ROUNDS):
        rows: list[tuple[list[int], float]] = []
        for _ in tqdm(range(hunts), desc=f"{title.game.slug} {players}", leave=False):
            rows += played(title, players, taste, luck)
        taste = least_squares(rows)
    return [round(10_000 * worth) for worth in taste]


def played(title: Any, players: int, taste: Sequence[float], luck: random.Random) -> list[tuple[list[int], float]]:
    """One first hunt: how many cards of each kind every seat took, and its reward."""
    game, chance = title.game, chance_of(luck)
    state = game.start(players, game.read_options({}, players), chance).state
    parties = []
    for seat in range(players):
        size, cards = title.party_size(state, seat), title.reserve(state, seat)
        wanted = sorted(cards, key=lambda card: -(taste[kind(card)] + WHIM * gumbel(luck)))
        parties.append(tuple(wanted[:size]))
    for seat, party in enumerate(parties, 1):
        state = game.play(state, seat, ChooseParty(party), chance).state
    hunt = title.hunt_of(state)
    hunt.play_out(luck)
    rewards = hunt.rewards()
    counts = [[sum(kind(card) == one for card in party) for one in KINDS] for party in parties]
    return list(zip(counts, rewards, strict=True))


def least_squares(rows: list[tuple[list[int], float]]) -> list[float]:
    """The weights that explain the rewards best, with a little ridge; centred."""
    size = len(KINDS)
    means = [sum(counts[n] for counts, _ in rows) / len(rows) for n in range(size)]
    mean = sum(reward for _, reward in rows) / len(rows)
    matrix = [[0.0] * (size + 1) for _ in range(size)]
    for counts, reward in rows:
        centred = [count - one for count, one in zip(counts, means, strict=True)]
        for i, left in enumerate(centred):
            if left:
                for j, right in enumerate(centred):
                    matrix[i][j] += left * right
                matrix[i][size] += left * (reward - mean)
    for i in range(size):
        matrix[i][i] += 0.01 * len(rows)
    weights = solved(matrix)
    centre = sum(weights) / size
    return [0.0, *[weight - centre for weight in weights]]


def solved(matrix: list[list[float]]) -> list[float]:
    """Gauss and Jordan: the solution of the equations whose last column is the right side."""
    size = len(matrix)
    for i in range(size):
        pivot = max(range(i, size), key=lambda row: abs(matrix[row][i]))
        matrix[i], matrix[pivot] = matrix[pivot], matrix[i]
        matrix[i] = [value / matrix[i][i] for value in matrix[i]]
        for row in range(size):
            if row != i:
                factor = matrix[row][i]
                matrix[row] = [a - factor * b for a, b in zip(matrix[row], matrix[i], strict=True)]
    return [row[size] for row in matrix]


if __name__ == "__main__":
    main()
