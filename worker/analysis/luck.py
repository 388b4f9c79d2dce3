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
from typing import Any, NamedTuple

import msgspec

from events.recorded import Recorded
from games.kernel import AnyGame, first_of_all
from projections.history import TableHistory, effective_events
from worker.analysis.evaluating import DIGITS, Mean
from worker.analysis.playing_on import (
    GREEDY,
    KNOWN,
    REMEMBERS,
    Feeds,
    Lineup,
    Moment,
    Player,
    World,
    begun,
    can_rearrange,
    choice,
    dealt_anew,
    is_forced,
    margins,
    moved,
    played_on,
    unseen,
)

Margins = tuple[float, ...]  # of all seats


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

    @property
    def lineup(self) -> Lineup:
        """Who plays on: who played, and `greedy` for whoever is not known."""
        return Lineup(self.game, tuple([player or GREEDY for player in self.players]))


class Told(NamedTuple):
    """What a world makes of an event: the margins before it, after the choice that it holds, and after chance.

    The deal holds no choice: `before` and `made` are those of a game that begins anew.
    """

    before: Margins
    made: Margins
    after: Margins


def check(course: Course) -> None:
    """Raises `ValueError` for a game whose unseen piles are not known, and for one that was not played to its end."""
    if not can_rearrange(course.game.slug):
        raise ValueError(f"nothing is known of the unseen piles of {course.game.slug}")
    if not course.turns or course.game.to_act(course.turns[-1].after):
        raise ValueError(f"{course.name} was not played to its end")


class Step:
    """An event of a course, counted from 1, or the deal, and all that holds of it in every world."""

    def __init__(self, course: Course, number: int) -> None:
        self.course, self.lineup, self.number = course, course.lineup, number
        self.turn = course.turns[number - 1] if number else None
        if self.turn is None:
            return
        game, later = course.game, course.turns[number : number + 1]
        self.moment = Moment(self.turn.before, self.turn.feeds, number - 1)
        self.next = Moment(self.turn.after, later[0].feeds if later else (), number)
        self.is_ruled = number > 1 and self.turn.before != course.turns[number - 2].after
        self.is_forced = is_forced(game, self.turn.before, self.turn.seat)
        self.end = None if game.to_act(self.turn.after) else margins(game, self.turn.after)
        self.asks_chance = _asks_chance(self.lineup, self.turn)

    @property
    def version(self) -> int:
        """The version that the event led to; 0 for the deal."""
        return self.turn.version if self.turn else 0

    def told(self, number: int, now: Margins | None) -> Told:
        """What the world of that number makes of it; `now`: what it made of the step before."""
        if self.turn is None:
            return self._deal(number)
        before = now
        if before is None or self.is_ruled:  # somebody has ruled otherwise in the meantime
            before = self._played_on(self.moment, number)
        made = before if self.is_forced else self._after_move(self.turn, number, before)
        if self.end is not None:
            return Told(before, made, self.end)
        return Told(before, made, self._after_chance(self.turn, number, made) if self.asks_chance else made)

    def _deal(self, number: int) -> Told:
        first, world = self.course.turns[0], self._world(number)
        start = played_on(self.lineup, begun(self.lineup, self.course.options, world), world)
        return Told(start, start, self._played_on(Moment(first.before, first.feeds, 0), number))

    def _after_move(self, turn: Turn, number: int, before: Margins) -> Margins:
        """The margins when the move is made: those before it where it is made in this world too."""
        world = self._world(number)
        dealt = dealt_anew(self.lineup, self.moment, world)
        if choice(self.lineup, dealt, turn.seat, world.luck(dealt.decisions)) == turn.move:
            return before
        return played_on(self.lineup, moved(self.lineup, dealt, turn.seat, turn.move, world), world)

    def _after_chance(self, turn: Turn, number: int, made: Margins) -> Margins:
        """The margins when chance falls as it did: those after the move where it falls so in this world too."""
        world = self._world(number)
        dealt, after = dealt_anew(self.lineup, self.moment, world), dealt_anew(self.lineup, self.next, world)
        if moved(self.lineup, dealt, turn.seat, turn.move, world).state == after.state and world.is_fresh:
            return made
        return played_on(self.lineup, after, self._world(number))

    def _played_on(self, moment: Moment, number: int) -> Margins:
        world = self._world(number)
        return played_on(self.lineup, dealt_anew(self.lineup, moment, world), world)

    def _world(self, number: int) -> World:
        return World(self.course.name, number)


def _asks_chance(lineup: Lineup, turn: Turn) -> bool:
    """Whether chance had a part in what followed a move: something was drawn, or an unseen card was turned up."""
    asked = []

    def chance(kind: str, population: Any, count: int) -> tuple[Any, ...]:
        asked.append(kind)
        return first_of_all(kind, population, count)

    lineup.game.play(turn.before, turn.seat, turn.move, chance)
    slug = lineup.game.slug
    return bool(asked) or unseen(slug, turn.before) != unseen(slug, turn.after)


def course_of(history: TableHistory) -> Course:
    """The moves of a finished table that stand; raises `ValueError` before the game is over."""
    table = history.table
    if not table.laid_open:
        raise ValueError(f"{table.id} is not over: its moves are still secret")
    moves = [event for event in effective_events(history.events) if _is_move(event)]
    options = (history.at(moves[0].version - 1) if moves else table).state.options
    players = tuple([player_of(moves, seat) for seat in range(1, table.opened.players + 1)])
    return Course(table.id, table.game, options, players, tuple(_turns(history, moves)))


def _is_move(event: Recorded) -> bool:
    return event.version == event.envelope.batch[0] and "move" in event.sealed


def player_of(moves: list[Recorded], seat: int) -> Player | None:
    """Who made all moves of a seat, if that is a player whose way of choosing is known."""
    found = {_maker(event.envelope.by) for event in moves if event.envelope.by["seat"] == seat}
    only = found.pop() if len(found) == 1 else None
    return only if only in KNOWN else None


def _maker(by: dict[str, Any]) -> Player:
    ai = by.get("ai") or {}
    return ai.get("player", ""), ai.get("version", 0)


def _turns(history: TableHistory, moves: list[Recorded]) -> Iterator[Turn]:
    table, players = None, history.table.opened.players
    for event in moves:
        table = history.at(event.version - 1, table)
        before = table
        table = history.at(event.envelope.batch[1], table)
        feeds = tuple([_feed(history, seat, before.version) for seat in range(1, players + 1)])
        seat = event.envelope.by["seat"]
        yield Turn(
            event.version, seat, before.game.read_move(event.sealed["move"].value), before.state, feeds, table.state
        )


def _feed(history: TableHistory, seat: int, version: int) -> tuple[Any, ...]:
    """What a seat had seen, in games in which that matters."""
    return history.feed(seat, until=version) if history.table.opened.game in REMEMBERS else ()


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
