"""Splits the result of a finished game into the initial expectation, luck, and the choices of the seats.

The expected margin is estimated at each moment by playing the game out many times: before a decision, after it, and
after the chance that followed. The difference between the last two is luck. For a known player, the expectation after
an event averages to that before it; so the luck of an event averages to 0, however good the play-outs are, and the
result less all luck is an unbiased estimate of the result. This is AIVAT (Burch, Schmid, Moravčík, Morrill and
Bowling, 'AIVAT: A New Variance Reduction Technique for Agent Evaluation in Imperfect Information Games', 2018) with
play-outs as values. Each moment is estimated once, for the events before and after it, so errors cancel in the sum.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from math import sqrt
from statistics import fmean, stdev
from typing import Any, NamedTuple

import msgspec

from events.envelopes import Recorded
from games.kernel import AnyGame, first_of_all
from projections.history import TableHistory, effective_events
from worker.analysis.evaluating import DIGITS, Mean
from worker.analysis.finished import is_move
from worker.analysis.playing_on import (
    FORGETS,
    KNOWN,
    Feeds,
    Lineup,
    Moment,
    Player,
    SharedLuck,
    choice,
    is_forced,
    margins,
    play_move,
    play_on,
    redeal,
    stand_in,
    start_game,
    unseen,
)

Margins = tuple[float, ...]  # of all seats


class Turn(NamedTuple):
    """A move and the version that it led to, with the states before and after it, and the seats' feeds before it."""

    version: int
    seat: int
    move: Any
    before: Any
    feeds: Feeds
    after: Any


class Course(NamedTuple):
    """A finished game: its name, the known players of its seats, and all its moves."""

    name: str
    game: AnyGame
    options: Any
    players: tuple[Player | None, ...]
    turns: tuple[Turn, ...]

    @property
    def lineup(self) -> Lineup:
        """The players of the play-outs: those who played, and one that stands in for unknown ones."""
        unknown = stand_in(self.game.slug)
        return Lineup(self.game, tuple([player or unknown for player in self.players]))


class EventMargins(NamedTuple):
    """The expected margins in one world: before an event, after its choice, and after its chance.

    The deal contains no choice; its `before` and `made` come from a new game.
    """

    before: Margins
    made: Margins
    after: Margins


def check(course: Course) -> None:
    """Raises `ValueError` for a game that was not played to its end."""
    if not course.turns or course.game.to_act(course.turns[-1].after):
        raise ValueError(f"{course.name} was not played to its end")


class Step:
    """An event of a game, counted from 1, or the deal (0), with all that is the same in every world."""

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

    def told(self, number: int, now: Margins | None) -> EventMargins:
        """Returns the margins in one world; `now` are those after the previous step."""
        if self.turn is None:
            return self._deal(number)
        before = now
        if before is None or self.is_ruled:  # a ruling changed the state in between
            before = self._played_on(self.moment, number)
        made = before if self.is_forced else self._after_move(self.turn, number, before)
        if self.end is not None:
            return EventMargins(before, made, self.end)
        return EventMargins(before, made, self._after_chance(self.turn, number, made) if self.asks_chance else made)

    def _deal(self, number: int) -> EventMargins:
        first, world = self.course.turns[0], self._world(number)
        start = play_on(self.lineup, start_game(self.lineup, self.course.options, world), world)
        return EventMargins(start, start, self._played_on(Moment(first.before, first.feeds, 0), number))

    def _after_move(self, turn: Turn, number: int, before: Margins) -> Margins:
        """Returns the margins after the move; unchanged if the seat's player makes it in this world anyway.

        Play-outs ask the seats that decide at the same time in their order, so only the first of them makes it anyway.
        """
        world = self._world(number)
        dealt = redeal(self.lineup, self.moment, world)
        is_first = turn.seat == self.course.game.to_act(dealt.state)[0]
        if is_first and choice(self.lineup, dealt, turn.seat, world.luck(dealt.decisions)) == turn.move:
            return before
        return play_on(self.lineup, play_move(self.lineup, dealt, turn.seat, turn.move, world), world)

    def _after_chance(self, turn: Turn, number: int, made: Margins) -> Margins:
        """Returns the margins after the actual chance; unchanged if chance is the same in this world."""
        world = self._world(number)
        dealt, after = redeal(self.lineup, self.moment, world), redeal(self.lineup, self.next, world)
        if play_move(self.lineup, dealt, turn.seat, turn.move, world).state == after.state and world.is_fresh:
            return made
        return play_on(self.lineup, after, self._world(number))

    def _played_on(self, moment: Moment, number: int) -> Margins:
        world = self._world(number)
        return play_on(self.lineup, redeal(self.lineup, moment, world), world)

    def _world(self, number: int) -> SharedLuck:
        return SharedLuck(self.course.name, number)


def _asks_chance(lineup: Lineup, turn: Turn) -> bool:
    """Returns whether chance followed a move: a draw, or an unseen card turned up."""
    asked = []

    def chance(kind: str, population: Any, count: int) -> tuple[Any, ...]:
        asked.append(kind)
        return first_of_all(kind, population, count)

    lineup.game.play(turn.before, turn.seat, turn.move, chance)
    slug = lineup.game.slug
    return bool(asked) or unseen(slug, turn.before) != unseen(slug, turn.after)


def course_of(history: TableHistory) -> Course:
    """Returns the effective moves of a finished table; raises `ValueError` before the game is over."""
    table = history.table
    if not table.laid_open:
        raise ValueError(f"{table.id} is not over: its moves are still secret")
    moves = list(filter(is_move, effective_events(history.events)))
    options = (history.at(moves[0].version - 1) if moves else table).state.options
    players = tuple([player_of(moves, seat) for seat in range(1, table.opened.players + 1)])
    return Course(table.id, table.game, options, players, tuple(_turns(history, moves)))


def player_of(moves: list[Recorded], seat: int) -> Player | None:
    """Returns the player that made all moves of a seat, if it is one of `KNOWN`."""
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
    """Returns a seat's feed, in games in which it matters."""
    return () if history.table.opened.game in FORGETS else history.feed(seat, until=version)


WORLDS = 16  # play-outs of each moment; a power of two, so that sums of means are exact

Row = Sequence[EventMargins]  # of an event, one for each world


class Stroke(msgspec.Struct, frozen=True):
    """The change in each seat's expected margin by an event: by the choice of `seat`, then by chance.

    `ruled` is the change by rulings since the previous event. Version 0 is the deal.
    """

    version: int
    seat: int | None
    ruled: Margins
    choice: Margins
    chance: Margins


class SeatLuck(msgspec.Struct, frozen=True):
    """A seat's margin: the sum of `expected`, `chance`, its `own` choices, those of `others`, and rulings (`ruled`).

    `player` is the seat's player if it is a known one. `adjusted` is the margin less all luck, including the choices
    of known players.
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
    """The luck of a finished game: the number of play-outs per moment, the seats, and the events.

    `player` and its `version` stand in for unknown players in the play-outs.
    """

    table: str
    game: str
    player: str
    version: int
    worlds: int
    seats: tuple[SeatLuck, ...]
    strokes: tuple[Stroke, ...]


def luck_by_event(course: Course, worlds: int = WORLDS) -> Iterator[Stroke | Luck]:
    """Yields the events, then the whole; the same game and number of play-outs give the same. Raises as `check`."""
    check(course)
    rows: list[Row] = []
    for number in range(len(course.turns) + 1):
        step, last = Step(course, number), rows[-1] if rows else None
        rows.append([step.told(world, last[world].after if last else None) for world in range(worlds)])
        yield stroke(course, rows, number)
    yield luck_of(course, rows)


def luck_of(course: Course, rows: Sequence[Row]) -> Luck:
    """Returns the luck of the game, given the margins of each event in each world, the deal first."""
    seats = [_seat(course, place, rows) for place in range(len(course.players))]
    strokes = [stroke(course, rows, number) for number in range(len(rows))]
    unknown = stand_in(course.game.slug)
    return Luck(course.name, course.game.slug, *unknown, len(rows[0]), tuple(seats), tuple(strokes))


def stroke(course: Course, rows: Sequence[Row], number: int) -> Stroke:
    """Returns the average change by an event; the deal is number 0."""
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
    """Returns the sums for a seat, counted from 0 here."""
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


def _sums(rows: Sequence[Row], changed: Callable[[int, EventMargins], float]) -> list[float]:
    """Returns for each world the sum of the changes by all events."""
    return [sum([changed(number, row[world]) for number, row in enumerate(rows)]) for world in range(len(rows[0]))]


def _ruled(rows: Sequence[Row], world: int, place: int) -> float:
    """Returns the change by rulings between events, for a seat in a world."""
    return sum([row[world].before[place] - last[world].after[place] for last, row in pairwise(rows)])


def _exact(values: Sequence[float]) -> Mean:
    """Returns the mean, unrounded so that sums hold, and its standard error."""
    return Mean(fmean(values), round(stdev(values) / sqrt(len(values)), DIGITS) if len(values) > 1 else 0.0)
