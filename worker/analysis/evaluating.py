"""Estimates the expected value of a move and its alternatives, from what the seat knew then.

All moves are played out in the same imagined worlds with the same luck. These common random numbers make the
differences between moves more precise than their values (Glasserman and Yao, 'Some guidelines and guarantees for
common random numbers', 1992).
"""

import random
from collections.abc import Iterator, Sequence
from math import sqrt
from statistics import fmean, stdev
from typing import Any, NamedTuple

import msgspec

from events.canonical import canonical
from games.beliefs import worlds_of
from games.kernel import AnyGame
from worker.players import chance_of, weigh

LONGEST = 2000  # decisions of a rollout: more than any game has


class Result(NamedTuple):
    """A seat's result: its points, its margin over the best other seat, and its share of the victory."""

    points: float
    margin: float
    victory: float


def play_out(game: AnyGame, state: Any, luck: random.Random) -> Any:
    """Returns the state at the end when every seat plays as the greedy player does."""
    chance = chance_of(luck)
    for _ in range(LONGEST):
        seats = game.to_act(state)
        if not seats:
            return state
        # The feed is left out: the greedy player infers no hidden cards from it.
        move = weigh(game, game.view(state, seats[0]), (), luck)[0].move
        state = game.play(state, seats[0], move, chance).state
    raise RuntimeError(f"{game.slug} did not end in {LONGEST} decisions")


def result_of(game: AnyGame, state: Any, seat: int) -> Result:
    """Returns a seat's result as if the game ended now."""
    scores = game.scores(state)
    totals = {row.seat: float(row.total) for row in scores.scores}
    own = totals.pop(seat)
    victory = 1 / len(scores.winners) if seat in scores.winners else 0.0
    return Result(own, own - max(totals.values()), victory)


DIGITS = 3
SAMPLES = 8  # attempts to get different moves where the greedy player draws them by luck, such as parties
SURE = 2.0  # standard errors by which another move must be better


class Effort(NamedTuple):
    """The size of an evaluation: the number of imagined worlds, and of moves tried, including the one made."""

    worlds: int
    width: int


class Position(NamedTuple):
    """All that a seat knew when it decided."""

    game: AnyGame
    view: Any
    feed: Sequence[Any]


class Mean(msgspec.Struct, frozen=True):
    """A mean over the worlds, and its standard error."""

    mean: float
    error: float


class Expectation(msgspec.Struct, frozen=True):
    """The expected result of a move: points, margin over the best other seat, share of the victory.

    `behind` is the expected margin less that of the move made, compared in each world: positive if this move is better.
    """

    move: Any
    points: Mean
    margin: Mean
    victory: Mean
    behind: Mean


class Evaluation(msgspec.Struct, frozen=True):
    """The move made, and the alternatives, the best first; `loss` is the margin lost against the best one.

    The loss is 0 unless an alternative is better by more than twice the standard error of the difference.
    """

    made: Expectation
    others: tuple[Expectation, ...]
    loss: float
    worlds: int


def evaluate(position: Position, made: Any, effort: Effort, seed: bytes) -> Evaluation:
    """Evaluates a move and its alternatives; the same seed gives the same result. Raises `NoWorld`."""
    moves = moves_tried(position, made, effort, seed)
    return summarise(moves, list(results(position, moves, effort.worlds, seed)))


def moves_tried(position: Position, made: Any, effort: Effort, seed: bytes) -> list[Any]:
    """Returns the move made, followed by the alternatives to try."""
    return [made, *alternatives(position, made, effort, random.Random(seed))]  # noqa: S311 - repeatable


def summarise(moves: Sequence[Any], found: Sequence[Result]) -> Evaluation:
    """Returns the evaluation, given the results of all moves in the first world, then in the second, and so on."""
    many = len(moves)
    tried = [_tried(move, found[number::many], found[::many]) for number, move in enumerate(moves)]
    others = sorted(tried[1:], key=lambda row: -row.margin.mean)
    losses = [row.behind.mean for row in others if row.behind.mean > SURE * row.behind.error]
    return Evaluation(tried[0], tuple(others), max(losses, default=0.0), len(found) // many)


def alternatives(position: Position, made: Any, effort: Effort, luck: random.Random) -> Iterator[Any]:
    """Yields the greedy player's best moves other than the one made; where it draws moves by luck, several draws."""
    game, known = position.game, {key_of(made)}
    for _ in range(SAMPLES):
        for row in weigh(game, position.view, position.feed, luck):
            if len(known) < effort.width and key_of(row.move) not in known:
                known.add(key_of(row.move))
                yield row.move
        if len(known) >= effort.width:
            return


def key_of(move: Any) -> bytes:
    """Returns a move as text, ignoring the order of its lists, which has no meaning."""
    return canonical(_sorted(msgspec.to_builtins(move)))


def _sorted(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _sorted(item) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return sorted((_sorted(item) for item in value), key=canonical)
    return value


def results(position: Position, moves: Sequence[Any], worlds: int, seed: bytes, first: int = 0) -> Iterator[Result]:
    """Yields the result of each move in each world, with the same luck; skips the first `first` results."""
    game, seat = position.game, position.view.seat
    chance = chance_of(random.Random(seed))  # noqa: S311 - repeatable
    for number, world in enumerate(worlds_of(game, position.view, position.feed, chance, worlds)):
        for move in moves[max(0, first - number * len(moves)) :]:
            yield _played(game, world, seat, move, random.Random(b"%d|%b" % (number, seed)))  # noqa: S311


def _played(game: AnyGame, world: Any, seat: int, move: Any, luck: random.Random) -> Result:
    state = game.play(world, seat, move, chance_of(luck)).state
    return result_of(game, play_out(game, state, luck), seat)


def _tried(move: Any, results: Sequence[Result], made: Sequence[Result]) -> Expectation:
    behind = [result.margin - own.margin for result, own in zip(results, made, strict=True)]
    points, margin, victory = (mean_of(column) for column in zip(*results, strict=True))
    return Expectation(msgspec.to_builtins(move), points, margin, victory, mean_of(behind))


def mean_of(values: Sequence[float]) -> Mean:
    """Returns the mean and its standard error."""
    error = stdev(values) / sqrt(len(values)) if len(values) > 1 else 0.0
    return Mean(round(fmean(values), DIGITS), round(error, DIGITS))
