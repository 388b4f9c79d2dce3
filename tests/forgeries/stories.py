"""The archives that are altered: those of the corpus, and tables at which everything happens that a table may see."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from unittest.mock import patch

from events import lifecycle as timing
from events.lifecycle import DisputeRules
from events.times import millis
from projections.due_timers import abandoned_ms
from projections.history import TableHistory
from rulings.archive_format import lines, read_history
from service.accounts.callers import Caller
from service.command_handler import CommandContext, CommandHandler
from service.tables import disputes
from service.tables import expired_clocks as clocks
from service.tables.archive_transfer import store_table
from service.tables.forks import Forking, fork
from service.tables.leaving import abandon
from tests import corpus
from tests.disputed_tables import Court, luck, ruling_by
from tests.tables import ANN, BEN, CAT

BEGIN_MS = 1_795_000_000_000
BANK = timing.TimeControl(kind="fischer", initial_s=60, increment_s=5)
BRANCHED_AT = 60  # while the game runs


class Clock:
    """A machine's time that goes on by as much as it is told to."""

    def __init__(self) -> None:
        self.ms = BEGIN_MS

    def now_ms(self) -> int:
        """It moves a little each time that it is read."""
        self.ms += 7
        return self.ms


@contextmanager
def worker_process(name: str) -> Iterator[tuple[Court, Clock]]:
    """A court whose luck and time come out of a name."""
    clock = Clock()
    with luck(f"story {name}"), patch.object(CommandHandler, "now_ms", lambda _: clock.now_ms()):
        yield Court(), clock


def clocked(court: Court, clock: Clock) -> TableHistory:
    """A clock runs out twice: the other seat waits, and then hands the seat over."""
    return _run_out(court, clock, timing.TimeControl("decision", 60))


def banked(court: Court, clock: Clock) -> TableHistory:
    """The same with banks: what is left in one follows from all decisions before."""
    return _run_out(court, clock, BANK)


def _run_out(court: Court, clock: Clock, timed: timing.TimeControl) -> TableHistory:
    table = court.open("manitou", "ann open", clock=timed, contribution="a feather")
    court.sit(table, 2, BEN, "a stone")
    for settle in (_wait, _hand_over):
        court.step(table)
        decision = court.table(table).decisions[0]
        clock.ms = max(clock.ms, millis(str(decision.deadline)))
        clocks.expire(court.handler, table, decision.seat, decision.recorded_id)
        settle(court, table, decision.seat)
    court.finish(table)
    return court.history(table)


def _wait(court: Court, table: str, seat: int) -> None:
    clocks.wait(court.handler, table, court.sent((ANN, BEN)[2 - seat]), seat, 90)


def _hand_over(court: Court, table: str, seat: int) -> None:
    clocks.hand_over(court.handler, table, court.sent((ANN, BEN)[2 - seat]), seat, "greedy")


def left(court: Court, _: Clock) -> TableHistory:
    """Of three, one gets up and another sits down, who resigns later."""
    table = court.open("manitou", "ann open open")
    court.sit(table, 2, BEN)
    court.leave(table, 2, BEN)
    court.sit(table, 2, CAT)
    court.seat_ai(table, 3, ANN, "novice")
    court.step(table)
    court.resign(table, CAT)
    court.finish(table)
    return court.history(table)


def drawn(court: Court, _: Clock) -> TableHistory:
    """A draw is refused, and then agreed."""
    table = court.open("tomahawk", "ann open")
    court.sit(table, 2, BEN)
    court.step(table)
    for agrees in (False, True):
        court.offer(table, ANN, "draw")
        court.agree(table, BEN, agrees=agrees)
    return court.history(table)


def aborted(court: Court, _: Clock) -> TableHistory:
    """The opener needs nobody's consent: not every seat has moved."""
    table = court.open("tomahawk", "open ann", by=ANN)
    court.sit(table, 1, BEN)
    court.step(table)
    court.offer(table, ANN, "abort")
    return court.history(table)


def abandoned(court: Court, clock: Clock) -> TableHistory:
    """Nobody has moved for a month."""
    court.handler.idle_days = 30
    table = court.open("tomahawk", "ann open")
    court.sit(table, 2, BEN)
    court.step(table)
    clock.ms = abandoned_ms(court.table(table)) or 0
    abandon(court.handler, table)
    return court.history(table)


def voted(court: Court, clock: Clock) -> TableHistory:
    """Disputes with words and votes: one corrected, one upheld, one that lapses."""
    table = court.open_disputable("big-manitou", "ann ben cat", rules=DisputeRules(by="vote", answer_s=600))
    for votes in ((True, True, True), (False,), ()):
        dispute = court.dispute(table, ANN, court.play_until(table, ruling_by("BM-5.7")), "BM-5.7")
        disputes.comment(court.handler, table, court.asked(Caller(BEN, ("play", "watch"))), dispute, "Why?")
        for player, overturn in zip((ANN, BEN, CAT), votes, strict=False):
            court.vote(table, player, dispute, overturn)
        if not votes:
            clock.ms = max(clock.ms, millis(court.the(table, dispute).deadline))
            disputes.lapse(court.handler, table, dispute)
        court.step(table)
    court.finish(table)
    return court.history(table)


def players_of_today(court: Court, _: Clock) -> TableHistory:
    """AI that can be asked again: one that searches, and one that does not and was seated by Ann."""
    table = court.open("tomahawk", "skilled open")
    court.seat_ai(table, 2, ANN, "greedy")
    court.finish(table)
    return court.history(table)


def parent_of_branches(court: Court, _: Clock) -> TableHistory:
    """The table that the branches come from."""
    table = court.open("manitou", "ann greedy", contribution="a leaf", aids=True)
    court.finish(table)
    return court.history(table)


def branched(court: Court, _: Clock) -> TableHistory:
    """A branch of a finished table that goes on with its luck, and with a clock of its own."""
    return _branch(court, Forking(BRANCHED_AT, chance="continued", clock=BANK))


def branched_anew(court: Court, _: Clock) -> TableHistory:
    """The same with luck of its own."""
    return _branch(court, Forking(BRANCHED_AT, contribution="a root"))


def _branch(court: Court, forking: Forking) -> TableHistory:
    parent = parent_of("branched")
    store_table(court.handler, parent)
    asked = CommandContext(ANN, court.request(), ("play", "watch"))
    table = fork(court.handler, parent, asked, forking).table.id
    court.finish(table)
    return court.history(table)


STORIES: dict[str, Callable[[Court, Clock], TableHistory]] = {
    "clocked": clocked,
    "banked": banked,
    "left": left,
    "drawn": drawn,
    "aborted": aborted,
    "abandoned": abandoned,
    "voted": voted,
    "players of today": players_of_today,
    "parent of branches": parent_of_branches,
    "branched": branched,
    "branched anew": branched_anew,
}
NAMES = (*STORIES, *corpus.NAMES)


@cache
def archive_of(name: str) -> tuple[bytes, ...]:
    """The archive of a story, told now, or of the corpus."""
    if name not in STORIES:
        return corpus.lines_of(name)
    with worker_process(name) as (court, clock):
        found = tuple(lines(STORIES[name](court, clock), None, over=True))
    read_history(found)  # it is complete
    return found


def parent_of(name: str) -> TableHistory:
    """The parent of a story that is a branch."""
    if not name.startswith("branched"):
        raise ValueError(f"{name} is no branch")
    return read_history(archive_of("parent of branches"))
