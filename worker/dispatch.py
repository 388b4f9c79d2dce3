"""The dispatcher: takes what is due under a lease, enqueues AI turns and lets clocks run out. Any number may run.

Turns are enqueued first: that a clock has run out is recorded, which takes as long as a move, and anybody may have
thousands of them run out at once.
"""

import logging
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from functools import partial

from redis.exceptions import RedisError

from events.archiving.objects import ArchiveUnavailable
from events.failures import place_of
from events.log import LONGEST_LEASE, LogUnreadable, Timer
from events.times import stamp
from projections.timers import SEPARATOR, TURNS, TimerName, all_timers, timers
from service.analyses import Analyses, Name
from service.commands import CommandHandler
from service.errors import Refused
from service.tables.clocks import expire
from service.tables.disputes import lapse

PAUSE_S = 1.0  # between two looks at what analyses go on
REST_S = 0.02  # between two looks: what becomes due meanwhile is taken together
TICK_S = 1.0  # how long it waits to be woken; then it looks at everything
LEASE_MS = 5_000  # a turn that was enqueued is enqueued again after this long, then twice as long, up to a minute
HASTEN_S = 60.0
MOST = 200  # entries taken from a partition at once
RUN_OUT_S = 0.25  # for which clocks run out before turns are looked for again

log = logging.getLogger(__name__)


class Dispatcher:
    """Is woken by the appends that make something due at once, and looks at everything once a second."""

    def __init__(
        self,
        handler: CommandHandler,
        enqueue: Callable[[str, str, bool], None],
        tell: Callable[[TimerName, int], None] = lambda _entry, _attempt: None,
    ) -> None:
        self._handler, self._enqueue, self._tell = handler, enqueue, tell
        self._looked = 0.0
        self._queue_answers = True
        self._hastened = -HASTEN_S
        self._was_away = True  # the store or the queue, as far as this process knows
        self._run_out: dict[str, int] = {}  # clocks and disputes that were taken, with the attempt of each

    def run(self, stop: threading.Event) -> None:
        """Dispatches until `stop` is set; retries while the store does not answer."""
        while not stop.is_set():
            try:
                self.bring_forward()
                self.dispatch(self.awake())
                stop.wait(REST_S)
            except RedisError as error:
                log.warning("the store does not answer: %s", error)
                self._was_away = True
                stop.wait(TICK_S)

    def awake(self) -> Iterable[int]:
        """The partitions in which something became due; once a tick, all in which something is due."""
        store = self._handler.log
        woken = store.woken_partitions(0.0 if self._run_out else TICK_S)
        if time.monotonic() < self._looked + TICK_S and len(woken) < store.partitions:
            return woken
        self._looked = time.monotonic()
        return store.partitions_due(self._handler.now_ms())

    def bring_forward(self) -> None:
        """Makes due now the turns whose lease grew while the store or the queue was away.

        Once a minute, also makes due now what a clock that ran ahead has put off for longer than any lease.
        """
        if time.monotonic() < self._hastened + (TICK_S if self._was_away else HASTEN_S):
            return
        now_ms, store = self._handler.now_ms(), self._handler.log
        hastened: list[Timer] = []
        for entry in all_timers(store):
            if entry.at_ms > max(now_ms, _ends_ms(entry.member)) + LONGEST_LEASE * LEASE_MS:
                log.warning("%s was put off until %s by a clock that ran ahead", entry.member, stamp(entry.at_ms))
                hastened.append(entry._replace(at_ms=now_ms))
            elif self._was_away and _is_turn(entry.member):
                hastened.append(entry._replace(at_ms=now_ms))
        store.bring_forward(hastened)
        self._hastened, self._was_away = time.monotonic(), False

    def dispatch(self, partitions: Iterable[int]) -> int:
        """Takes what is due in these partitions; returns the number of entries. Clocks may run out in later rounds."""
        taken, self._queue_answers = 0, True
        for partition in partitions:
            for member, attempt in self._leased(partition):
                self._take(member, attempt)
                taken += 1
        self._let_run_out()
        return taken

    def _leased(self, partition: int) -> Iterator[tuple[str, int]]:
        """All that is due in a partition by now, under a lease, each with the number of this attempt."""
        now_ms, most = self._handler.now_ms(), MOST
        while most == MOST:
            leased = self._handler.log.lease(partition, now_ms, LEASE_MS, MOST)
            yield from leased
            most = len(leased)

    def _take(self, member: str, attempt: int) -> None:
        if _is_timer(member):
            self._run_out.setdefault(member, attempt)
        else:
            self._attend(member, partial(self._handle, attempt=attempt))

    def _let_run_out(self) -> None:
        """Lets clocks run out for a while, those first that were taken first; what is left has its turn later."""
        end = time.monotonic() + RUN_OUT_S
        while self._run_out:
            member = next(iter(self._run_out))
            self._attend(member, partial(self._handle, attempt=self._run_out.pop(member)))
            if time.monotonic() >= end:
                return

    def _attend(self, member: str, handle: Callable[[str], None]) -> None:
        """Handles an entry; that of a damaged table, or one that fails, stays due and delays no other table."""
        try:
            handle(member)
        except LogUnreadable as damage:
            log.critical("%s", damage)
        except Refused as refusal:  # the table was lost after the entry was taken
            log.warning("%s: %s", member, refusal)
        except ArchiveUnavailable as error:  # only a fault leaves what is due at a table that was archived
            log.warning("%s waits: %s", member, error)
        except RedisError:
            raise
        except Exception as error:  # noqa: BLE001 - whatever it is, it would keep all others waiting each time
            log.error("%s failed, and is due again: %s", member, place_of(error))

    def _handle(self, member: str, attempt: int) -> None:
        entry = TimerName.read(member)
        if attempt > 1:
            self._settle(entry)
        if entry.kind in TURNS:
            self._enqueue_turn(entry, attempt)
        elif entry.kind == "hook":
            self._tell(entry, attempt)
        elif entry.kind == "dispute":
            lapse(self._handler, entry.table, entry.what)
        else:
            expire(self._handler, entry.table, entry.seat, entry.decision)

    def _enqueue_turn(self, entry: TimerName, attempt: int) -> None:
        """Enqueues a turn. Where the queue does not answer it is due again; nothing else waits for that."""
        if not self._queue_answers:
            return
        name = f"{entry.table}-{entry.seat}-{entry.what}-{attempt}"
        try:
            self._enqueue(entry.table, name, entry.kind == "alone")
        except RedisError as error:  # its words may hold what was about to be written
            self._queue_answers, self._was_away = False, True
            log.warning("turns wait for the queue: %s", type(error).__name__)

    def _settle(self, entry: TimerName) -> None:
        """Removes what is no longer due: appends settle what they answer, so only a fault leaves such entries."""
        history = self._handler.cache.load(entry.table)
        if history is None or entry.member not in timers(history.table):
            self._handler.log.remove_timers([(entry.table, entry.member)])


def _is_turn(member: str) -> bool:
    """Whether an entry is the turn of an AI seat; one that is damaged is not."""
    return any(kind in TURNS for kind in member.split(SEPARATOR)[1:2])


def _ends_ms(member: str) -> int:
    """The deadline that an entry waits for; 0 if it waits for none, or is damaged."""
    try:
        return TimerName.read(member).ends_ms
    except ValueError:
        return 0


def _is_timer(member: str) -> bool:
    """Whether an entry waits for a deadline."""
    return _ends_ms(member) > 0


def enqueue_until(stop: threading.Event, analyses: Analyses, enqueue: Callable[[Name], None]) -> None:
    """Enqueues what goes on until `stop` is set; tries again while the store does not answer."""
    hastened = -HASTEN_S
    while not stop.wait(PAUSE_S):
        try:
            if time.monotonic() >= hastened + HASTEN_S:
                hastened = time.monotonic()
                analyses.bring_forward()
            for name in analyses.lease():
                enqueue(name)
        except RedisError as error:
            log.warning("analyses wait: %s", error)
