"""What the events of a finished game changed, in one world after another.

In each world the game is played on from before an event, from after the choice that it holds, and from after what
chance made of that. What a world makes of the last event is where the next one begins, so that nothing is played twice.
"""

from typing import Any, NamedTuple

from games.kernel import AnyGame, first_of_all
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
