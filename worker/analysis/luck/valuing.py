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
from math import sqrt
from statistics import fmean, stdev
from typing import Any, NamedTuple

import msgspec

from games.kernel import AnyGame, first_of_all
from worker.analysis.evaluating import DIGITS, Mean
from worker.analysis.luck.playing_on import (
    GREEDY,
    Feeds,
    Lineup,
    Moment,
    Player,
    World,
    begun,
    choice,
    dealt_anew,
    is_forced,
    margins,
    moved,
    played_on,
)
from worker.analysis.luck.unseen import can_rearrange, unseen

WORLDS = 16  # play-outs of each moment; a power of two, so that sums of means are exact

Values = tuple[tuple[float, ...], ...]  # by play-out, the margins of all seats


class Turn(NamedTuple):
    """A move made, and the version that it led to: the table before it, what seats had seen, and the table after it."""

    version: int
    seat: int
    move: Any
    before: Any
    feeds: Feeds
    after: Any


class Course(NamedTuple):
    """A finished game: its name, who played each seat as far as that is known, and all its moves."""

    name: str
    game: AnyGame
    options: Any
    players: tuple[Player | None, ...]
    turns: tuple[Turn, ...]


class Stroke(msgspec.Struct, frozen=True):
    """What an event changed in the expected margin of each seat: the choice of `seat`, and then chance.

    Version 0 is the deal.
    """

    version: int
    seat: int | None
    choice: tuple[float, ...]
    chance: tuple[float, ...]


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
    """A finished game told by its luck: how many play-outs of each moment, and each event."""

    table: str
    game: str
    worlds: int
    seats: tuple[SeatLuck, ...]
    strokes: tuple[Stroke, ...]


class Change(NamedTuple):
    """What changed between two moments: by whom (0: chance; a seat; None: neither), and the values at both."""

    by: int | None
    before: Values
    after: Values


def luck_by_event(course: Course, worlds: int = WORLDS) -> Iterator[Stroke | Luck]:
    """The events one after the other, and in the end the whole; the same for the same course and number of play-outs.

    Raises `ValueError` for a game whose unseen piles are not known, and for one that was not played to its end.
    """
    if not can_rearrange(course.game.slug):
        raise ValueError(f"nothing is known of the unseen piles of {course.game.slug}")
    if not course.turns or course.game.to_act(course.turns[-1].after):
        raise ValueError(f"{course.name} was not played to its end")
    lineup = Lineup(course.game, tuple([player or GREEDY for player in course.players]))
    strokes, changes = [], []
    for stroke, made in _changes(course, Courses(lineup, course.name, worlds)):
        strokes.append(stroke)
        changes += made
        yield stroke
    end = margins(course.game, course.turns[-1].after)
    seats = [_seat(course, number, changes, end) for number in range(len(end))]
    yield Luck(course.name, course.game.slug, worlds, tuple(seats), tuple(strokes))


class Courses(NamedTuple):
    """Plays a game on from its moments, in each of some worlds."""

    lineup: Lineup
    name: str
    worlds: int

    def from_start(self, options: Any) -> Values:
        """The margins of games that begin anew."""
        return self._values(lambda world: played_on(self.lineup, begun(self.lineup, options, world), world))

    def from_moment(self, moment: Moment) -> Values:
        """The margins when a moment is played on from."""
        return self._values(lambda world: played_on(self.lineup, dealt_anew(self.lineup, moment, world), world))

    def after_move(self, moment: Moment, turn: Turn, now: Values) -> Values:
        """The margins when the move is made, given those of the moment: the same where it is made there too."""

        def margins_in(world: World, before: tuple[float, ...]) -> tuple[float, ...]:
            dealt = dealt_anew(self.lineup, moment, world)
            if choice(self.lineup, dealt, turn.seat, world.luck(dealt.decisions)) == turn.move:
                return before
            return played_on(self.lineup, moved(self.lineup, dealt, turn.seat, turn.move, world), world)

        return tuple(map(margins_in, self._all(), now))

    def after_chance(self, moment: Moment, turn: Turn, later: Moment, made: Values) -> Values:
        """The margins when chance falls as it did, given those after the move: the same where it falls so there too."""

        def margins_in(world: World, before: tuple[float, ...]) -> tuple[float, ...]:
            dealt = dealt_anew(self.lineup, moment, world)
            after = dealt_anew(self.lineup, later, world)
            if moved(self.lineup, dealt, turn.seat, turn.move, world).state == after.state and world.is_fresh:
                return before
            return played_on(self.lineup, after, World(world.name, world.number))

        return tuple(map(margins_in, self._all(), made))

    def _all(self) -> Iterator[World]:
        return (World(self.name, number) for number in range(self.worlds))

    def _values(self, played: Callable[[World], tuple[float, ...]]) -> Values:
        return tuple(map(played, self._all()))


def _changes(course: Course, courses: Courses) -> Iterator[tuple[Stroke, list[Change]]]:
    """Each event with what it changed."""
    state = course.turns[0].before
    start = courses.from_start(course.options)
    now = courses.from_moment(Moment(state, course.turns[0].feeds, 0))
    deal = [Change(0, start, now)]
    yield _stroke(0, None, deal), deal
    feeds = [turn.feeds for turn in course.turns[1:]] + [()]
    for number, (turn, later) in enumerate(zip(course.turns, feeds, strict=True)):
        changes, moment = [], Moment(turn.before, turn.feeds, number)
        if turn.before != state:  # somebody has ruled otherwise in the meantime
            then = courses.from_moment(moment)
            changes.append(Change(None, now, then))
            now = then
        made, after = _told_turn(courses, moment, turn, Moment(turn.after, later, number + 1), now)
        changes += [Change(turn.seat, now, made), Change(0, made, after)]
        yield _stroke(turn.version, turn.seat, changes), changes
        now, state = after, turn.after


def _told_turn(courses: Courses, moment: Moment, turn: Turn, later: Moment, now: Values) -> tuple[Values, Values]:
    """The margins after a move, and after what chance made of it."""
    game = courses.lineup.game
    made = now if is_forced(game, turn.before, turn.seat) else courses.after_move(moment, turn, now)
    if not game.to_act(turn.after):
        return made, (margins(game, turn.after),) * len(made)
    if not _asks_chance(courses.lineup, turn):
        return made, made
    return made, courses.after_chance(moment, turn, later, made)


def _asks_chance(lineup: Lineup, turn: Turn) -> bool:
    """Whether chance had a part in what followed a move: something was drawn, or an unseen card was turned up."""
    asked = []

    def chance(kind: str, population: Sequence[Any], count: int) -> tuple[Any, ...]:
        asked.append(kind)
        return first_of_all(kind, population, count)

    lineup.game.play(turn.before, turn.seat, turn.move, chance)
    slug = lineup.game.slug
    return bool(asked) or unseen(slug, turn.before) != unseen(slug, turn.after)


def _mean(change: Change) -> tuple[float, ...]:
    """What changed for each seat, on average."""
    return tuple(
        [
            fmean(after) - fmean(before)
            for before, after in zip(zip(*change.before, strict=True), zip(*change.after, strict=True), strict=True)
        ]
    )


def _stroke(version: int, seat: int | None, changes: Sequence[Change]) -> Stroke:
    rows = {change.by: _mean(change) for change in changes}
    nothing = tuple([0.0] * len(rows[0]))
    return Stroke(version, seat, rows[seat] if seat else nothing, rows[0])


def _seat(course: Course, place: int, changes: Sequence[Change], end: Sequence[float]) -> SeatLuck:
    """The sums for a seat, which counts from 0 here."""
    seat = place + 1
    worlds = range(len(changes[0].before))

    def sums(belongs: Callable[[int | None], bool]) -> list[float]:
        rows = [change for change in changes if belongs(change.by)]
        return [sum([row.after[world][place] - row.before[world][place] for row in rows]) for world in worlds]

    def is_luck(by: int | None) -> bool:
        return by is not None and (by == 0 or course.players[by - 1] is not None)

    luck = sums(is_luck)
    player = course.players[place]
    return SeatLuck(
        seat=seat,
        player=player[0] if player else None,
        margin=end[place],
        expected=_exact([changes[0].before[world][place] for world in worlds]),
        chance=_exact(sums(lambda by: by == 0)),
        own=_exact(sums(lambda by: by == seat)),
        others=_exact(sums(lambda by: by not in (0, None, seat))),
        ruled=_exact(sums(lambda by: by is None)),
        adjusted=_exact([end[place] - found for found in luck]),
    )


def _exact(values: Sequence[float]) -> Mean:
    """The mean as it is, so that sums hold, and its standard error."""
    return Mean(fmean(values), round(stdev(values) / sqrt(len(values)), DIGITS) if len(values) > 1 else 0.0)
