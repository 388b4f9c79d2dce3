"""A table at a version: the fold of its events.

It is long because what each of a table's own events does to it stands here, one small function an event and their list.
"""

from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from itertools import chain, repeat
from typing import Any, NamedTuple

import msgspec

from events.lifecycle import (
    TYPES,
    ArbiterLooked,
    ClockExpired,
    DeadlineExtended,
    DisputeCommented,
    DisputeOpened,
    DisputeResolved,
    DisputeVoted,
    PlayContinued,
    PlayerKind,
    PlayTakenBack,
    SeatHandedOver,
    SeatLeft,
    SeatTaken,
    SeedRevealed,
    TableClosed,
    TableForked,
    TableOpened,
    TakebackAnswered,
    TakebackAsked,
    Text,
)
from events.ranges import RatingRange
from events.recorded import Envelope, Head, Recorded
from events.times import millis, stamp
from games import GAMES
from games.features import Feature
from games.kernel import AnyGame
from games.schemas import kept_state
from projections import clocks, disputes
from projections.clocks import Clocks, SeatClock, TimeTaken
from projections.disputes import Dispute, Takeback
from projections.recording import event_of, lifecycle_of

replace = msgspec.structs.replace


class Seat(msgspec.Struct, frozen=True, gc=False):
    """A place at the table and who holds it: a person (`player`), an AI (`ai`), or nobody yet.

    `left_by` is the person whose time was over and for whom an AI plays on.
    """

    seat: int
    player: str | None = None
    name: Text | None = None
    bot: bool = False
    ai: PlayerKind | None = None
    contribution: str | None = None
    left_by: str | None = None

    @property
    def taken(self) -> bool:
        """Whether somebody sits there."""
        return self.player is not None or self.ai is not None


class Decision(msgspec.Struct, frozen=True, gc=False):
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
    def id(self) -> str:
        """Its name in the record, the same until it is taken: `57-2` for seat 2's that event 57 opened."""
        return f"{self.opened}-{self.seat}"

    @property
    def name(self) -> str:
        """Its name for clients, `57-2-1a2b3c4d`: after the store went back, another event may have that version."""
        return f"{self.id}-{self.mark}"


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
    `retried` whether somebody who was alone with AI seats has taken a move back; `transcribed` whether a text tells the
    table, which no record proves; `noted` what statistics will tell of the game, by seat and name, without
    what was undone.
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
    decisions: tuple[Decision, ...] = ()
    draws: dict[str, int] = {}
    disputes: tuple[Dispute, ...] = ()
    takeback: Takeback | None = None
    clocks: Clocks = ()
    answers: tuple[TimeTaken, ...] = ()
    retried: bool = False
    over: bool = False
    moves: int = 0
    ended: int | None = None
    ended_at: str | None = None
    noted: NotedBySeat = {}
    closed: str | None = None
    transcribed: bool = False

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
        return str(self.opened.seed), tuple(seat.contribution for seat in self.seats)

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
        """Whether its result counts in the standings.

        That of a branch does not, as who plays it knows what came of it the first time; nor that of a lesson, or of a
        game in which somebody alone with AI seats took a move back, perhaps after their answer, or a dispute was
        overturned.
        """
        return not (self.fork or self.lesson or self.retried or self.corrected or self.transcribed)

    @property
    def rated(self) -> bool:
        """Whether its result counts in ratings: it is public, counts in the standings, and was not opened as casual."""
        return self.counted and self.opened.visibility == "public" and self.opened.rated is not False

    @property
    def aids(self) -> bool:
        """Whether a seat is told what it may believe of hidden cards while the game runs."""
        return self.opened.aids is True

    @property
    def ratings(self) -> RatingRange | None:
        """Between which ratings somebody may be who takes an open seat; None: whatever they are."""
        return self.opened.ratings or None

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

    def answer_at(self, version: int) -> TimeTaken | None:
        """How long a person took for the decision that the batch with this last version answered."""
        behind = bisect_right(self.answers, version, key=lambda answer: answer.version)
        return self.answers[behind - 1] if behind and self.answers[behind - 1].version == version else None

    @property
    def lesson(self) -> bool:
        """Whether it is a lesson: a prepared deal, whose seed anybody may know."""
        return self.opened.lesson is True

    def seat_of(self, player: str | None) -> int | None:
        """The seat that a person holds here."""
        return next((seat.seat for seat in self.seats if player is not None and seat.player == player), None)

    def is_due(self, player: str) -> bool:
        """Whether something waits for the player to decide it."""
        return any(self.seats[decision.seat - 1].player == player for decision in self.decisions)

    def decision_of(self, seat: int) -> Decision | None:
        """What the seat has to decide now."""
        return next((decision for decision in self.decisions if decision.seat == seat), None)


def fold(table: Table | None, events: Iterable[Recorded], states: Iterable[Any] = ()) -> Table | None:
    """The table after further events; events have to follow on each other.

    `states` are those of the game after each event, as far as they are known: a state that is known is not worked out.
    """
    play = _Play(table) if table else None
    for event, state in zip(events, chain(states, repeat(None)), strict=False):
        envelope = event.envelope
        if play is None:
            play = _Play(_opened(event))
        elif envelope.type in TYPES:
            play = _Play(_own(play.table(), event))
        else:
            play.write(event, state)
        if envelope.version == envelope.batch[1]:
            play.settle(envelope.by.get("seat"))
    return play.table() if play else None


def _opened(event: Recorded) -> Table:
    opened = lifecycle_of(event)
    if not isinstance(opened, TableOpened):
        raise TypeError(f"no table begins with {event.envelope.type}")
    envelope, seats = event.envelope, tuple(Seat(number) for number in range(1, opened.players + 1))
    at, head = envelope.at, Head(envelope.version, event.hash)
    table = Table(envelope.table, head, at, envelope.counted_from, at, opened, opened.options, seats)
    draws = more(table.fork.draws if table.fork else {}, envelope.draws)
    return replace(table, clocks=unused(opened), draws=draws)


def unused(opened: TableOpened) -> Clocks:
    """The clocks of a table at which nobody has used any time."""
    return (SeatClock(bank_ms=opened.clock.bank_ms if opened.clock else None),) * opened.players


def _own(table: Table, event: Recorded) -> Table:
    """The table after an event of its own."""
    envelope = event.envelope
    moved_on = replace(
        table,
        head=Head(envelope.version, event.hash),
        at=envelope.at,
        counted_from=envelope.counted_from,
        moves=table.moves + _is_move(envelope),
    )
    changed = _LIFECYCLE[envelope.type](moved_on, lifecycle_of(event))
    return replace(changed, draws=more(changed.draws, envelope.draws)) if envelope.draws else changed


def _is_move(envelope: Envelope) -> bool:
    """Whether an event is the first that a move has led to."""
    return envelope.version == envelope.batch[0] and envelope.by.get("kind") == "seat"


def _with_seat(table: Table, seat: int, **changes: Any) -> Table:
    return replace(table, seats=tuple(replace(s, **changes) if s.seat == seat else s for s in table.seats))


def _taken(table: Table, event: SeatTaken) -> Table:
    changes = {name: getattr(event, name) for name in ("player", "name", "bot", "ai", "contribution")}
    return _with_seat(table, event.seat, **changes)


def _left(table: Table, event: SeatLeft) -> Table:
    return replace(table, seats=tuple(Seat(s.seat) if s.seat == event.seat else s for s in table.seats))


def _continued(table: Table, _: PlayContinued) -> Table:
    return replace(table, state=kept_state(table.game, (table.fork.state if table.fork else None) or {}))


def _with_decision(table: Table, seat: int, **changes: Any) -> Table:
    decisions = tuple(replace(d, **changes) if d.seat == seat else d for d in table.decisions)
    return replace(table, decisions=decisions)


def _expired(table: Table, event: ClockExpired) -> Table:
    return _with_decision(table, event.seat, expired=True)


def _extended(table: Table, event: DeadlineExtended) -> Table:
    clock = clocks.granted(table.clocks[event.seat - 1], table.counted_ms, millis(event.deadline))
    table = replace(table, clocks=clocks.changed(table.clocks, {event.seat: clock}))
    return _with_decision(table, event.seat, deadline=event.deadline, expired=False)


def _handed_over(table: Table, event: SeatHandedOver) -> Table:
    table = _stand_still(table, (event.seat,), clocks.closed)
    table = _with_decision(table, event.seat, deadline=None, expired=False)
    left_by = event.player or table.seats[event.seat - 1].left_by
    return _with_seat(table, event.seat, player=None, name=None, bot=False, ai=event.ai, left_by=left_by)


def _disputed(table: Table, event: DisputeOpened) -> Table:
    """Clocks stand still from here on if play is paused."""
    table = replace(table, disputes=disputes.opened(table.disputes, event, table.at, table.head.mark))
    return _stand_still(table, _waiting(table, table.decisions), clocks.stopped) if table.paused else table


def _commented(table: Table, event: DisputeCommented) -> Table:
    return replace(table, disputes=disputes.commented(table.disputes, event, table.at))


def _looked(table: Table, event: ArbiterLooked) -> Table:
    return replace(table, disputes=disputes.looked(table.disputes, event, table.at))


def _voted(table: Table, event: DisputeVoted) -> Table:
    return replace(table, disputes=disputes.voted(table.disputes, event))


def _resolved(table: Table, event: DisputeResolved) -> Table:
    """Clocks that stood still while play was paused run again: a bank goes on, and a decision has its whole time.

    One that had run out gets no more of it.
    """
    paused = table.paused
    table = replace(table, disputes=disputes.resolved(table.disputes, event, table.version))
    if not paused or table.paused:
        return table
    again = tuple(d if d.expired else replace(d, deadline=_anew(table, d.seat)) for d in table.decisions)
    return replace(table, decisions=again, clocks=_run(table, _waiting(table, table.decisions)))


def _anew(table: Table, seat: int) -> str | None:
    return _deadline(table, seat, table.clocks[seat - 1], table.counted_from)


def _taken_back(table: Table, event: PlayTakenBack) -> Table:
    """Play is as it was at an earlier version; every decision opens again, under a new id.

    Time used stays used; the increments of what was undone are gone.
    """
    table = _stand_still(table, _waiting(table, table.decisions), clocks.closed)
    increment_ms = table.increment_ms
    earned = tuple(
        clocks.undone(clock, event.to, (table.version,) * event.again.count(seat), increment_ms)
        for seat, clock in enumerate(table.clocks, 1)
    )
    state = kept_state(table.game, event.state or {})
    options = table.options | event.options
    alone = sum(seat.player is not None for seat in table.seats) == 1
    retried = table.retried or (alone and event.reason == "takeback")
    noted = {of: one for of, one in table.noted.items() if one.version <= event.to}
    table = replace(table, state=state, options=options, draws=event.draws, clocks=earned, noted=noted)
    return replace(table, decisions=(), takeback=None, retried=retried)


def _takeback_asked(table: Table, event: TakebackAsked) -> Table:
    return replace(table, takeback=disputes.asked(event, table.head.mark))


def _takeback_answered(table: Table, event: TakebackAnswered) -> Table:
    return replace(table, takeback=disputes.answered(table.takeback, event))


def _revealed(table: Table, _: SeedRevealed) -> Table:
    return table


def _closed(table: Table, event: TableClosed) -> Table:
    return replace(table, closed=event.reason)


_LIFECYCLE: dict[str, Callable[[Table, Any], Table]] = {
    "SeatTaken": _taken,
    "SeatLeft": _left,
    "PlayContinued": _continued,
    "ClockExpired": _expired,
    "DeadlineExtended": _extended,
    "SeatHandedOver": _handed_over,
    "DisputeOpened": _disputed,
    "DisputeCommented": _commented,
    "ArbiterLooked": _looked,
    "DisputeVoted": _voted,
    "DisputeResolved": _resolved,
    "PlayTakenBack": _taken_back,
    "TakebackAsked": _takeback_asked,
    "TakebackAnswered": _takeback_answered,
    "SeedRevealed": _revealed,
    "TableClosed": _closed,
}


def more(counts: dict[str, int], drawn: dict[str, int]) -> dict[str, int]:
    """The counts of draws by kind, with further ones."""
    return counts | {kind: counts.get(kind, 0) + number for kind, number in drawn.items()}


def settle(table: Table, mover: int | None) -> Table:
    """The table at the end of a batch that a seat has caused, or nobody, with the decisions that are open."""
    play = _Play(table)
    play.settle(mover)
    return play.table()


class _Play:
    """A table while its game goes on. Replay is mostly this, so it changes in place: a `table` is made of it once."""

    def __init__(self, table: Table) -> None:
        self._before, self._game, self._paused = table, table.game, table.paused
        self._version, self._hash = table.head.version, table.head.hash
        self._at, self._counted_from = table.at, table.counted_from
        self._state, self._moves, self._noted, self._draws = table.state, table.moves, table.noted, table.draws
        self._decisions, self._takeback = table.decisions, table.takeback
        self._clocks, self._answers = list(table.clocks), list(table.answers)
        self._ended: dict[str, Any] = {}

    def write(self, event: Recorded, state: Any) -> None:
        """An event of the game has happened; `state` is that after it, where it is known."""
        envelope, game = event.envelope, self._game
        self._version, self._hash = envelope.version, event.hash
        self._at, self._counted_from = envelope.at, envelope.counted_from
        self._state = game.evolve(self._state, event_of(game, event, self._state)) if state is None else state
        self._moves += _is_move(envelope)
        if envelope.draws:
            self._draws = more(self._draws, envelope.draws)
        if tell := game.features.get(envelope.type):
            self._noted = _noting(self._noted, envelope.version, tell(event.payload))
        if envelope.type == "GameEnded":
            self._ended = {"over": True, "ended": envelope.version, "ended_at": envelope.at}

    def settle(self, mover: int | None) -> None:
        """The decisions open at the end of a batch: a seat's stays the same until the seat itself has answered it.

        The clock of a decision that is not open any more stands still; that of a new one runs.
        """
        if self._state is None:
            return
        acting, before = self._game.to_act(self._state), self._decisions
        self._close(mover, acting)
        kept = {decision.seat: self._reckoned(decision) for decision in self._decisions if decision.seat != mover}
        self._decisions = tuple([kept.get(seat) or self._opened(seat) for seat in acting])
        if not self._paused:
            self._run(decision for decision in self._decisions if decision not in before)
        self._takeback = None if mover else self._takeback

    def _is_clocked(self, seat: int) -> bool:
        """Whether a person sits there; the time of AI players is nobody's."""
        return self._before.seats[seat - 1].ai is None

    def _close(self, mover: int | None, acting: Sequence[int]) -> None:
        """Whoever has decided, or need not any more, uses no more time."""
        for seat in [decision.seat for decision in self._decisions]:
            if (seat == mover or seat not in acting) and self._is_clocked(seat):
                before = self._clocks[seat - 1]
                self._clocks[seat - 1] = clocks.closed(before, millis(self._counted_from))
                if seat == mover:
                    self._answer(seat, before)

    def _answer(self, seat: int, before: SeatClock) -> None:
        """Whoever has decided gains the increment; it is noted how long that took."""
        clock = self._clocks[seat - 1]
        self._answers.append(TimeTaken(self._version, seat, clock.used_ms - before.used_ms))
        self._clocks[seat - 1] = clocks.earned(clock, self._version, self._before.increment_ms)

    def _run(self, begun: Iterable[Decision]) -> None:
        """The clocks of decisions that are open from now on run.

        Not of all that are dated now: one that was open before a clock ran ahead, and had its deadline moved meanwhile,
        would lose that when the clock is right again.
        """
        for decision in begun:
            if self._is_clocked(decision.seat):
                place = decision.seat - 1
                self._clocks[place] = clocks.started(self._clocks[place], millis(self._counted_from))

    def _reckoned(self, decision: Decision) -> Decision:
        """A decision that stays open; one that a fast clock dated in the future counts as opened now."""
        if decision.expired or self._counted_from == self._at or decision.since <= self._counted_from:
            return decision
        return replace(decision, since=self._counted_from, deadline=decision.deadline and self._deadline(decision.seat))

    def _opened(self, seat: int) -> Decision:
        mark = Head(self._version, self._hash).mark
        return Decision(seat, self._version, self._counted_from, self._deadline(seat), mark=mark)

    def _deadline(self, seat: int) -> str | None:
        return _deadline(self._before, seat, self._clocks[seat - 1], self._counted_from)

    def table(self) -> Table:
        """The table as it stands now."""
        return replace(
            self._before,
            head=Head(self._version, self._hash),
            at=self._at,
            counted_from=self._counted_from,
            state=self._state,
            decisions=self._decisions,
            draws=self._draws,
            takeback=self._takeback,
            clocks=tuple(self._clocks),
            answers=tuple(self._answers),
            moves=self._moves,
            noted=self._noted,
            **self._ended,
        )


def _noting(known: NotedBySeat, version: int, features: Iterable[Feature]) -> NotedBySeat:
    """With what an event tells of seats and nothing before told: the first counts."""
    told: NotedBySeat = {}
    for one in features:
        key = one.seat, one.name
        if key not in known:
            told.setdefault(key, Noted(version, one))
    return known | told if told else known


def _waiting(table: Table, decisions: Iterable[Decision]) -> list[int]:
    """The seats of people who have to decide these; the time of AI players is nobody's."""
    return [decision.seat for decision in decisions if table.seats[decision.seat - 1].ai is None]


def _stand_still(table: Table, seats: Iterable[int], how: Callable[[SeatClock, int], SeatClock]) -> Table:
    now_ms = table.counted_ms
    news = {seat: how(table.clocks[seat - 1], now_ms) for seat in seats}
    return replace(table, clocks=clocks.changed(table.clocks, news))


def _run(table: Table, seats: Iterable[int]) -> Clocks:
    """The clocks with those of the seats running from now on, unless play is paused."""
    if table.paused:
        return table.clocks
    now_ms = table.counted_ms
    return clocks.changed(table.clocks, {seat: clocks.started(table.clocks[seat - 1], now_ms) for seat in seats})


def _deadline(table: Table, seat: int, clock: SeatClock, counted_from: str) -> str | None:
    """The deadline of a decision whose clock runs from then on; an AI player and a table without a clock have none."""
    rules = table.opened.clock
    if rules is None or table.transcribed or table.seats[seat - 1].ai is not None:
        return None
    return stamp(millis(counted_from) + (rules.whole_s * 1000 if clock.bank_ms is None else clock.bank_ms))
