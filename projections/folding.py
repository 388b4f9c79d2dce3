"""The fold: a table from its events, with the decisions that are open after each batch.

First the effect of each lifecycle event; then the fold of game events; then the verified folds, which name the first
event that does not fit.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, repeat
from typing import Any

import msgspec
from msgspec.structs import replace

from events.envelopes import Envelope, Head, Recorded
from events.lifecycle import (
    RANKED,
    TYPES,
    DeadlineExtended,
    DisputeOpened,
    DisputeResolved,
    PlayContinued,
    PlayTakenBack,
    SeatHandedOver,
    SeatLeft,
    SeatResigned,
    SeatTaken,
    TableClosed,
    TableOpened,
)
from events.log import LogDamaged
from events.times import millis, stamp
from games.features import Feature
from projections import clocks, disputes
from projections.clocks import Clocks, SeatClock, TimeTaken
from projections.event_conversion import UnknownSchema, event_of, lifecycle_of
from projections.table import Noted, NotedBySeat, OpenDecision, Seat, Table


def deadline_of(table: Table, seat: int, clock: SeatClock, counted_from: str) -> str | None:
    """Returns the deadline of a decision whose clock starts then; None for an AI player or a table without a clock."""
    rules = table.opened.clock
    if rules is None or table.transcribed or not table.seats[seat - 1].is_clocked:
        return None
    return stamp(millis(counted_from) + (rules.whole_s * 1000 if clock.bank_ms is None else clock.bank_ms))


def _with_seat(table: Table, seat: int, **changes: Any) -> Table:
    return replace(table, seats=tuple(replace(s, **changes) if s.seat == seat else s for s in table.seats))


def _taken(table: Table, event: SeatTaken) -> Table:
    changes = {name: getattr(event, name) for name in ("player", "bot", "ai", "contribution")}
    return _with_seat(table, event.seat, **changes)


def _left(table: Table, event: SeatLeft) -> Table:
    return replace(table, seats=tuple(Seat(s.seat) if s.seat == event.seat else s for s in table.seats))


def _continued(table: Table, _: PlayContinued) -> Table:
    state = (table.fork.state if table.fork else None) or {}
    return replace(table, state=msgspec.convert(state, table.game.state_type))


def _with_decision(table: Table, seat: int, **changes: Any) -> Table:
    decisions = tuple(replace(d, **changes) if d.seat == seat else d for d in table.decisions)
    return replace(table, decisions=decisions)


def _extended(table: Table, event: DeadlineExtended) -> Table:
    clock = clocks.granted(table.clocks[event.seat - 1], table.counted_ms, millis(event.deadline))
    table = replace(table, clocks=clocks.changed(table.clocks, {event.seat: clock}))
    return _with_decision(table, event.seat, deadline=event.deadline, expired=False)


def _resigned(table: Table, event: SeatResigned) -> Table:
    """Where one seat is left, the person keeps the lost seat."""
    if event.ai is None:
        return _with_seat(table, event.seat, left_by=event.player)
    return _handed_over(table, event)


def _handed_over(table: Table, event: SeatHandedOver | SeatResigned) -> Table:
    table = _with_clocks(table, (event.seat,), clocks.closed)
    table = _with_decision(table, event.seat, deadline=None, expired=False)
    left_by = event.player or table.seats[event.seat - 1].left_by
    return replace(_with_seat(table, event.seat, player=None, bot=False, ai=event.ai, left_by=left_by), offer=None)


def _disputed(table: Table, event: DisputeOpened) -> Table:
    """Stops the clocks if the dispute pauses play."""
    table = replace(table, disputes=disputes.opened(table.disputes, event, table.at, table.head.mark))
    return _with_clocks(table, _clocked(table), clocks.stopped) if table.paused else table


def _resolved(table: Table, event: DisputeResolved) -> Table:
    """Starts the clocks again if play was paused: a bank goes on, and a decision has its whole time.

    An expired decision gets no more time.
    """
    paused = table.paused
    table = replace(table, disputes=disputes.resolved(table.disputes, event, table.version))
    if not paused or table.paused:
        return table
    again = tuple(
        d
        if d.expired
        else replace(d, deadline=deadline_of(table, d.seat, table.clocks[d.seat - 1], table.counted_from))
        for d in table.decisions
    )
    return replace(table, decisions=again, clocks=_run(table, _clocked(table)))


def _taken_back(table: Table, event: PlayTakenBack) -> Table:
    """Goes back to an earlier version; every decision opens again, under a new id.

    Used time stays used; the increments of undone decisions are gone.
    """
    table = _with_clocks(table, _clocked(table), clocks.closed)
    increment_ms = table.increment_ms
    earned = tuple(
        clocks.undone(clock, event.to, (table.version,) * event.again.count(seat), increment_ms)
        for seat, clock in enumerate(table.clocks, 1)
    )
    state = msgspec.convert(event.state or {}, table.game.state_type)
    options = table.options | event.options
    alone = sum(seat.player is not None for seat in table.seats) == 1
    retried = table.retried or (alone and event.reason == "takeback")
    noted = {of: one for of, one in table.noted.items() if one.version <= event.to}
    table = replace(table, state=state, options=options, draws=event.draws, clocks=earned, noted=noted)
    return replace(table, decisions=(), offer=None, retried=retried, undone=table.undone + 1)


def _closed(table: Table, event: TableClosed) -> Table:
    """Ends a game that has begun, unless its text ends first."""
    result = {"ended": table.version, "ended_at": table.at} if event.reason in RANKED else {}
    over = table.state is not None and event.reason != "end_of_text"
    return replace(table, closed=event.reason, over=table.over or over, offer=None, **result)


AFTER: dict[str, Callable[[Table, Any], Table]] = {
    "SeatTaken": _taken,
    "SeatLeft": _left,
    "PlayContinued": _continued,
    "ClockExpired": lambda table, event: _with_decision(table, event.seat, expired=True),
    "DeadlineExtended": _extended,
    "SeatHandedOver": _handed_over,
    "SeatResigned": _resigned,
    "DisputeOpened": _disputed,
    "DisputeCommented": lambda table, event: replace(
        table, disputes=disputes.commented(table.disputes, event, table.at)
    ),
    "ArbiterLooked": lambda table, event: replace(table, disputes=disputes.looked(table.disputes, event, table.at)),
    "DisputeVoted": lambda table, event: replace(table, disputes=disputes.voted(table.disputes, event)),
    "DisputeResolved": _resolved,
    "PlayTakenBack": _taken_back,
    "RulingCorrected": lambda table, _: table,
    "OfferMade": lambda table, event: replace(table, offer=disputes.offered(event, table.head.mark)),
    "OfferAnswered": lambda table, event: replace(table, offer=disputes.answered(table.offer, event)),
    "SeedRevealed": lambda table, _: table,
    "TableClosed": _closed,
}


def _clocked(table: Table) -> list[int]:
    """Returns the seats that have to decide and whose time counts."""
    return [decision.seat for decision in table.decisions if table.seats[decision.seat - 1].is_clocked]


def _with_clocks(table: Table, seats: Iterable[int], how: Callable[[SeatClock, int], SeatClock]) -> Table:
    now_ms = table.counted_ms
    news = {seat: how(table.clocks[seat - 1], now_ms) for seat in seats}
    return replace(table, clocks=clocks.changed(table.clocks, news))


def _run(table: Table, seats: Iterable[int]) -> Clocks:
    """Returns the clocks with those of the seats started, unless play is paused."""
    if table.paused:
        return table.clocks
    now_ms = table.counted_ms
    return clocks.changed(table.clocks, {seat: clocks.started(table.clocks[seat - 1], now_ms) for seat in seats})


def fold(table: Table | None, events: Iterable[Recorded], states: Iterable[Any] = ()) -> Table | None:
    """Returns the table after further consecutive events.

    `states` are the game's states after each event, as far as they are known already; others are computed.
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
        raise TypeError(f"a table cannot begin with {event.envelope.type}")
    envelope, seats = event.envelope, tuple(Seat(number) for number in range(1, opened.players + 1))
    at, head = envelope.at, Head(envelope.version, event.hash)
    table = Table(envelope.table, head, at, envelope.counted_from, at, opened, opened.options, seats, active_at=at)
    draws = more(table.fork.draws if table.fork else {}, envelope.draws)
    return replace(table, clocks=unused(opened), draws=draws)


def unused(opened: TableOpened) -> Clocks:
    """Returns the clocks of a new table."""
    return (SeatClock(bank_ms=opened.clock.bank_ms if opened.clock else None),) * opened.players


def _own(table: Table, event: Recorded) -> Table:
    """Returns the table after a lifecycle event."""
    envelope = event.envelope
    moved_on = replace(
        table,
        head=Head(envelope.version, event.hash),
        at=envelope.at,
        counted_from=envelope.counted_from,
        moves=table.moves + _is_move(envelope),
    )
    changed = AFTER[envelope.type](moved_on, lifecycle_of(event))
    if envelope.type not in TALK:
        changed = replace(changed, active_at=envelope.counted_from)
    return replace(changed, draws=more(changed.draws, envelope.draws)) if envelope.draws else changed


TALK = frozenset(("OfferMade", "OfferAnswered", "DisputeCommented"))  # keeps no table from being abandoned


def _is_move(envelope: Envelope) -> bool:
    """Whether an event is the first of a move."""
    return envelope.version == envelope.batch[0] and envelope.by.get("kind") == "seat"


def more(counts: dict[str, int], drawn: dict[str, int]) -> dict[str, int]:
    """Returns the counts of draws by kind, with further ones."""
    return counts | {kind: counts.get(kind, 0) + number for kind, number in drawn.items()}


def settle(table: Table, mover: int | None) -> Table:
    """Returns the table at the end of a batch by a seat (or nobody), with the decisions that are open."""
    play = _Play(table)
    play.settle(mover)
    return play.table()


class _Play:
    """A table during play, changed in place: replay is mostly this, and copies are expensive."""

    def __init__(self, table: Table) -> None:
        self._before, self._game, self._paused = table, table.game, table.paused
        self._version, self._hash = table.head.version, table.head.hash
        self._at, self._counted_from, self._active_at = table.at, table.counted_from, table.active_at
        self._state, self._moves, self._noted, self._draws = table.state, table.moves, table.noted, table.draws
        self._decisions, self._offer = table.decisions, table.offer
        self._clocks, self._answers = list(table.clocks), list(table.answers)
        self._disputes = table.disputes
        self._ended: dict[str, Any] = {}

    def write(self, event: Recorded, state: Any) -> None:
        """Applies an event of the game; `state` is the state after it if that is known already."""
        envelope, game = event.envelope, self._game
        self._version, self._hash = envelope.version, event.hash
        self._at, self._counted_from = envelope.at, envelope.counted_from
        self._active_at = self._counted_from
        self._state = game.evolve(self._state, event_of(game, event)) if state is None else state
        self._moves += _is_move(envelope)
        if envelope.draws:
            self._draws = more(self._draws, envelope.draws)
        if tell := game.features.get(envelope.type):
            self._noted = _noting(self._noted, envelope.version, tell(event.payload))
        if envelope.type == "GameEnded":
            self._ended = {"over": True, "ended": envelope.version, "ended_at": envelope.at}

    def settle(self, mover: int | None) -> None:
        """Computes the open decisions at the end of a batch: a seat's stays the same until the seat itself answers it.

        Stops the clocks of closed decisions and starts those of new ones.
        """
        if self._state is None:
            return
        acting, before = () if self._before.over else self._game.to_act(self._state), self._decisions
        self._close(mover, acting)
        kept = {decision.seat: self._redated(decision) for decision in self._decisions if decision.seat != mover}
        self._decisions = tuple([kept.get(seat) or self._opened(seat) for seat in acting])
        if not self._paused:
            self._run(before)
        if self._disputes and self._counted_from != self._at:
            self._disputes = disputes.redated(self._disputes, millis(self._counted_from), self._before.answer_ms)
        if self._offer and mover and not self._offer.outlasts(mover):
            self._offer = None

    def _close(self, mover: int | None, acting: Sequence[int]) -> None:
        """Stops the clocks of seats that have decided, or need not any more."""
        for seat in [decision.seat for decision in self._decisions]:
            if (seat == mover or seat not in acting) and self._before.seats[seat - 1].is_clocked:
                before = self._clocks[seat - 1]
                self._clocks[seat - 1] = clocks.closed(before, millis(self._counted_from))
                if seat == mover:
                    self._answer(seat, before)

    def _answer(self, seat: int, before: SeatClock) -> None:
        """Records how long a decision took, and adds the increment."""
        clock = self._clocks[seat - 1]
        self._answers.append(TimeTaken(self._version, seat, clock.used_ms - before.used_ms))
        self._clocks[seat - 1] = clocks.earned(clock, self._version, self._before.increment_ms)

    def _run(self, before: Sequence[OpenDecision]) -> None:
        """Starts the clocks of new decisions, and of those whose time begins in the future."""
        for decision in self._decisions:
            place, begins = decision.seat - 1, decision not in before or self._ahead_ms(decision)
            if begins and self._before.seats[place].is_clocked:
                self._clocks[place] = clocks.started(self._clocks[place], millis(self._counted_from))

    def _redated(self, decision: OpenDecision) -> OpenDecision:
        """Returns a decision that stays open; if a fast clock dated it in the future, its time counts from now on."""
        ahead_ms = self._ahead_ms(decision)
        if not ahead_ms:
            return decision
        deadline = decision.deadline and stamp(millis(decision.deadline) - ahead_ms)
        return replace(decision, since=min(decision.since, self._counted_from), deadline=deadline)

    def _ahead_ms(self, decision: OpenDecision) -> int:
        """Returns how far in the future a decision's time begins because a machine's clock was ahead; usually 0."""
        if decision.expired or self._counted_from == self._at:
            return 0
        since_ms = self._clocks[decision.seat - 1].since_ms
        begun_ms = millis(decision.since) if since_ms is None else since_ms
        return max(0, begun_ms - millis(self._counted_from))

    def _opened(self, seat: int) -> OpenDecision:
        deadline = deadline_of(self._before, seat, self._clocks[seat - 1], self._counted_from)
        mark = Head(self._version, self._hash).mark
        return OpenDecision(seat, self._version, self._counted_from, deadline, mark=mark)

    def table(self) -> Table:
        """Returns the table as it is now."""
        return replace(
            self._before,
            head=Head(self._version, self._hash),
            at=self._at,
            counted_from=self._counted_from,
            state=self._state,
            decisions=self._decisions,
            draws=self._draws,
            disputes=self._disputes,
            offer=self._offer,
            active_at=self._active_at,
            clocks=tuple(self._clocks),
            answers=tuple(self._answers),
            moves=self._moves,
            noted=self._noted,
            **self._ended,
        )


def _noting(known: NotedBySeat, version: int, features: Iterable[Feature]) -> NotedBySeat:
    """Returns the features of seats with those of an event; the first value of each counts."""
    told: NotedBySeat = {}
    for one in features:
        key = one.seat, one.name
        if key not in known:
            told.setdefault(key, Noted(version, one))
    return known | told if told else known


FAULTS = (  # what folding invalid events, or deciding by them, may raise
    ArithmeticError,
    AssertionError,
    AttributeError,
    LookupError,
    RuntimeError,  # also a StopIteration in a generator
    StopIteration,
    TypeError,
    ValueError,
    msgspec.MsgspecError,
)
MARK = 16  # the least number of versions between two kept states of a table


def folded(name: str, table: Table | None, news: Sequence[Recorded]) -> Iterator[Table]:
    """Yields the table after every `MARK` events and the last; raises `LogDamaged` for the first that does not fit."""
    for begin in range(0, len(news), MARK):
        events = news[begin : begin + MARK]
        try:
            table = fold(table, events) if _are_next(table, events) else _one_by_one(name, table, events)
        except FAULTS:
            table = _one_by_one(name, table, events)
        if table is not None:
            yield table


def _are_next(table: Table | None, events: Sequence[Recorded]) -> bool:
    """Whether the versions of events are consecutive and follow the table."""
    first = table.version + 1 if table else 1
    return [event.version for event in events] == list(range(first, first + len(events)))


def _one_by_one(name: str, table: Table | None, events: Iterable[Recorded]) -> Table | None:
    """Returns the table after the events; the error names the first that does not fit."""
    for event in events:
        due = table.version + 1 if table else 1
        if event.version != due:
            raise LogDamaged(f"{name} lacks version {due}")
        try:
            table = fold(table, (event,))
        except UnknownSchema as unknown:
            raise LogDamaged(f"{name} version {event.version}: {unknown}") from None
        except FAULTS as error:
            told = f"{name} version {event.version} ({event.envelope.type}) fits no table ({type(error).__name__})"
            raise LogDamaged(told) from error
    return table


def verified_fold(before: Table | None, events: tuple[Recorded, ...], states: list[Any]) -> Table:
    """Returns the table after a batch to write; raises `LogDamaged` if that loses or doubles a piece of the game."""
    after = fold(before, events, states)
    if after is None or (before and before.state and before.census != after.census):
        raise LogDamaged("the batch would lose or double a piece of the game; nothing was written")
    return after
