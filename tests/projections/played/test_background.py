"""Work in a thread of its own, once at a time: nobody waits for longer than they want to."""

import threading

import pytest

from projections.played.background import Filling
from tests.servers import wait_until


class Work:
    """Work that can be held up."""

    def __init__(self) -> None:
        self.free, self.begun, self.done = threading.Event(), 0, 0

    def __call__(self) -> None:
        self.begun += 1
        assert self.free.wait(60)
        self.done += 1


def test_a_run_begins_behind_what_is_wanted() -> None:
    """Whoever wants one while another is at work gets the next, together with all who want it by then."""
    work = Work()
    filling = Filling(work)
    assert not filling.run(0)
    wait_until(lambda: work.begun == 1)
    for _ in range(5):
        assert not filling.run(0)
    work.free.set()
    wait_until(lambda: work.done == 2)
    assert filling.run(60)
    assert work.begun == work.done == 3


def test_what_goes_wrong_is_told_to_whoever_waits() -> None:
    """And the next run is another one."""
    went: list[int] = []

    def work() -> None:
        went.append(len(went))
        if len(went) == 1:
            raise ConnectionError

    filling = Filling(work)
    with pytest.raises(ConnectionError):
        filling.run(60)
    assert filling.run(60)
    assert went == [0, 1]


def test_a_run_that_has_not_taken_long_is_waited_for() -> None:
    """Whoever comes while one is at work waits for its end and for the next."""
    work = Work()
    filling = Filling(work)
    assert not filling.run(0)
    wait_until(lambda: work.begun == 1)
    later = threading.Timer(0.1, work.free.set)
    later.start()
    assert filling.run(60)
    later.join()


def test_a_process_that_ends_waits_for_no_run() -> None:
    """The archive may hang."""
    waited_for: list[bool] = []
    assert Filling(lambda: waited_for.append(not threading.current_thread().daemon)).run(60)
    assert waited_for == [False]
