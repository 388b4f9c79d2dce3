"""Many pairs of worlds, over every door of a table: `python -m tests.service.api.run_pairs --pairs 5000 --seed 3`.

Two worlds differ in all that an observer may not know, and answer him alike to the byte. A pair is one observer at one
version, where every hand, pile and choice that is hidden from him is another one; or one observer of two games in which
somebody else has made another secret choice.
"""

import contextlib
import random
from itertools import count, product

import click
import pytest
from tqdm import tqdm

from games import GAMES
from tests.service.api.interference import MOVES, after_moves, leaks, observers, told_apart, twin_of
from tests.service.api.twins import PLAYERS, Pair
from tests.service.api.world import World, embedded_store

KINDS = tuple(product(GAMES, (False, True)))  # each game by people alone, and with an AI seat


@click.command()
@click.option("--pairs", default=5000, show_default=True, help="At least so many.")
@click.option("--seed", default=0, show_default=True, help="Of the first table.")
def main(pairs: int, seed: int) -> None:
    """Compares pairs of worlds until they are enough; stops at the first that can be told apart."""
    done = 0
    with embedded_store() as url, contextlib.closing(World(url)) as world, tqdm(total=pairs) as bar:
        for number in count(seed):
            game, ai = KINDS[number % len(KINDS)]
            compared = _tables(world, game, number, ai=ai) + _choices(world, game, number, ai=ai)
            bar.update(compared)
            if (done := done + compared) >= pairs:
                break
    click.echo(f"{done} pairs of worlds, from seed {seed} on: nobody can tell any two apart")


def _tables(world: World, game: str, number: int, *, ai: bool) -> int:
    """How many versions and observers of a table were compared: none if its game ended before the moves did."""
    drawn = random.Random(number)
    seats, moves = drawn.choice(GAMES[game].players), drawn.randint(4, MOVES[game])
    seen = after_moves(world, game, seats, number, ai=ai, moves=moves)
    if seen.history.table.status != "running":
        return 0
    for seat in observers(seen):
        told = leaks(seen.answers(seat), twin_of(seen, seat, number).answers(seat))
        _refuse(told, f"{game}, table {number}, seen by {seat}")
    versions = range(1, seen.history.table.version + 1)
    return len(observers(seen)) * sum(seen.history.at(version).state is not None for version in versions)


def _choices(world: World, game: str, number: int, *, ai: bool) -> int:
    """How many observers of a secret choice were asked."""
    with pytest.MonkeyPatch.context() as monkeypatch:
        _refuse(list(told_apart(Pair(world, monkeypatch, game, number, ai=ai))), f"{game}, choice {number}")
    return PLAYERS.get(game, 2)


def _refuse(told: list[str], where: str) -> None:
    if told:
        raise SystemExit("\n".join([f"worlds are told apart: {where}", *told]))


if __name__ == "__main__":
    main()
