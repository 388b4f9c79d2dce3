"""Games played at random: luck, house rules and moves out of one seed, so that each can be played again."""

import random
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import Any, NamedTuple

from games.kernel import AnyGame, Chance, MoveSet, T, Transition
from wintercount.match import RandomChance


class Step(NamedTuple):
    """One decision of a game: the state before it, whose it was, the move and what it led to.

    The first step is the start: it has no state, seat or move.
    """

    state: Any
    seat: int | None
    move: Any
    turn: Transition[Any]


chance_from: Callable[[random.Random], Chance] = RandomChance  # luck out of a generator of random numbers


def chance_of(seed: float | str) -> Chance:
    """The luck of a seed, which is sown when something is drawn: most moves draw nothing."""

    @cache
    def sown() -> Chance:
        return chance_from(random.Random(seed))

    def chance(kind: str, population: Sequence[T], count: int) -> tuple[T, ...]:
        return sown()(kind, population, count)

    return chance


def random_options(game: AnyGame, rng: random.Random) -> dict[str, Any]:
    """A value for each house rule; one whose values are not listed is left at its default."""
    return {option.name: rng.choice(option.values) for option in game.options if option.values}


def spread_options(game: AnyGame, rng: random.Random) -> list[dict[str, Any]]:
    """Few sets of house rules in which every value occurs: first the defaults, then mixtures."""
    choices = {option.name: option.values for option in game.options if option.values}
    mixtures = max((len(values) for values in choices.values()), default=1) - 1
    columns = {}
    for name, values in choices.items():
        others = [*values[1:], *rng.choices(values, k=mixtures - len(values) + 1)]
        columns[name] = [values[0], *rng.sample(others, mixtures)]
    return [{name: column[row] for name, column in columns.items()} for row in range(mixtures + 1)]


def random_move(game: AnyGame, state: Any, seat: int, rng: random.Random) -> Any:
    """One of the moves listed for a seat; of a summary, one that it stands for."""
    listed = rng.choice(game.legal_moves(state, seat))
    return listed.sample(chance_from(rng)) if isinstance(listed, MoveSet) else listed


def random_game(game: AnyGame, players: int, options: dict[str, Any], rng: random.Random) -> Iterator[Step]:
    """A whole game, decision by decision."""
    chance = chance_from(rng)
    turn = game.start(players, game.read_options(options, players), chance)
    yield Step(None, None, None, turn)
    yield from continued(game, turn.state, rng)


def continued(game: AnyGame, state: Any, rng: random.Random) -> Iterator[Step]:
    """The rest of a game from a state on, decision by decision."""
    chance = chance_from(rng)
    while seats := game.to_act(state):
        seat = rng.choice(seats)
        move = random_move(game, state, seat, rng)
        turn = game.play(state, seat, move, chance)
        yield Step(state, seat, move, turn)
        state = turn.state
