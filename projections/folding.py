"""A table from its events: the fold that everything is computed from, and the decisions open after each batch."""

from collections.abc import Iterable, Sequence
from itertools import chain, repeat
from typing import Any

from msgspec.structs import replace

from events.lifecycle import TYPES, TableOpened
from events.recorded import Envelope, Head, Recorded
from events.times import millis, stamp
from games.features import Feature
from projections import clocks, disputes
from projections.clocks import Clocks, SeatClock, TimeTaken
from projections.lifecycle import AFTER, deadline_of
from projections.recording import event_of, lifecycle_of
from projections.table import Decision, Noted, NotedBySeat, Seat, Table


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
    changed = AFTER[envelope.type](moved_on, lifecycle_of(event))
    return replace(changed, draws=more(changed.draws, envelope.draws)) if envelope.draws else changed


def _is_move(envelope: Envelope) -> bool:
    """Whether an event is the first that a move has led to."""
    return envelope.version == envelope.batch[0] and envelope.by.get("kind") == "seat"


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
        self._disputes = table.disputes
        self._ended: dict[str, Any] = {}

    def write(self, event: Recorded, state: Any) -> None:
        """An event of the game has happened; `state` is that after it, where it is known."""
        envelope, game = event.envelope, self._game
        self._version, self._hash = envelope.version, event.hash
        self._at, self._counted_from = envelope.at, envelope.counted_from
        self._state = game.evolve(self._state, event_of(game, event)) if state is None else state
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
            self._run(before)
        self._reckon_disputes()
        self._takeback = None if mover else self._takeback

    def _close(self, mover: int | None, acting: Sequence[int]) -> None:
        """Whoever has decided, or need not any more, uses no more time."""
        for seat in [decision.seat for decision in self._decisions]:
            if (seat == mover or seat not in acting) and self._before.seats[seat - 1].is_clocked:
                before = self._clocks[seat - 1]
                self._clocks[seat - 1] = clocks.closed(before, millis(self._counted_from))
                if seat == mover:
                    self._answer(seat, before)

    def _answer(self, seat: int, before: SeatClock) -> None:
        """Whoever has decided gains the increment; it is noted how long that took."""
        clock = self._clocks[seat - 1]
        self._answers.append(TimeTaken(self._version, seat, clock.used_ms - before.used_ms))
        self._clocks[seat - 1] = clocks.earned(clock, self._version, self._before.increment_ms)

    def _run(self, before: Sequence[Decision]) -> None:
        """The clocks of decisions that are open, or have their time, from now on run."""
        for decision in self._decisions:
            place, begins = decision.seat - 1, decision not in before or self._ahead_ms(decision)
            if begins and self._before.seats[place].is_clocked:
                self._clocks[place] = clocks.started(self._clocks[place], millis(self._counted_from))

    def _reckoned(self, decision: Decision) -> Decision:
        """A decision that stays open; if a fast clock dated it, or its time, in the future, it counts from now."""
        ahead_ms = self._ahead_ms(decision)
        if not ahead_ms:
            return decision
        deadline = decision.deadline and stamp(millis(decision.deadline) - ahead_ms)
        return replace(decision, since=min(decision.since, self._counted_from), deadline=deadline)

    def _ahead_ms(self, decision: Decision) -> int:
        """How far ahead of now the time of a decision begins, as its clock was ahead then; 0 as a rule.

        It begins anew where a dispute that had paused play ended, or the others waited.
        """
        if decision.expired or self._counted_from == self._at:
            return 0
        since_ms = self._clocks[decision.seat - 1].since_ms
        begun_ms = millis(decision.since) if since_ms is None else since_ms
        return max(0, begun_ms - millis(self._counted_from))

    def _reckon_disputes(self) -> None:
        """As a decision that stays open."""
        if self._disputes and self._counted_from != self._at:
            self._disputes = disputes.reckoned(self._disputes, millis(self._counted_from), self._before.answer_ms)

    def _opened(self, seat: int) -> Decision:
        mark = Head(self._version, self._hash).mark
        return Decision(seat, self._version, self._counted_from, self._deadline(seat), mark=mark)

    def _deadline(self, seat: int) -> str | None:
        return deadline_of(self._before, seat, self._clocks[seat - 1], self._counted_from)

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
            disputes=self._disputes,
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
