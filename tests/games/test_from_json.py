"""From JSON to moves: what does not fit is refused in words, whatever moves a game has."""

from typing import Annotated, Any, Literal

import msgspec
import pytest

from games.from_json import move_from
from games.kernel import Move, MoveRefused
from wintercount.scaffold.goofspiel import Bid


@pytest.mark.parametrize(
    ("raw", "told"),
    [
        (None, "a move is an object whose `type` is one of bid"),
        ({"type": "swap"}, "`type` is one of bid"),
        (
            {"type": "bid", "card": 1, "stone": 1},
            "bid has exactly the fields type, card; object contains unknown field `stone`",
        ),
    ],
)
def test_a_game_may_have_a_single_kind_of_move(raw: Any, told: str) -> None:
    """It is told as one of several is."""
    assert move_from({"type": "bid", "card": 1}, Bid, "GO-4.1a") == Bid(1)
    with pytest.raises(MoveRefused) as refused:
        move_from(raw, Bid, "GO-4.1a")
    assert (refused.value.rule, refused.value.detail) == ("GO-4.1a", told)


class Take(Move, frozen=True):
    """A move with a field of few values, and one of many."""

    stone: Literal["blue", "red"]
    count: int
    place: Annotated[str, msgspec.Meta(pattern="^(river|camp)$(?!\n)")] = "camp"


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({"stone": "green", "count": 1}, '`stone` is one of "blue", "red"'),
        ({"stone": "red", "count": 1, "place": "sky"}, '`place` is one of "river", "camp"'),
        ({"stone": "red", "count": "1"}, "expected `int`, got `str` at `count`"),
    ],
)
def test_a_value_that_is_none_of_few_is_told_which_there_are(fields: dict[str, Any], told: str) -> None:
    """Of a field of many values it is told what they are, and where."""
    with pytest.raises(MoveRefused) as refused:
        move_from({"type": "take"} | fields, Take, "GO-4.1a")
    assert refused.value.detail == f"take has exactly the fields type, stone, count, place; {told}"
