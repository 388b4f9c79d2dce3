"""Those who work on a service, or its log, while it is befallen by faults."""

import contextlib
import threading
from collections.abc import Iterator, Sequence
from typing import Protocol


class Worker(Protocol):
    """Somebody who works in a thread of his own until he is told to stop."""

    stop: threading.Event

    def start(self) -> None: ...

    def join(self) -> None:
        """Waits until what he was at is done; raises what went wrong."""


@contextlib.contextmanager
def working(workers: Sequence[Worker]) -> Iterator[None]:
    """Lets them work while the block lasts, and then finish what is not answered yet."""
    for worker in workers:
        worker.start()
    try:
        yield
    finally:
        for worker in workers:
            worker.stop.set()
    for worker in workers:
        worker.join()
