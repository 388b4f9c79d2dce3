"""Following the feeds: what is new is told once, and a feed that holds no more what it told is noticed."""

from typing import Any

import pytest

from events import feeds
from events.feeds import FeedTail, FeedUpdate
from events.log import PARTITIONS, Log, LogDamaged, partition_of
from tests.events.batches import tell
from tests.memory_log import MemoryLog

HERE, ELSEWHERE = partition_of("t_one"), partition_of("t_two")
WAIT_S = 0.01


@pytest.fixture(autouse=True)
def looks_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is looked at each call whether the feeds still hold what they told."""
    monkeypatch.setattr(feeds, "CHECK_S", 0)


class Replaced(MemoryLog):
    """A log that can be replaced by another one."""

    def become(self, other: MemoryLog) -> None:
        """From now on it holds what the other one does."""
        self.__dict__ |= other.__dict__


def told(*texts: str) -> Replaced:
    """A log of these batches at a table, and of one at another."""
    log = Replaced()
    tell(log, "elsewhere", table="t_two")
    for text in texts:
        tell(log, text)
    return log


def texts(follower: FeedTail, log: Log) -> list[str]:
    """What the events say that the next news tell of."""
    news = follower.next_update(WAIT_S).pointers
    return [log.read(pointer.table, pointer.first)[0].payload["text"] for _, pointer in news]


def test_what_is_new_is_told_once() -> None:
    """From where the feeds ended, each batch once."""
    log = told("one", "two")
    follower = FeedTail(log)
    assert texts(follower, log) == []
    tell(log, "three")

    assert texts(follower, log) == ["three"]
    assert texts(follower, log) == []


@pytest.mark.parametrize("others", [(), ("a",), ("a", "b"), ("a", "b", "c"), ("a", "b", "c", "d", "e")])
def test_a_feed_that_went_back_is_noticed(others: tuple[str, ...], caplog: pytest.LogCaptureFixture) -> None:
    """Whatever is there in its place, fewer batches or more: it is said once, and followed from its end."""
    log = told("one", "two")
    follower = FeedTail(log)
    tell(log, "three")
    for _ in range(2):
        follower.next_update(WAIT_S)

    log.become(told(*others))
    news = [follower.next_update(WAIT_S) for _ in range(3)]

    assert [HERE in told.gone_back for told in news] == [True, False, False]
    assert caplog.text.count(f"the feed of partition {HERE} no longer holds position 3") == 1
    tell(log, "new")
    assert texts(follower, log) == ["new"]


def test_others_that_follow_on_what_was_kept_are_noticed() -> None:
    """The last batch is lost, and others are in its place before anybody looks: the loss is told all the same."""
    log = told("one", "two")
    follower = FeedTail(log)
    tell(log, "lost")
    follower.next_update(WAIT_S)

    log.become(told("one", "two", "other", "more"))
    gone_back = [HERE in follower.next_update(WAIT_S).gone_back for _ in range(3)]

    assert gone_back.count(True) == 1


def test_what_fails_loses_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """A store that does not answer for a while is asked again, and what went back is told then."""
    log = told("one")
    follower = FeedTail(log)
    follower.next_update(WAIT_S)
    log.become(told())
    for name in ("feed_ends", "wait_for_pointers"):
        with monkeypatch.context() as patch:
            patch.setattr(log, name, lambda *_: (_ for _ in ()).throw(ConnectionError))
            with pytest.raises(ConnectionError):
                tuple(follower.next_update(WAIT_S))

    assert follower.next_update(WAIT_S).gone_back == {HERE, ELSEWHERE}


@pytest.mark.parametrize("read", ["wait_for_pointers", "pointers"])
def test_a_feed_that_lacks_a_part_is_followed_from_its_end(
    read: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """The follower goes on, has to look at everything once, and gets what comes then."""
    log = told("one")
    follower = FeedTail(log)
    tell(log, "two")
    follower.next_update(WAIT_S)
    tell(log, "lost to those who follow")
    right = getattr(log, read)

    def damaged(*asked: Any) -> Any:
        monkeypatch.setattr(log, read, right)
        raise LogDamaged("part 0 is not what was written")

    monkeypatch.setattr(log, read, damaged)
    assert follower.next_update(WAIT_S) == FeedUpdate((), frozenset(range(PARTITIONS)))
    assert caplog.text.count("part 0 is not what was written") == 1
    assert follower.next_update(WAIT_S) == FeedUpdate(())
    tell(log, "three")
    assert texts(follower, log) == ["three"]
