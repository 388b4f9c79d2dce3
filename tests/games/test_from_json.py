"""From JSON to moves: what does not fit is refused in words, whatever moves a game has."""

from typing import Any

import pytest

from games.from_json import move_from
from games.kernel import MoveRefused
from tests.fifth import Keep


@pytest.mark.parametrize(
    ("raw", "told"),
    [
        (None, "a move is an object whose `type` is one of keep"),
        ({"type": "swap"}, "`type` is one of keep"),
        ({"type": "keep", "stone": 1}, "keep has exactly the fields type; object contains unknown field `stone`"),
    ],
)
def test_a_game_may_have_a_single_kind_of_move(raw: Any, told: str) -> None:
    """It is told as one of several is."""
    assert move_from({"type": "keep"}, Keep, "FF-4.1a") == Keep()
    with pytest.raises(MoveRefused) as refused:
        move_from(raw, Keep, "FF-4.1a")
    assert (refused.value.rule, refused.value.detail) == ("FF-4.1a", told)
