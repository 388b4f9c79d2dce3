"""A table at a version: everything that is known about it."""

from bisect import bisect_left
from functools import cached_property
from typing import Any, NamedTuple

import msgspec

from events.lifecycle import PlayerKind, TableForked, TableOpened
from events.recorded import Head
from events.times import millis
from games import GAMES
from games.features import Feature
from games.kernel import AnyGame
from projections.clocks import Clocks, TimeTaken
from projections.disputes import Dispute, Takeback


class Seat(msgspec.Struct, frozen=True, gc=False):
    """A place at the table and who holds it: a person (`player`), an AI (`ai`), or nobody yet.

    `left_by` is the person whose time was over and for whom an AI plays on.
    """

    seat: int
    player: str | None = None
    bot: bool = False
    ai: PlayerKind | None = None
    contribution: str | None = None
    left_by: str | None = None

    @property
    def taken(self) -> bool:
        """Whether somebody sits there."""
        return self.player is not None or self.ai is not None

    @property
    def is_clocked(self) -> bool:
        """Whether time counts for whoever sits there; that of AI players is nobody's."""
        return self.ai is None


class OpenDecision(msgspec.Struct, frozen=True, gc=False):
    """What a seat has to decide, opened by the event `opened` at the time `since`; `deadline` if a clock runs.

    `mark` is how the hash of that event begins.
    """

    seat: int
    opened: int
    since: str
    deadline: str | None = None
    expired: bool = False
    mark: str = ""

    @property
    def recorded_id(self) -> str:
        """What events and requests call it, until it is taken: `57-2` for seat 2's that event 57 opened."""
        return f"{self.opened}-{self.seat}"

    @property
    def public_id(self) -> str:
        """What clients call it, `57-2-1a2b3c4d`: after the store went back, another event may have that version."""
        return f"{self.recorded_id}-{self.mark}"


class Noted(NamedTuple):
    """A feature of a seat, and the version that told it."""

    version: int
    feature: Feature


NotedBySeat = dict[tuple[int, str], Noted]  # by the seat and the name of the feature


class Table(msgspec.Struct, frozen=True, dict=True):
    """Everything about a table at the version `head.version`.

    `at` is the table's time, which never runs backwards; `counted_from` the time from which deadlines count: earlier if
    the clock of a machine had run ahead. `state` is the game's, None before it begins; `ended` the version of
    `GameEnded`, `ended_at` its time; `closed` why the stream ended; `options` the house rules in force; `takeback` a
    move that a seat asks to take back; `moves` how many were made, those that were undone as well; `clocks` those of
    the seats, in seat order; `answers` how long people took for each decision so far, those that were undone as well;
    `undone` how often play went back; `retried` whether somebody who was alone with AI seats has taken a move back;
    `transcribed` whether a text tells the table, which no record proves, and `called` the names that such a text
    gives to the seats; `noted` what statistics will tell of the game,
    by seat and name, without what was undone.
    """

    id: str
    head: Head
    at: str
    counted_from: str
    opened_at: str
    opened: TableOpened
    options: dict[str, Any]
    seats: tuple[Seat, ...]
    state: Any = None
    decisions: tuple[OpenDecision, ...] = ()
    draws: dict[str, int] = {}
    disputes: tuple[Dispute, ...] = ()
    takeback: Takeback | None = None
    clocks: Clocks = ()
    answers: tuple[TimeTaken, ...] = ()
    undone: int = 0
    retried: bool = False
    over: bool = False
    moves: int = 0
    ended: int | None = None
    ended_at: str | None = None
    noted: NotedBySeat = {}
    closed: str | None = None
    transcribed: bool = False
    called: tuple[str | None, ...] = ()

    @property
    def game(self) -> AnyGame:
        """The rules that the table plays by."""
        return GAMES[self.opened.game]

    @property
    def fork(self) -> TableForked | None:
        """Where the table comes from, if it is a branch of another."""
        return self.opened if isinstance(self.opened, TableForked) else None

    @property
    def luck_source(self) -> tuple[str, tuple[str | None, ...]]:
        """The seed and the contributions that luck is drawn from: a branch may go on drawing from its parent's."""
        if self.fork and self.fork.parent_seed is not None:
            return self.fork.parent_seed, self.fork.contributions
        return str(self.opened.seed), tuple([seat.contribution for seat in self.seats])

    @cached_property
    def census(self) -> Any:
        """Every piece of the running game: the same at every moment."""
        return self.game.census(self.state)

    @property
    def version(self) -> int:
        """The number of the table's events."""
        return self.head.version

    @property
    def status(self) -> str:
        """`open` before the game begins, `running`, or `finished`."""
        if self.closed or self.over:
            return "finished"
        return "open" if self.state is None else "running"

    @property
    def disputed(self) -> bool:
        """Whether a dispute is open."""
        return any(dispute.outcome is None for dispute in self.disputes)

    @property
    def paused(self) -> bool:
        """Whether play is paused because a dispute is open."""
        rules = self.opened.disputes
        return bool(self.disputes) and rules is not None and rules.play == "pauses" and self.disputed

    @property
    def counted(self) -> bool:
        """Whether its result counts, in standings and for features: in standings where the table is public.

        That of a branch does not, as who plays it knows what came of it the first time; nor that of a lesson, or of a
        game in which somebody alone with AI seats took a move back, perhaps after their answer, or a dispute was
        overturned.
        """
        return not (self.fork or self.opened.lesson or self.retried or self.corrected or self.transcribed)

    @property
    def in_standings(self) -> bool:
        """Whether its result counts in the standings: that of a private table would tell strangers of it."""
        return self.counted and self.opened.visibility == "public"

    @property
    def rated(self) -> bool:
        """Whether its result counts in ratings: it is public, counts in the standings, and was not opened as casual."""
        return self.in_standings and self.opened.rated

    @property
    def corrected(self) -> bool:
        """Whether a dispute was overturned, and play went on from a corrected state."""
        return any(dispute.outcome == "overturned" for dispute in self.disputes)

    @property
    def laid_open(self) -> bool:
        """Whether nothing is secret: when the game is over, and wherever a text tells all of it."""
        return self.over or self.transcribed

    @property
    def counted_ms(self) -> int:
        """The time that deadlines count from, as Unix time."""
        return millis(self.counted_from)

    @property
    def increment_ms(self) -> int:
        """What a bank gains with each decision that is taken."""
        return self.opened.clock.increment_ms if self.opened.clock else 0

    @property
    def answer_ms(self) -> int:
        """How long a dispute waits for its verdict."""
        return self.opened.disputes.answer_s * 1000 if self.opened.disputes else 0

    def answer_at(self, version: int) -> TimeTaken | None:
        """How long a person took for the decision that the batch with this last version answered."""
        place = bisect_left(self.answers, TimeTaken(version, 0, 0))
        found = self.answers[place] if place < len(self.answers) else None
        return found if found and found.version == version else None

    def seat_of(self, player: str | None) -> int | None:
        """The seat that a person holds here."""
        for seat in self.seats if player is not None else ():
            if seat.player == player:
                return seat.seat
        return None

    def decision_of(self, seat: int) -> OpenDecision | None:
        """What the seat has to decide now."""
        for decision in self.decisions:
            if decision.seat == seat:
                return decision
        return None
