"""What is made once in a process, whoever asks for it meanwhile."""

import threading
from concurrent.futures import ThreadPoolExecutor

from service.made_on_demand import MadeOnDemand
from tests.servers import PATIENCE_S


def test_whoever_asks_while_it_is_made_waits_for_it() -> None:
    """Each thread made the document of the API: some sixty requests kept a process for ten seconds."""
    once, made, may_end, asking = MadeOnDemand(), [], threading.Event(), threading.Semaphore(0)

    def make() -> int:
        made.append("made")
        assert may_end.wait(PATIENCE_S)
        return len(made)

    def ask() -> int:
        asking.release()
        found: int = once.get("document", make)
        return found

    with ThreadPoolExecutor(4) as threads:
        told = [threads.submit(ask) for _ in range(4)]
        assert all(asking.acquire(timeout=PATIENCE_S) for _ in told)
        may_end.set()
        assert [one.result() for one in told] == [1] * 4
    assert made == ["made"]


def test_what_is_made_of_another_is_made_too() -> None:
    once = MadeOnDemand()
    assert once.get("two", lambda: once.get("one", lambda: 1) + 1) == 2
    assert once.get("one", lambda: 3) == 1


def test_what_could_not_be_made_is_made_when_it_is_asked_for_again() -> None:
    once = MadeOnDemand()
    try:
        once.get("one", lambda: 1 // 0)
    except ZeroDivisionError:
        assert once.get("one", lambda: 1) == 1
