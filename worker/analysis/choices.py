"""The decisions of a finished game at which a seat had a choice, and those of them that a quick analysis looks at."""

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from events.recorded import Recorded
from games.kernel import MoveSet
from projections.history import History, effective_events
from projections.table import Table
from worker.analysis.evaluating import Position, key_of
from worker.players import weigh

OF_QUICK = 7  # decisions that a quick analysis looks at


class TakenDecision(NamedTuple):
    """A decision that a seat took when it had a choice: the version that it led to, and what the seat knew."""

    version: int
    seat: int
    made: Any
    position: Position


def decisions(history: History) -> Iterator[TakenDecision]:
    """The decisions that stand, where the seat had a choice, with what it knew then and no more."""
    table = None
    for event in effective_events(history.events):
        if event.version == event.envelope.batch[0] and "move" in event.sealed:
            table = history.at(event.version - 1, table)
            if not _is_forced(table, event.envelope.by["seat"]):
                yield _decision(history, table, event)


def decision_at(history: History, version: int) -> TakenDecision:
    """The decision that led to a version."""
    return _decision(history, history.at(version - 1), history.events[version - 1])


def _decision(history: History, then: Table, event: Recorded) -> TakenDecision:
    seat = event.envelope.by["seat"]
    position = Position(then.game, then.game.view(then.state, seat), history.feed(seat, until=then.version))
    return TakenDecision(event.version, seat, then.game.read_move(event.sealed["move"].value), position)


def _is_forced(then: Table, seat: int) -> bool:
    """Whether the seat was told of one move alone: its legal moves follow from what it sees."""
    moves = then.game.legal_moves(then.state, seat)
    return len(moves) == 1 and not isinstance(moves[0], MoveSet)


def quick_count(choices: int) -> int:
    """How many of so many decisions a quick analysis looks at."""
    return min(OF_QUICK, choices)


def quick_choices(choices: Sequence[TakenDecision]) -> list[TakenDecision]:
    """The decisions that a quick analysis looks at, in the order of the game.

    First those at which the rule of thumb likes another move better, by most. The others are from all over the game, of
    the seat that was looked at least, where moves differ by that rule: it has no doubt about how its own player moves.
    """
    sights = [first_sight(decision) for decision in choices]
    found = doubtful(sights)[:OF_QUICK]
    missing = quick_count(len(choices)) - len(found)
    found += spread([choice.seat for choice in choices], found, at_stake(sights, found, missing), missing)
    return [choices[at] for at in sorted(found)]


class FirstSight(NamedTuple):
    """How much less the move made looks worth than the best by the rule of thumb, and than the best the worst does.

    Both are 0 where the greedy player draws a move by luck.
    """

    gap: float
    span: float


def first_sight(decision: TakenDecision) -> FirstSight:
    """What the greedy player's rule of thumb makes of a decision."""
    game, view, feed = decision.position
    rows = weigh(game, view, feed, random.Random(0))  # noqa: S311 - repeatable
    values = {key_of(row.move): row.value for row in rows}
    best, worst = max(values.values()), min(values.values())
    return FirstSight(best - values.get(key_of(decision.made), worst), best - worst)


def doubtful(sights: Sequence[FirstSight]) -> list[int]:
    """Where the rule of thumb likes another move better, by most first."""
    gaps = [(-sight.gap, at) for at, sight in enumerate(sights) if sight.gap > 0]
    return [at for _, at in sorted(gaps)]


def at_stake(sights: Sequence[FirstSight], found: Sequence[int], count: int) -> list[int]:
    """The other places where moves differ by the rule of thumb; all others, if these are fewer than are wanted."""
    others = [at for at in range(len(sights)) if at not in found]
    differing = [at for at in others if sights[at].span > 0]
    return differing if len(differing) >= count else others


def spread(seats: Sequence[int], found: Sequence[int], places: Sequence[int], count: int) -> list[int]:
    """So many of the places of a game, one of each stretch of it, of the seat that was found least by then.

    `seats`: who decided at each place. Of a seat's places in a stretch the one nearest its middle is taken.
    """
    looked, taken = Counter([seats[at] for at in found]), []
    for stretch in stretches(places, count):
        ranked = {at: (looked[seats[at]], abs(at - stretch[len(stretch) // 2]), at) for at in stretch}
        taken.append(min(stretch, key=ranked.__getitem__))
        looked[seats[taken[-1]]] += 1
    return taken


def stretches(places: Sequence[int], count: int) -> Iterator[Sequence[int]]:
    """The places in so many parts of nearly the same length; in as many as there are, if these are fewer."""
    count = min(count, len(places))
    for number in range(count):
        yield places[number * len(places) // count : (number + 1) * len(places) // count]
