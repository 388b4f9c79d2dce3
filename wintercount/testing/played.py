"""A game played at random, and what laws ask of it."""

import itertools
import random
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

import msgspec

from games import GAMES
from games.kernel import AnyGame, MoveRefused
from games.payloads import as_read
from rulings import rulebook
from wintercount.testing.random_games import chance_of, random_game, spread_options

LONGEST_GAME = 1000  # moves; the longest game of all has a proven bound below it
NOWHERE = "no-such-thing"
MOMENTS = 12  # points of a game at which the laws about views, moves and imagination are tried


@dataclass(frozen=True)
class Played:
    """A game played at random from a seed, with the state after each event; version 0 is before the first."""

    game: AnyGame
    players: int
    options: dict[str, Any]
    seed: int

    @cached_property
    def steps(self) -> list[Any]:
        steps = random_game(self.game, self.players, self.options, random.Random(self.seed))
        return list(itertools.islice(steps, LONGEST_GAME + 2))

    @cached_property
    def events(self) -> list[Any]:
        return [event for step in self.steps for event in step.turn.events]

    @cached_property
    def states(self) -> list[Any]:
        return folded(self.game, None, self.events)

    @cached_property
    def readers(self) -> list[dict[str, list[int]]]:
        return [self.game.readers(state, event) for state, event in zip(self.states, self.events, strict=False)]

    @cached_property
    def decisions(self) -> list[int]:
        """The versions at which the game waits for somebody, or is over."""
        return list(itertools.accumulate(len(step.turn.events) for step in self.steps))

    @cached_property
    def moments(self) -> list[int]:
        """Some of those versions, the first and the last among them."""
        inner = self.decisions[1:-1]
        picked = random.Random(self.seed).sample(inner, min(MOMENTS, len(inner)))
        return sorted({self.decisions[0], self.decisions[-1], *picked})

    @property
    def seats(self) -> range:
        return range(1, self.players + 1)

    @property
    def observers(self) -> list[int | None]:
        return [None, *self.seats]

    def feed(self, version: int, seat: int | None) -> list[Any]:
        """The events so far as a seat, or a spectator, reads them."""
        if version == len(self.events):
            return list(self.events)
        return [as_read(*both, seat) for both in zip(self.events[:version], self.readers, strict=False)]

    def rng(self, *about: Any) -> random.Random:
        return random.Random(repr((self.seed, *about)))


@cache
def games_of(slug: str) -> list[Played]:
    """A few games with every number of players, and house rules in which each value occurs."""
    game = GAMES[slug]
    return [
        Played(game, players, options, seed)
        for players in game.players
        for seed, options in enumerate(spread_options(game, random.Random(players)))
    ]


def event_from(type_name: str, payload: Mapping[str, Any], union: Any) -> Any:
    """Returns the event that a type and a payload are; fields that the payload leaves out become unset."""
    return _reader(union).decode(as_json({"type": type_name, **payload}))


@cache  # a union of many classes is read in no time, but takes long to prepare
def _reader(union: Any) -> msgspec.json.Decoder[Any]:
    return msgspec.json.Decoder(union)


def folded(game: AnyGame, state: Any, events: Sequence[Any]) -> list[Any]:
    """A state and those that it becomes, event by event."""
    states = [state]
    for event in events:
        states.append(game.evolve(states[-1], event))
    return states


def as_json(value: Any) -> bytes:
    return msgspec.json.encode(value)


def plain(value: Any) -> Any:
    """A value as JSON gives it back."""
    return msgspec.json.decode(as_json(value))


@contextmanager
def unchanged(state: Any) -> Iterator[None]:
    """Whatever is tried in a state leaves it as it was."""
    before = as_json(state)
    yield
    assert as_json(state) == before, "a move changed the state that it was made in"


def refusal(played: Played, state: Any, seat: Any, move: Any) -> str | None:
    """The rule that refuses a move, or None if it is accepted."""
    turn = attempt(played, state, seat, move, luck=0)
    if not isinstance(turn, MoveRefused):
        return None
    assert turn.rule in rulebook.rules(played.game.slug), turn
    assert turn.rule.startswith(f"{played.game.prefix}-4."), turn
    assert turn.detail, turn
    return turn.rule


def attempt(played: Played, state: Any, seat: Any, move: Any, luck: float, **corrected: Any) -> Any:
    """What a move leads to, or the refusal."""
    try:
        return played.game.play(state, seat, move, chance_of(luck), **corrected)
    except MoveRefused as refused:
        return refused


def mutants(value: Any, pool: Sequence[str], rng: random.Random) -> Iterator[Any]:
    """JSON values that differ from `value` in one place."""
    yield None
    if isinstance(value, dict):
        yield {**value, "why": 1}
        for key, item in value.items():
            yield {name: kept for name, kept in value.items() if name != key}
            yield from ({**value, key: other} for other in mutants(item, pool, rng))
    elif isinstance(value, list):
        yield from ([], value[:-1], value + value[-1:], [*value, NOWHERE], NOWHERE, list(reversed(value)))
        for index in rng.sample(range(len(value)), min(2, len(value))):
            yield from ([*value[:index], other, *value[index + 1 :]] for other in mutants(value[index], pool, rng))
    elif isinstance(value, bool):
        yield from (not value, int(value), str(value))
    elif isinstance(value, int):
        yield from (value - 1, value + 1, 0, 99, True, str(value), value + 0.5)
    else:
        yield from ("", NOWHERE, 7, [value], *rng.sample(pool, min(4, len(pool))))


def strings(value: Any) -> set[str]:
    """All strings in a JSON value."""
    if isinstance(value, dict):
        return set().union(*map(strings, value.values()))
    if isinstance(value, list):
        return set().union(*map(strings, value))
    return {value} if isinstance(value, str) else set()
