"""Makes one batch of a table again with the use case that recorded it.

What somebody brought is an input and is read from the record: a move, a claim, a verdict, a name, the time. All else
follows from it and from the events before.
"""

from collections.abc import Callable
from typing import TypeVar

import msgspec

from events.clocks import LONGEST_S
from events.lifecycle import (
    ArbiterLooked,
    ClockExpired,
    DeadlineExtended,
    DisputeCommented,
    DisputeOpened,
    DisputeResolved,
    DisputeVoted,
    Lifecycle,
    PlayTakenBack,
    SeatHandedOver,
    SeatLeft,
    SeatTaken,
    TakebackAnswered,
    TakebackAsked,
    Text,
)
from events.log import Span
from events.times import millis
from projections.disputes import Vote
from projections.history import History
from service.accounts.person_keys import NoKeys
from service.accounts.personal_texts import Texts
from service.commands import Decided, Outcome, Request
from service.tables import clocks, disputes, takebacks
from service.tables.departing import depart
from service.tables.disputes import Contested, Verdict
from service.tables.recheck.recorded import Taken, Wrong
from service.tables.seating import Sitting, leave_seat, seat_ai, take_seat

L = TypeVar("L", bound=Lifecycle)

SLACK_MS = 60_000  # between deciding and recording, on a machine that has much to do


class AsRecorded(Texts):
    """Texts as they were recorded: what somebody wrote is an input, and nobody has to be able to read it."""

    def __init__(self, text: Text | None) -> None:
        super().__init__(NoKeys())
        self._text = text

    def encrypted(self, table: str, type_: str, of: str, text: str) -> Text:  # noqa: ARG002 - that is not known here
        """The recorded text; raises `Wrong` if there is none."""
        if not self._text:
            raise Wrong(f"what the {type_} of {of} is to hold is missing")
        return self._text


class Rerun:
    """The service as it was before a batch: a use case decides once more, and nothing is recorded.

    `text` is what the person who sent the request is called or wrote, if the batch holds it.
    """

    def __init__(self, batch: Taken, now_ms: int | None = None, text: Text | None = None) -> None:
        self._before = batch.history
        self.texts: Texts = AsRecorded(text)
        self._now_ms = batch.now_ms if now_ms is None else now_ms
        self.decided: Decided | None = None

    def now_ms(self) -> int:
        """The time at which it was decided."""
        return self._now_ms

    def history(self, table: str) -> History:  # noqa: ARG002 - there is but one table here
        """The table before the batch."""
        return self._before

    def change(self, table: str, decide: Callable[[History], Decided], request: Request) -> Outcome:  # noqa: ARG002
        """Decides on the history before the batch."""
        self.decided = decide(self._before)
        return Outcome(self._before, Span(0, 0))


def done(handler: Rerun) -> Decided:
    """What a use case decided; raises `Wrong` if it would have recorded nothing."""
    if handler.decided is None:
        raise Wrong("nothing would be recorded")
    return handler.decided


def _sit(batch: Taken) -> Decided:
    event = batch.read(SeatTaken)
    handler = Rerun(batch, text=event.name)
    if event.ai is None:
        sitting = Sitting(event.contribution, batch.table.opened.arbiter)
        take_seat(handler, batch.table.id, event.seat, batch.sent, sitting)
    else:
        seat_ai(handler, batch.table.id, event.seat, batch.sent, event.ai.level)
    return done(handler)


def _leave(batch: Taken) -> Decided:
    event, handler = batch.read(SeatLeft), Rerun(batch)
    leave_seat(handler, batch.table.id, event.seat, batch.sent)
    return done(handler)


def _expire(batch: Taken) -> Decided:
    event, handler = batch.read(ClockExpired), Rerun(batch)
    clocks.expire(handler, batch.table.id, event.seat, event.decision)
    return done(handler)


def _wait(batch: Taken) -> Decided:
    """The time granted: an input, in whole seconds."""
    event = batch.read(DeadlineExtended)
    seconds = -((batch.now_ms - millis(event.deadline)) // 1000)
    if not 1 <= seconds <= LONGEST_S:
        raise Wrong(f"nobody grants {seconds} seconds")
    handler = Rerun(batch, millis(event.deadline) - seconds * 1000)
    clocks.wait(handler, batch.table.id, event.seat, batch.sent, seconds)
    return done(handler)


def _hand_over(batch: Taken) -> Decided:
    event, handler = batch.read(SeatHandedOver), Rerun(batch)
    if event.player == batch.sent.player.id:
        depart(handler, batch.table.id, batch.sent, event.ai.level)
    else:
        clocks.hand_over(handler, batch.table.id, event.seat, batch.sent, event.ai.level)
    return done(handler)


def _dispute(batch: Taken) -> Decided:
    """The time of the decision, which follows from the deadline."""
    event, rules = batch.read(DisputeOpened), batch.table.opened.disputes
    decided_ms = _moment(batch, millis(event.deadline) - rules.answer_s * 1000) if rules else None
    handler = Rerun(batch, decided_ms, event.claim)
    contested = Contested(event.seat, event.version, event.rule, "", event.options)
    disputes.dispute(handler, batch.table.id, batch.sent, contested)
    return done(handler)


def _moment(batch: Taken, now_ms: int) -> int:
    """A time of decision, if it fits the time of recording, which stands still while the machine's clock is behind."""
    if now_ms > batch.now_ms or not (batch.stands_still or now_ms >= batch.now_ms - SLACK_MS):
        raise Wrong("`deadline` does not follow from `at`")
    return now_ms


def _comment(batch: Taken) -> Decided:
    event = batch.read(DisputeCommented)
    handler = Rerun(batch, text=event.text)
    disputes.comment(handler, batch.table.id, batch.asked, event.dispute, "")
    return done(handler)


def _look(batch: Taken) -> Decided:
    event, handler = batch.read(ArbiterLooked), Rerun(batch)
    disputes.look(handler, batch.table.id, batch.asked, event.dispute, event.seat)
    return done(handler)


def _vote(batch: Taken) -> Decided:
    event, handler = batch.read(DisputeVoted), Rerun(batch)
    disputes.vote(handler, batch.table.id, batch.sent, event.dispute, Vote(event.seat, event.overturn))
    return done(handler)


def _resolve(batch: Taken) -> Decided:
    event = batch.read(DisputeResolved)
    return _lapse(batch, event) if event.outcome == "lapsed" else _judge(batch, event)


def _lapse(batch: Taken, event: DisputeResolved) -> Decided:
    handler = Rerun(batch)
    disputes.lapse(handler, batch.table.id, event.dispute)
    return done(handler)


def _judge(batch: Taken, event: DisputeResolved) -> Decided:
    if event.outcome not in ("upheld", "overturned"):
        raise Wrong(f"no verdict is {event.outcome!r}")
    handler, verdict = Rerun(batch, text=event.text), Verdict(event.outcome, "", event.options)
    disputes.resolve(handler, batch.table.id, batch.asked, event.dispute, verdict)
    return done(handler)


def _take_back(batch: Taken) -> Decided:
    """The resolution, which comes after the correction where a ruling was overturned."""
    event = batch.read(PlayTakenBack)
    if event.reason == "takeback":
        return _ask(batch, event.seat)
    return _judge(batch, msgspec.convert(batch.events[1].payload, DisputeResolved))


def _ask_first(batch: Taken) -> Decided:
    return _ask(batch, batch.read(TakebackAsked).seat)


def _ask(batch: Taken, seat: int) -> Decided:
    handler = Rerun(batch)
    takebacks.ask(handler, batch.table.id, batch.sent, seat)
    return done(handler)


def _answer(batch: Taken) -> Decided:
    event, handler = batch.read(TakebackAnswered), Rerun(batch)
    said = takebacks.Consent(event.seat, event.agrees)
    takebacks.answer(handler, batch.table.id, batch.sent, event.takeback, said)
    return done(handler)


CASES: dict[str, Callable[[Taken], Decided]] = {  # batches of a table that is open, by the type of their first event
    "SeatTaken": _sit,
    "SeatLeft": _leave,
    "ClockExpired": _expire,
    "DeadlineExtended": _wait,
    "SeatHandedOver": _hand_over,
    "DisputeOpened": _dispute,
    "DisputeCommented": _comment,
    "DisputeVoted": _vote,
    "ArbiterLooked": _look,
    "DisputeResolved": _resolve,
    "PlayTakenBack": _take_back,
    "TakebackAsked": _ask_first,
    "TakebackAnswered": _answer,
}
