"""Under load, whatever befalls processes and answers: nothing acknowledged is lost, torn, doubled or out of order."""

import pytest

from tests.chaos.appends import appends
from tests.chaos.histories import DEVICES, GAMES_PLAYED, MOVES, concurrent_histories
from tests.chaos.kills import IS, chaos
from tests.chaos.replies import with_spoilt_replies
from tests.chaos.spoiling import Spoiler
from tests.long import few_or_many


@pytest.mark.slow
@pytest.mark.parametrize("kills", few_or_many(8, 25))
def test_nothing_is_lost_when_processes_are_killed(kills: int) -> None:
    """SIGKILL hits the store, the web server, the dispatcher and the worker in turn while eight clients play."""
    found = chaos(kills, seed=1)

    assert found.faults == []
    assert set(found.befallen) == set(IS)
    assert found.in_doubt > 0
    assert found.events > found.acknowledged > kills


@pytest.mark.slow
@pytest.mark.parametrize("replies", few_or_many(400, 3000))
def test_each_move_is_made_once_whatever_becomes_of_answers(replies: int) -> None:
    """Between clients and the web server, and between all processes and the store."""
    found = with_spoilt_replies(replies, seed=1)

    assert found.faults == []
    assert set(found.befallen) == set(Spoiler.WAYS)
    assert found.in_doubt > 0
    assert found.events > found.acknowledged > 0


@pytest.mark.slow
@pytest.mark.parametrize("histories", few_or_many(len(GAMES_PLAYED), 40))
def test_what_many_see_at_once_can_have_happened_one_after_the_other(histories: int) -> None:
    """On two web processes, at tables of every game."""
    found = concurrent_histories(histories, seed=1)

    assert found.faults == []
    assert found.operations > histories * MOVES * DEVICES


@pytest.mark.parametrize("events", few_or_many(3_000, 100_000))
def test_what_the_log_acknowledges_is_there_whenever_its_server_is_killed(events: int) -> None:
    """With all that a batch changes: events, head, feed, what is due, and the answers of requests."""
    found = appends(events, seed=1)

    assert found.faults == []
    assert found.events >= events
    assert found.kills > 0
