"""The state of a table at a version."""

from bisect import bisect_left
from collections.abc import Sequence
from functools import cached_property
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import replace

from events.envelopes import Head
from events.lifecycle import RANKED, PlayerKind, SeatOffer, TableForked, TableOpened
from events.times import millis
from games import GAMES
from games.features import Feature
from games.kernel import AnyGame
from games.ranking import ranking, ranks
from projections.clocks import Clocks, TimeTaken
from projections.disputes import Dispute, Offer


class Seat(msgspec.Struct, frozen=True, gc=False):
    """A seat and its holder: a person (`player`), an AI (`ai`), or nobody yet.

    `left_by` is the person who resigned or ran out of time; usually an AI plays on.
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
        """Whether time counts for the holder; it does not for an AI."""
        return self.ai is None


class OpenDecision(msgspec.Struct, frozen=True, gc=False):
    """An open decision of a seat, opened by the event `opened` at the time `since`; `deadline` if a clock runs.

    `mark` is the beginning of the hash of that event.
    """

    seat: int
    opened: int
    since: str
    deadline: str | None = None
    expired: bool = False
    mark: str = ""

    @property
    def recorded_id(self) -> str:
        """Its id in events and requests: `57-2` for that of seat 2 opened by event 57."""
        return f"{self.opened}-{self.seat}"

    @property
    def public_id(self) -> str:
        """Its id for clients, `57-2-1a2b3c4d`: after a restore another event may have that version."""
        return f"{self.recorded_id}-{self.mark}"


class Noted(NamedTuple):
    """A feature of a seat, and the version of its event."""

    version: int
    feature: Feature


NotedBySeat = dict[tuple[int, str], Noted]  # by seat and name of the feature


class Table(msgspec.Struct, frozen=True, dict=True):
    """A table at the version `head.version`.

    - `at` is the time of the last event and never runs backwards. Deadlines count from `counted_from`, which is earlier
      if a machine's clock ran ahead.
    - `options` are the house rules in force; `state` is the game's, None before it begins.
    - `over` says whether the game has ended in any way. `ended` is the version of the event that gave it a result,
      `ended_at` its time. `closed` says why the stream ended.
    - `active_at` is the time of the last event other than offers and comments, as deadlines count.
    - `clocks` are in seat order; `answers` are the times taken for decisions, undone ones included.
    - `moves` counts moves, undone ones included; `undone` how often play went back; `retried` says whether a person
      alone with AI seats took a move back.
    - `transcribed` says whether the table comes from a text, which proves nothing; `called` are the names in that text.
    - `noted` are features for statistics, by seat and name, without what was undone.
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
    offer: Offer | None = None
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
    active_at: str = ""
    transcribed: bool = False
    called: tuple[str | None, ...] = ()

    @property
    def game(self) -> AnyGame:
        """The game's rules."""
        return GAMES[self.opened.game]

    @property
    def fork(self) -> TableForked | None:
        """The origin of the table if it is a branch of another."""
        return self.opened if isinstance(self.opened, TableForked) else None

    @property
    def luck_source(self) -> tuple[str, tuple[str | None, ...]]:
        """The seed and the contributions of the luck: a branch may go on with its parent's."""
        if self.fork and self.fork.parent_seed is not None:
            return self.fork.parent_seed, self.fork.contributions
        return str(self.opened.seed), tuple([seat.contribution for seat in self.seats])

    @cached_property
    def census(self) -> Any:
        """All pieces of the running game, which never change."""
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
        """Whether its result counts for features, and for standings if the table is public.

        A branch does not count, as its players know how it went before; nor does a lesson, a game in which a person
        alone with AI seats took a move back, or one with an overturned dispute.
        """
        return not (self.fork or self.opened.lesson or self.retried or self.corrected or self.transcribed)

    @property
    def in_standings(self) -> bool:
        """Whether its result counts in the standings: a private table's would reveal it to strangers."""
        return self.counted and self.opened.visibility == "public"

    @property
    def rated(self) -> bool:
        """Whether its result counts in ratings: it counts in the standings, and the table is not casual."""
        return self.in_standings and not self.casual

    @property
    def casual(self) -> bool:
        """Whether the table was opened as casual, or AI alone sit with a person, though others could have."""
        opened = self.opened
        return not opened.rated or (self.against_ai and not against_ai(opened.seats, opened.opened_by))

    @cached_property
    def against_ai(self) -> bool:
        """Whether every seat is taken, and only one was ever played by a person."""
        persons = 0
        for seat in self.seats:
            if seat.player or seat.left_by:
                persons += 1
            elif seat.ai is None:
                return False
        return persons == 1

    @property
    def scores(self) -> Any:
        """The scores as they stand, with no winners unless the game has a result; None before it begins.

        After a resignation or a draw, the seats that were not given up come first, whatever their points.
        """
        if self.state is None:
            return None
        scores = self.game.scores(self.state)
        if self.closed not in RANKED:
            return scores if self.ended else replace(scores, winners=())
        rank_of = ranks({seat.seat: seat.left_by is None for seat in self.seats})
        order = ranking(rank_of)
        rows = tuple([replace(row, rank=rank_of[row.seat]) for row in scores.scores])
        winners = order[0].seats if self.closed == "resigned" else ()
        return replace(scores, scores=rows, ranking=order, winners=winners)

    @property
    def corrected(self) -> bool:
        """Whether a ruling was overturned, and play went on from a corrected state."""
        return any(dispute.outcome == "overturned" for dispute in self.disputes)

    @property
    def laid_open(self) -> bool:
        """Whether nothing is secret: the game is over, or comes from a text."""
        return self.over or self.transcribed

    @property
    def counted_ms(self) -> int:
        """The time from which deadlines count, as Unix time."""
        return millis(self.counted_from)

    @property
    def increment_ms(self) -> int:
        """What a bank gains with each decision."""
        return self.opened.clock.increment_ms if self.opened.clock else 0

    @property
    def answer_ms(self) -> int:
        """How long a dispute waits for its verdict."""
        return self.opened.disputes.answer_s * 1000 if self.opened.disputes else 0

    def answer_at(self, version: int) -> TimeTaken | None:
        """Returns how long a person took for the decision answered by the batch with this last version."""
        place = bisect_left(self.answers, TimeTaken(version, 0, 0))
        found = self.answers[place] if place < len(self.answers) else None
        return found if found and found.version == version else None

    def seat_of(self, player: str | None) -> int | None:
        """Returns the seat that a person holds here."""
        for seat in self.seats if player is not None else ():
            if seat.player == player:
                return seat.seat
        return None

    def decision_of(self, seat: int) -> OpenDecision | None:
        """Returns the open decision of a seat."""
        for decision in self.decisions:
            if decision.seat == seat:
                return decision
        return None


def against_ai(seats: Sequence[SeatOffer], opener: str) -> bool:
    """Whether a table is opened for its opener against AI alone."""
    others = [offer for offer in seats if offer.player != opener]
    return len(others) == len(seats) - 1 and all(offer.kind == "ai" for offer in others)
