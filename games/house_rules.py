"""The house rules of a table, compared with others."""

from collections.abc import Mapping
from typing import Any

from games.kernel import AnyGame


def reshaped(game: AnyGame, was: Mapping[str, Any], now: Mapping[str, Any]) -> str | None:
    """The first house rule that differs and shapes the set-up, so that a game under way cannot change it."""
    shaping = [option.name for option in game.options if option.shapes_setup]
    return next((name for name in shaping if _as_json(now.get(name, was[name])) != _as_json(was[name])), None)


def _as_json(value: Any) -> Any:
    """A value as it is in the record, where tuples are lists."""
    return list(value) if isinstance(value, tuple) else value
