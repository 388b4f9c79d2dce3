"""Estimates the expected value of a move and its alternatives, from what the seat knew then.

All moves are played on in the same imagined worlds with the same luck. These common random numbers make the
differences between moves more precise than their values (Glasserman and Yao, 'Some guidelines and guarantees for
common random numbers', 1992).

The highest of several noisy means is too high on average, so a loss measured against it would be positive even for
the best player. Therefore a first look only chooses the alternative that looks best. If it looks better than the move
made, a second look compares these two in other worlds, five times as many, and only this comparison counts. The choice
says nothing about the luck of the second look, so its mean is an unbiased estimate of what that alternative gains,
however many were tried. If no alternative looks better, the loss counts as 0. A wrong choice in the first look makes
the expected loss too small, never too large.
"""

import random
from collections.abc import Iterator, Sequence
from functools import partial
from math import exp, sqrt
from statistics import fmean, stdev
from typing import Any, NamedTuple

import msgspec

from events.canonical import canonical
from games.beliefs import worlds_of
from games.kernel import AnyGame, Chance
from worker.analysis.playing_on import LONGEST, margins, margins_of, rearrange
from worker.players import chance_of, find_module, plays, require_module, weigh
from worker.players.search.any_game import choose as search
from worker.players.search.any_game import played_on


class Result(NamedTuple):
    """A seat's margin over the best other seat, and its share of the victory."""

    margin: float
    victory: float


Results = tuple[Result, ...]  # of all seats


def play_out(game: AnyGame, state: Any, luck: random.Random) -> Any:
    """Returns the state at the end when every seat plays as the greedy player does, or at random without one."""
    if not plays("greedy", game.slug):
        return played_on(game, state, luck)
    chance = chance_of(luck)
    for _ in range(LONGEST):
        seats = game.to_act(state)
        if not seats:
            return state
        # The feed is left out: the greedy player infers no hidden cards from it.
        move = weigh(game, game.view(state, seats[0]), (), luck)[0].move
        state = game.play(state, seats[0], move, chance).state
    raise RuntimeError(f"{game.slug} did not end in {LONGEST} decisions")


def results_of(game: AnyGame, state: Any) -> Results:
    """Returns the results as if the game ended now."""
    winners = game.scores(state).winners
    return tuple(
        [Result(margin, (seat in winners) / len(winners)) for seat, margin in enumerate(margins(game, state), 1)]
    )


def foresees(game: AnyGame) -> bool:
    """Returns whether the game has a player that foresees results without playing to the end."""
    return hasattr(find_module("search", game.slug), "foresee")


def foresee(game: AnyGame, state: Any, luck: random.Random) -> Results:
    """Plays on as the game's searching player does, and expects the results as it does.

    Without such a player, or one that foresees nothing, the game is played out.
    """
    if not foresees(game) or not game.to_act(state):
        return results_of(game, play_out(game, state, luck))
    totals, spread = require_module("search", game.slug).foresee(state, luck)
    leads = margins_of(totals)
    chances = [1 / (1 + exp(-lead / spread)) if spread else float(lead >= 0) for lead in leads]
    return tuple([Result(lead, own / sum(chances)) for lead, own in zip(leads, chances, strict=True)])


DIGITS = 3
SHORT = 100  # iterations of a search for alternatives
SAMPLES = 8  # attempts to get different moves where the greedy player draws them by luck, such as parties
SURE = 2.0  # standard errors by which another move must be better
LONGER = 5  # times as many worlds in the second look
MOMENTS = 16  # times that the true table is played on


class Effort(NamedTuple):
    """The size of an evaluation: the worlds of the first look, and the moves tried, including the one made.

    `whole`: games are played out to their end rather than foreseen.
    """

    worlds: int
    width: int
    whole: bool = False


class Position(NamedTuple):
    """All that a seat knew when it decided."""

    game: AnyGame
    view: Any
    feed: Sequence[Any]


class Question(NamedTuple):
    """A decision to evaluate: the move made and its alternatives, and the table (`after`) that the move led to."""

    position: Position
    moves: Sequence[Any]
    after: Any
    effort: Effort
    seed: bytes


class Mean(msgspec.Struct, frozen=True):
    """A mean over the worlds, and its standard error."""

    mean: float
    error: float


class Outlook(msgspec.Struct, frozen=True):
    """What a seat may expect: its margin over the best other seat, and its share of the victory."""

    margin: Mean
    victory: Mean


class Expectation(Outlook, frozen=True):
    """The expected result of a move.

    `behind` is the expected margin less that of the move made, compared in each world: positive if this move is better.
    """

    move: Any
    behind: Mean


class Evaluation(msgspec.Struct, frozen=True):
    """The move made, and the alternatives, the best first; `loss` is the margin lost against the best one.

    `worlds` are those of the look that decided. `after` is what each seat could expect at the true table afterwards.
    """

    made: Expectation
    others: tuple[Expectation, ...]
    loss: Mean
    worlds: int
    after: tuple[Outlook, ...]

    @property
    def is_sure(self) -> bool:
        """Whether the loss is more than twice its standard error."""
        return self.loss.mean > SURE * self.loss.error


def evaluate(question: Question) -> Evaluation:
    """Evaluates a decision; the same question gives the same result. Raises `NoWorld`."""
    return summarise(question, list(rollouts(question)))


def moves_tried(position: Position, made: Any, effort: Effort, seed: bytes) -> list[Any]:
    """Returns the move made, followed by the alternatives to try."""
    return [made, *alternatives(position, made, effort, random.Random(seed))]  # noqa: S311 - repeatable


def alternatives(position: Position, made: Any, effort: Effort, luck: random.Random) -> Iterator[Any]:
    """Yields the greedy player's best moves other than the one made; where it draws moves by luck, several draws.

    Without such a player they are the best of a short search.
    """
    game, known = position.game, {key_of(made)}
    for _ in range(SAMPLES):
        if plays("greedy", game.slug):
            rows = weigh(game, position.view, position.feed, luck)
        else:
            rows = list(search(game, position.view, position.feed, luck, SHORT).candidates)
        for row in rows:
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


def rollouts(question: Question, played: Sequence[Results] = ()) -> Iterator[Results]:
    """Yields the results that follow those already played: of the table after the move, then of both looks."""
    game, (view, feed), seed = question.position.game, question.position[1:], question.seed
    chance, found, worlds = chance_of(random.Random(seed)), list(played), list[Any]()  # noqa: S311 - repeatable
    supply = worlds_of(game, view, feed, chance, question.effort.worlds * (1 + LONGER))
    for place, (number, move) in enumerate(_plan(question, found)):
        if place < len(played):
            continue
        while move is not None and len(worlds) <= number:
            worlds.append(next(supply))
        found.append(_played(question, worlds, number, move))
        yield found[-1]


def _plan(question: Question, found: Sequence[Results]) -> Iterator[tuple[int, Any]]:
    """Yields what to play: the number of a world, and a move there; no move is the true table after the move made."""
    worlds, moves = question.effort.worlds, question.moves
    yield from ((number, None) for number in range(MOMENTS))
    yield from ((number, move) for number in range(worlds) for move in moves)
    rival = _rival(_rows(question, found)[0])
    if rival:
        yield from ((worlds + number, moves[at]) for number in range(worlds * LONGER) for at in (0, rival))


def _played(question: Question, worlds: Sequence[Any], number: int, move: Any) -> Results:
    """Plays on in a world after a move, or at the true table after the move made, with unseen cards reordered."""
    game, seat = question.position.game, question.position.view.seat
    if move is None:
        luck = random.Random(number)  # noqa: S311 - the same luck at every moment
        state = rearrange(game.slug, question.after, partial(_shuffled, chance_of(luck)))
        return foresee(game, state, luck)
    luck = random.Random(b"%d|%b" % (number, question.seed))  # noqa: S311 - repeatable
    state = game.play(worlds[number], seat, move, chance_of(luck)).state
    return results_of(game, play_out(game, state, luck)) if question.effort.whole else foresee(game, state, luck)


def _shuffled(chance: Chance, cards: tuple[Any, ...]) -> tuple[Any, ...]:
    return chance("unseen", cards, len(cards))


Column = Sequence[Result]  # a seat's results of one move in all worlds of a look


def _rows(question: Question, found: Sequence[Results]) -> tuple[list[Column], list[Column]]:
    """Returns the seat's results in the first look, move by move, and in the second: of the move made and the other."""
    many, place = len(question.moves), question.position.view.seat - 1
    own = [results[place] for results in found[MOMENTS:]]
    first, second = own[: many * question.effort.worlds], own[many * question.effort.worlds :]
    return [first[at::many] for at in range(many)], [second[at::2] for at in range(2)] if second else []


def _rival(columns: Sequence[Column]) -> int:
    """Returns the number of the alternative that looks best, if it looks better than the move made; else 0."""
    sums = [sum(result.margin for result in column) for column in columns]
    return sums.index(max(sums)) if max(sums) > sums[0] else 0


def summarise(question: Question, found: Sequence[Results]) -> Evaluation:
    """Returns the evaluation, given the results of all rollouts."""
    first, second = _rows(question, found)
    rival = _rival(first)
    made = second[0] if second else first[0]
    tried = [_tried(move, column, first[0]) for move, column in zip(question.moves, first, strict=True)]
    tried[0] = _tried(question.moves[0], made, made)
    if rival:
        tried[rival] = _tried(question.moves[rival], second[1], made)
    loss = tried[rival].behind
    others = sorted(tried[1:], key=lambda row: (row is not tried[rival], -row.behind.mean))
    after = [_outlook(column) for column in zip(*found[:MOMENTS], strict=True)]
    return Evaluation(tried[0], tuple(others), loss, len(made), tuple(after))


def _outlook(column: Column) -> Outlook:
    return Outlook(*[mean_of(values) for values in zip(*column, strict=True)])


def _tried(move: Any, column: Column, made: Column) -> Expectation:
    outlook, behind = _outlook(column), [one.margin - own.margin for one, own in zip(column, made, strict=True)]
    return Expectation(outlook.margin, outlook.victory, msgspec.to_builtins(move), mean_of(behind))


def mean_of(values: Sequence[float]) -> Mean:
    """Returns the mean and its standard error."""
    error = stdev(values) / sqrt(len(values)) if len(values) > 1 else 0.0
    return Mean(round(fmean(values), DIGITS), round(error, DIGITS))
