"""What the move that was made was worth, and what others were, as the seat saw the table then.

All moves are tried in the same imagined worlds with the same luck (common random numbers), so that their differences
are sharper than their values: Glasserman and Yao, 'Some guidelines and guarantees for common random numbers', 1992.
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

LONGEST = 2000  # decisions of a rollout; no game of four has as many


class Result(NamedTuple):
    """What a game came to for a seat: its points, its lead over the best other, and its share of the victory."""

    points: float
    margin: float
    victory: float


def played_out(game: AnyGame, state: Any, luck: random.Random) -> Any:
    """The state at the end, when every seat makes the move that looks best to the greedy player."""
    chance = chance_of(luck)
    for _ in range(LONGEST):
        seats = game.to_act(state)
        if not seats:
            return state
        # What a seat saw before is left out: the greedy player guesses no hidden card from it.
        move = weigh(game, game.view(state, seats[0]), (), luck)[0].move
        state = game.play(state, seats[0], move, chance).state
    raise RuntimeError(f"{game.slug} did not end in {LONGEST} decisions")


def result_of(game: AnyGame, state: Any, seat: int) -> Result:
    """What a state comes to for a seat, as if the game ended with it."""
    scores = game.scores(state)
    totals = {row.seat: float(row.total) for row in scores.scores}
    own = totals.pop(seat)
    victory = 1 / len(scores.winners) if seat in scores.winners else 0.0
    return Result(own, own - max(totals.values()), victory)


DIGITS = 3
SAMPLES = 8  # of moves that the greedy player draws by luck, such as parties: so often it is asked for another one
SURE = 2.0  # standard errors by which another move has to be better


class Effort(NamedTuple):
    """How much an evaluation may take: imagined worlds, and moves that are tried, that made among them."""

    worlds: int
    width: int


class Position(NamedTuple):
    """What a seat knew when it decided."""

    game: AnyGame
    view: Any
    feed: Sequence[Any]


class Mean(msgspec.Struct, frozen=True):
    """A mean over the worlds, and its standard error."""

    mean: float
    error: float


class Tried(msgspec.Struct, frozen=True):
    """What the seat may expect in the end of a move: points, margin to the best other, share of the victory.

    `behind` is how much less margin the move made brings, world by world: positive if this one is better.
    """

    move: Any
    points: Mean
    margin: Mean
    victory: Mean
    behind: Mean


class Evaluation(msgspec.Struct, frozen=True):
    """The move made, and the others, the best first; `loss` is what the best one brings more in margin.

    It is 0 unless another move is better by more than twice the standard error of the difference.
    """

    made: Tried
    others: tuple[Tried, ...]
    loss: float
    worlds: int


def evaluated(position: Position, made: Any, effort: Effort, seed: bytes) -> Evaluation:
    """What a move and the likeliest others may be expected to bring; the same for the same seed.

    Raises `NoWorld`.
    """
    moves = moves_tried(position, made, effort, seed)
    return evaluation_of(moves, list(results(position, moves, effort.worlds, seed)))


def moves_tried(position: Position, made: Any, effort: Effort, seed: bytes) -> list[Any]:
    """The move made, and the others that are tried beside it."""
    return [made, *alternatives(position, made, effort, random.Random(seed))]  # noqa: S311 - repeatable


def evaluation_of(moves: Sequence[Any], found: Sequence[Result]) -> Evaluation:
    """What moves may be expected to bring: world by world what each of them came to there."""
    many = len(moves)
    tried = [_tried(move, found[number::many], found[::many]) for number, move in enumerate(moves)]
    others = sorted(tried[1:], key=lambda row: -row.margin.mean)
    losses = [row.behind.mean for row in others if row.behind.mean > SURE * row.behind.error]
    return Evaluation(tried[0], tuple(others), max(losses, default=0.0), len(found) // many)


def alternatives(position: Position, made: Any, effort: Effort, luck: random.Random) -> Iterator[Any]:
    """The moves besides that made that look best to the greedy player; where it draws one by luck, several draws."""
    game, known = position.game, {key_of(made)}
    for _ in range(SAMPLES):
        for row in weigh(game, position.view, position.feed, luck):
            if len(known) < effort.width and key_of(row.move) not in known:
                known.add(key_of(row.move))
                yield row.move
        if len(known) >= effort.width:
            return


def key_of(move: Any) -> bytes:
    """A move as text, whatever the order of its lists: that order has no meaning."""
    return canonical(_sorted(msgspec.to_builtins(move)))


def _sorted(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _sorted(item) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return sorted((_sorted(item) for item in value), key=canonical)
    return value


def results(position: Position, moves: Sequence[Any], worlds: int, seed: bytes, first: int = 0) -> Iterator[Result]:
    """World by world what each of the moves comes to there, with the same luck; those before `first` are not played."""
    game, seat = position.game, position.view.seat
    chance = chance_of(random.Random(seed))  # noqa: S311 - repeatable
    for number, world in enumerate(worlds_of(game, position.view, position.feed, chance, worlds)):
        for move in moves[max(0, first - number * len(moves)) :]:
            yield _played(game, world, seat, move, random.Random(b"%d|%b" % (number, seed)))  # noqa: S311


def _played(game: AnyGame, world: Any, seat: int, move: Any, luck: random.Random) -> Result:
    state = game.play(world, seat, move, chance_of(luck)).state
    return result_of(game, played_out(game, state, luck), seat)


def _tried(move: Any, results: Sequence[Result], made: Sequence[Result]) -> Tried:
    behind = [result.margin - own.margin for result, own in zip(results, made, strict=True)]
    points, margin, victory = (mean_of(column) for column in zip(*results, strict=True))
    return Tried(msgspec.to_builtins(move), points, margin, victory, mean_of(behind))


def mean_of(values: Sequence[float]) -> Mean:
    """The mean of so many worlds, and its standard error."""
    error = stdev(values) / sqrt(len(values)) if len(values) > 1 else 0.0
    return Mean(round(fmean(values), DIGITS), round(error, DIGITS))
