"""Makes rows that begin anew, in a thread of their own: they are made of the archive as well, which may hang."""

import contextlib
import logging
import threading
from collections.abc import Callable, Iterable, Iterator

from redis.exceptions import RedisError

from projections.runner import Runner
from service.runtime.parts import Part

log = logging.getLogger(__name__)


@contextlib.contextmanager
def rows_anew(runner: Runner) -> Iterator[Callable[[Iterable[int]], None]]:
    """What hands partitions to the thread, which lives as long as the block."""
    end, handed = threading.Event(), Handed()
    thread = Part(end, "rows made anew", _make, handed, runner)
    thread.start()
    try:
        yield handed.put
    finally:
        end.set()
        handed.end()
        thread.join()


class Handed:
    """Partitions that are handed from one thread to another: each once, however often it was put before it is taken."""

    def __init__(self) -> None:
        self._partitions: set[int] = set()
        self._ended = False
        self._changed = threading.Condition()

    def put(self, partitions: Iterable[int]) -> None:
        """Hands some over."""
        with self._changed:
            self._partitions.update(partitions)
            self._changed.notify()

    def end(self) -> None:
        """Nothing is taken any more."""
        with self._changed:
            self._ended = True
            self._changed.notify()

    def take(self) -> set[int]:
        """All that were put since; waits for some, and gives none at the end."""
        with self._changed:
            self._changed.wait_for(lambda: self._partitions or self._ended)
            taken, self._partitions = self._partitions, set()
            return set() if self._ended else taken


def _make(handed: Handed, runner: Runner) -> None:
    """Makes rows of what is handed over, until the end; what fails is handed over again."""
    while partitions := handed.take():
        runner.forget()  # whoever hands them over knows where they stand
        try:
            runner.catch_up(partitions)
        except RedisError as error:
            log.warning("rows that are made anew wait: %s", error)
