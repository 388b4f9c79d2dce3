"""Those who work on a service, or its log, while it is befallen by faults."""

import contextlib
import threading
from collections.abc import Iterator, Sequence


class Worker(threading.Thread):
    """Somebody who works in a thread of his own until he is told to stop."""

    def __init__(self, name: str) -> None:
        super().__init__(name=name)
        self.stop = threading.Event()
        self._failure: BaseException | None = None

    def work(self) -> None:
        """What he does."""
        raise NotImplementedError

    def run(self) -> None:
        """Works, and keeps what goes wrong."""
        try:
            self.work()
        except BaseException as failure:  # noqa: BLE001 - raised where the thread is joined
            self._failure = failure

    def join(self, timeout: float | None = None) -> None:
        """Waits until what he was at is done; raises what went wrong."""
        super().join(timeout)
        if self._failure is not None:
            raise self._failure


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
