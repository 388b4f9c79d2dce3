"""Games played at random: luck, house rules and moves out of one seed, so that each can be played again."""

import hashlib
import itertools
import random
import sys
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any, NamedTuple

import msgspec

from games import GAMES
from games.kernel import AnyGame, Chance, MoveSet, T, Transition
from games.payloads import payload_of


class Step(NamedTuple):
    """One decision of a game: the state before it, whose it was, the move and what it led to.

    The first step is the start: it has no state, seat or move.
    """

    state: Any
    seat: int | None
    move: Any
    turn: Transition[Any]


def chance_from(rng: random.Random) -> Chance:
    """Luck out of a generator of random numbers."""

    def chance(kind: str, population: Sequence[T], count: int) -> tuple[T, ...]:
        return tuple(rng.sample(population, count))

    return chance


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


def fingerprint(slug: str, players: int, seed: int, steps: int) -> str:
    """A digest of the first steps of a game: all events with their readers, all lists of moves and all views."""
    game, rng, digest = GAMES[slug], random.Random(seed), hashlib.sha256()
    state = None
    for step in itertools.islice(random_game(game, players, random_options(game, rng), rng), steps):
        for event in step.turn.events:
            digest.update(msgspec.json.encode([payload_of(event), game.readers(state, event)]))
            state = game.evolve(state, event)
        seats = [None, *range(1, players + 1)]
        digest.update(msgspec.json.encode([game.view(state, seat) for seat in seats]))
        digest.update(msgspec.json.encode([game.legal_moves(state, seat) for seat in seats[1:]]))
    return digest.hexdigest()


def fingerprints(seed: int, steps: int = 150) -> list[str]:
    """The digests of one game for every set of rules and every number of players."""
    return [fingerprint(slug, players, seed, steps) for slug, game in GAMES.items() for players in game.players]


if __name__ == "__main__":
    sys.stdout.write("\n".join(fingerprints(int(sys.argv[1]))))
