"""House rules that may change while a game is under way, and those that shape its set-up."""

import msgspec
import pytest

from games import GAMES
from games.house_rules import reshaped

BY_SHAPE = [
    (slug, option.name, value, option.shapes_setup)
    for slug, game in GAMES.items()
    for option in game.options
    for value in option.values
    if value != getattr(game.read_options({}, game.players[0]), option.name)
]


@pytest.mark.parametrize(("slug", "name", "value", "shapes"), BY_SHAPE)
def test_what_shapes_the_setup_is_told_when_it_changes(slug: str, name: str, value: object, shapes: bool) -> None:
    """What is not named stays as it was, so it is no change."""
    game = GAMES[slug]
    was = msgspec.to_builtins(game.read_options({}, game.players[0]))
    assert reshaped(game, was, {name: value}) == (name if shapes else None)
    assert reshaped(game, was, {}) is None
