"""The machine's clock, which logs its own jumps."""

import logging
import time
from collections.abc import Callable

from events.times import stamp

BOUND_MS = 10_000  # synchronised machines differ by less, and are corrected in smaller steps

log = logging.getLogger(__name__)


class Clock:
    """Unix time, compared with the monotonic clock and with the times of tables."""

    def __init__(self, wall: Callable[[], float] | None = None, steady: Callable[[], float] | None = None) -> None:
        wall, steady = wall or time.time, steady or time.monotonic
        self._wall, self._steady = wall, steady
        self._offset_ms = round((wall() - steady()) * 1000)
        self._told_ms = 0

    def now_ms(self) -> int:
        """Returns Unix time in milliseconds; logs a jump since the last call."""
        now, offset = self._wall(), self._offset_ms
        self._offset_ms = round((now - self._steady()) * 1000)
        if abs(jump := self._offset_ms - offset) > BOUND_MS:
            log.warning(
                "this machine's clock jumped %s by %.1f s, from %s to %s, or the machine slept",
                "ahead" if jump > 0 else "back",
                abs(jump) / 1000,
                stamp(round(now * 1000) - jump),
                stamp(round(now * 1000)),
            )
        return round(now * 1000)

    def is_behind(self, table: str, table_ms: int, now_ms: int) -> None:
        """Logs that a table's time is far ahead of the machine's, once for all tables equally far ahead."""
        ahead = table_ms - now_ms
        if ahead <= self._told_ms + BOUND_MS:
            return
        self._told_ms = ahead
        log.warning(
            "table %s is at %s, which is %.1f s ahead of this machine's clock (%s): a clock was wrong; "
            "deadlines count from the earlier of both",
            table,
            stamp(table_ms),
            ahead / 1000,
            stamp(now_ms),
        )
