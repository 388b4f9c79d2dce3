"""The dispatcher: leases due timers, enqueues AI turns, sends webhooks and expires clocks. Any number may run.

Turns are enqueued first: expiring a clock takes as long as a move, and thousands may expire at once.
"""

import logging
import threading
import time
from collections.abc import Callable, Iterable, Iterator

from redis.exceptions import RedisError

from events.archiving.objects import ArchiveUnavailable
from events.failures import place_of
from events.log import LONGEST_LEASE, LogUnreadable, Timer
from events.times import stamp
from projections.due_timers import SEPARATOR, TURNS, TimerName, all_timers, timers
from service.analyses import Analyses, Name
from service.command_handler import CommandHandler
from service.errors import Refused
from service.tables.disputes import lapse
from service.tables.expired_clocks import expire
from service.tables.leaving import abandon

PAUSE_S = 1.0  # between two looks at running analyses
REST_S = 0.02  # between two rounds, so that timers due meanwhile are handled together
TICK_S = 1.0  # longest wait for a wake-up; then all partitions are checked
LEASE_MS = 5_000  # an enqueued turn is enqueued again after this long, then twice as long, up to a minute
BRING_FORWARD_S = 60.0
MOST = 200  # timers leased from a partition at once
EXPIRING_S = 0.25  # time for expiring clocks before turns are looked for again

log = logging.getLogger(__name__)


class Dispatcher:
    """Handles timers when an append wakes it, and checks all partitions once a second."""

    def __init__(
        self,
        handler: CommandHandler,
        enqueue: Callable[[str, str, bool], None],
        tell: Callable[[TimerName, int], None] = lambda _entry, _attempt: None,
    ) -> None:
        self._handler, self._enqueue, self._tell = handler, enqueue, tell
        self._looked = 0.0
        self._queue_answers = True
        self._brought_forward = -BRING_FORWARD_S
        self._was_away = True  # the store or the queue, as far as this process knows
        self._expiring: dict[str, int] = {}  # leased clocks and disputes, with the attempt of each

    def run(self, stop: threading.Event) -> None:
        """Dispatches until `stop` is set; retries while the store does not answer."""
        while not stop.is_set():
            try:
                self.bring_forward()
                self.dispatch(self.partitions_to_dispatch())
                stop.wait(REST_S)
            except RedisError as error:
                log.warning("the store does not answer: %s", error)
                self._was_away = True
                stop.wait(TICK_S)

    def partitions_to_dispatch(self) -> Iterable[int]:
        """Returns the partitions that were woken; once per tick, all that have due timers."""
        store = self._handler.log
        woken = store.woken_partitions(0.0 if self._expiring else TICK_S)
        if time.monotonic() < self._looked + TICK_S and len(woken) < store.partitions:
            return woken
        self._looked = time.monotonic()
        return store.partitions_due(self._handler.now_ms())

    def bring_forward(self) -> None:
        """Makes turns due now whose lease grew while the store or the queue was away.

        Once a minute, also makes timers due that a clock running ahead had postponed for longer than any lease.
        """
        if time.monotonic() < self._brought_forward + (TICK_S if self._was_away else BRING_FORWARD_S):
            return
        now_ms, store = self._handler.now_ms(), self._handler.log
        changed: list[Timer] = []
        for entry in all_timers(store):
            if entry.at_ms > max(now_ms, _ends_ms(entry.member)) + LONGEST_LEASE * LEASE_MS:
                log.warning("%s was postponed to %s by a clock that ran ahead", entry.member, stamp(entry.at_ms))
                changed.append(entry._replace(at_ms=now_ms))
            elif self._was_away and _is_turn(entry.member):
                changed.append(entry._replace(at_ms=now_ms))
        store.bring_forward(changed)
        self._brought_forward, self._was_away = time.monotonic(), False

    def dispatch(self, partitions: Iterable[int]) -> int:
        """Handles the due timers of these partitions and returns their number; clocks may wait for a later round."""
        taken, self._queue_answers = 0, True
        for partition in partitions:
            for member, attempt in self._lease(partition):
                if _ends_ms(member):
                    self._expiring.setdefault(member, attempt)
                else:
                    self._attend(member, attempt)
                taken += 1
        self._expire_clocks()
        return taken

    def _lease(self, partition: int) -> Iterator[tuple[str, int]]:
        """Leases all due timers of a partition; yields each with the number of this attempt."""
        now_ms, most = self._handler.now_ms(), MOST
        while most == MOST:
            leased = self._handler.log.lease(partition, now_ms, LEASE_MS, MOST)
            yield from leased
            most = len(leased)

    def _expire_clocks(self) -> None:
        """Expires clocks for a while, in the order of their leases; the rest waits for the next round."""
        end = time.monotonic() + EXPIRING_S
        while self._expiring:
            member = next(iter(self._expiring))
            self._attend(member, self._expiring.pop(member))
            if time.monotonic() >= end:
                return

    def _attend(self, member: str, attempt: int) -> None:
        """Handles a timer. If that fails, the timer stays due and delays no other table."""
        try:
            self._handle(member, attempt)
        except LogUnreadable as damage:
            log.critical("%s", damage)
        except Refused as refusal:  # the table was lost after the timer was leased
            log.warning("%s: %s", member, refusal)
        except ArchiveUnavailable as error:  # only a fault leaves timers of an archived table
            log.warning("%s waits: %s", member, error)
        except RedisError:
            raise
        except Exception as error:  # noqa: BLE001 - any error would block all other timers again and again
            log.error("%s failed and is due again: %s", member, place_of(error))

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
        elif entry.kind == "idle":
            abandon(self._handler, entry.table)
        else:
            expire(self._handler, entry.table, entry.seat, entry.decision)

    def _enqueue_turn(self, entry: TimerName, attempt: int) -> None:
        """Enqueues a turn. If the queue does not answer, the turn is due again; nothing else waits for it."""
        if not self._queue_answers:
            return
        name = f"{entry.table}-{entry.seat}-{entry.what}-{attempt}"
        try:
            self._enqueue(entry.table, name, entry.kind == "alone")
        except RedisError as error:  # its text may contain the data to be written
            self._queue_answers, self._was_away = False, True
            log.warning("turns wait for the queue: %s", type(error).__name__)

    def _settle(self, entry: TimerName) -> None:
        """Removes a timer that is no longer due. Appends remove timers themselves, so only a fault leaves one."""
        history = self._handler.cache.load(entry.table)
        if history is None or entry.member not in timers(history.table):
            self._handler.log.remove_timers([(entry.table, entry.member)])


def _is_turn(member: str) -> bool:
    """Returns whether a timer is the turn of an AI seat; a damaged one is not."""
    return any(kind in TURNS for kind in member.split(SEPARATOR)[1:2])


def _ends_ms(member: str) -> int:
    """Returns the deadline that a timer stands for; 0 if there is none, or the timer is damaged."""
    try:
        return TimerName.read(member).ends_ms
    except ValueError:
        return 0


def enqueue_until(stop: threading.Event, analyses: Analyses, enqueue: Callable[[Name], None]) -> None:
    """Enqueues running analyses until `stop` is set; retries while the store does not answer."""
    brought_forward = -BRING_FORWARD_S
    while not stop.wait(PAUSE_S):
        try:
            if time.monotonic() >= brought_forward + BRING_FORWARD_S:
                brought_forward = time.monotonic()
                analyses.bring_forward()
            for name in analyses.lease():
                enqueue(name)
        except RedisError as error:
            log.warning("analyses wait: %s", error)
