"""Answers are spoilt under load: each move is made once, and nothing acknowledged is lost."""

import pytest

from tests.chaos.replies import with_spoilt_replies
from tests.chaos.spoiling import Spoiler
from tests.long import long_but_for

pytestmark = pytest.mark.slow

FEW, MANY = 400, 3000


@pytest.mark.parametrize("replies", long_but_for(FEW.__eq__, [FEW, MANY]))
def test_each_move_is_made_once_whatever_becomes_of_answers(replies: int) -> None:
    """Between clients and the web server, and between all processes and the store."""
    found = with_spoilt_replies(replies, seed=1)

    assert found.faults == []
    assert set(found.spoilt) == set(Spoiler.WAYS)
    assert found.in_doubt > 0
    assert found.events > found.acknowledged > 0
