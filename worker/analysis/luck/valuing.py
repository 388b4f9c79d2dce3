"""The result of a finished game as the sum of what was to be expected, of luck, and of what seats chose.

What a seat may expect is counted at each moment of the game by playing it on many times: before a decision, after it,
and after what chance made of it. Chance made the difference between the last two. The expectation after an event, seen
from before it, is that before it, if whoever decided it is known: so the luck of an event is 0 on average, whatever
the play that follows is worth, and the result less all luck is on average the result. This is AIVAT (Burch, Schmid,
Moravčík, Morrill and Bowling, 'AIVAT: A New Variance Reduction Technique for Agent Evaluation in Imperfect Information
Games', 2018) with play-outs as the values. Each moment is counted once, for the event before it and that after it, so
that the errors cancel in the sum.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from math import sqrt
from statistics import fmean, stdev

import msgspec

from worker.analysis.evaluating import DIGITS, Mean
from worker.analysis.luck.playing_on import GREEDY
from worker.analysis.luck.steps import Course, Margins, Step, Told, check

WORLDS = 16  # play-outs of each moment; a power of two, so that sums of means are exact

Row = Sequence[Told]  # what each world makes of an event


class Stroke(msgspec.Struct, frozen=True):
    """What an event changed in the expected margin of each seat: the choice of `seat`, and then chance.

    `ruled` is what was ruled otherwise since the event before. Version 0 is the deal.
    """

    version: int
    seat: int | None
    ruled: Margins
    choice: Margins
    chance: Margins


class SeatLuck(msgspec.Struct, frozen=True):
    """The margin of a seat: `expected`, and what `chance`, its `own` choices, those of `others` and rulings made of it.

    `player` is who played the seat, if it is known how it chooses. `adjusted` is the margin less all luck: that of
    chance, and of the choices of known players.
    """

    seat: int
    player: str | None
    margin: float
    expected: Mean
    chance: Mean
    own: Mean
    others: Mean
    ruled: Mean
    adjusted: Mean


class Luck(msgspec.Struct, frozen=True):
    """A finished game told by its luck: how many play-outs of each moment, and each event.

    `player` and its `version` go on for seats of which it is not known how they choose.
    """

    table: str
    game: str
    player: str
    version: int
    worlds: int
    seats: tuple[SeatLuck, ...]
    strokes: tuple[Stroke, ...]


def luck_by_event(course: Course, worlds: int = WORLDS) -> Iterator[Stroke | Luck]:
    """The events one after the other, and in the end the whole; the same for the same course and number of play-outs.

    Raises `ValueError` for a game whose unseen piles are not known, and for one that was not played to its end.
    """
    check(course)
    rows: list[Row] = []
    for number in range(len(course.turns) + 1):
        step, last = Step(course, number), rows[-1] if rows else None
        rows.append([step.told(world, last[world].after if last else None) for world in range(worlds)])
        yield stroke(course, rows, number)
    yield whole(course, rows)


def whole(course: Course, rows: Sequence[Row]) -> Luck:
    """The game told by what the worlds make of each of its events, the deal first."""
    seats = [_seat(course, place, rows) for place in range(len(course.players))]
    strokes = [stroke(course, rows, number) for number in range(len(rows))]
    return Luck(course.name, course.game.slug, *GREEDY, len(rows[0]), tuple(seats), tuple(strokes))


def stroke(course: Course, rows: Sequence[Row], number: int) -> Stroke:
    """What an event changed on average; the deal is number 0."""
    row, turn = rows[number], course.turns[number - 1] if number else None
    before, made, after = (_means([told[moment] for told in row]) for moment in range(3))
    was = _means([told.after for told in rows[number - 1]]) if number else before
    seat, version = (turn.seat, turn.version) if turn else (None, 0)
    return Stroke(version, seat, _less(before, was), _less(made, before), _less(after, made))


def _means(values: Sequence[Margins]) -> Margins:
    return tuple([fmean(of_seat) for of_seat in zip(*values, strict=True)])


def _less(values: Margins, others: Margins) -> Margins:
    return tuple([value - other for value, other in zip(values, others, strict=True)])


def _seat(course: Course, place: int, rows: Sequence[Row]) -> SeatLuck:
    """The sums for a seat, which counts from 0 here."""
    end, player, seats = rows[-1][0].after[place], course.players[place], range(1, len(course.players) + 1)
    chance = _sums(rows, lambda _, told: told.after[place] - told.made[place])

    def chose(those: Sequence[int]) -> list[float]:
        by = [None, *[turn.seat for turn in course.turns]]
        return _sums(rows, lambda number, told: told.made[place] - told.before[place] if by[number] in those else 0.0)

    known = chose([seat for seat in seats if course.players[seat - 1] is not None])
    return SeatLuck(
        seat=place + 1,
        player=player[0] if player else None,
        margin=end,
        expected=_exact([told.before[place] for told in rows[0]]),
        chance=_exact(chance),
        own=_exact(chose([place + 1])),
        others=_exact(chose([seat for seat in seats if seat != place + 1])),
        ruled=_exact([_ruled(rows, world, place) for world in range(len(rows[0]))]),
        adjusted=_exact([end - drawn - chosen for drawn, chosen in zip(chance, known, strict=True)]),
    )


def _sums(rows: Sequence[Row], changed: Callable[[int, Told], float]) -> list[float]:
    """In each world, the sum of what changed at each event, whose number and whose moments are given."""
    return [sum([changed(number, row[world]) for number, row in enumerate(rows)]) for world in range(len(rows[0]))]


def _ruled(rows: Sequence[Row], world: int, place: int) -> float:
    """What was ruled otherwise between events, for a seat in a world."""
    return sum([row[world].before[place] - last[world].after[place] for last, row in pairwise(rows)])


def _exact(values: Sequence[float]) -> Mean:
    """The mean as it is, so that sums hold, and its standard error."""
    return Mean(fmean(values), round(stdev(values) / sqrt(len(values)), DIGITS) if len(values) > 1 else 0.0)
