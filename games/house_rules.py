"""The house rules of a table: read for the rules it was opened by, told in today's words, and compared with others."""

from collections.abc import Mapping
from typing import Any

import msgspec

from games.kernel import AnyGame, Option


def options_of(game: AnyGame, raw: Mapping[str, Any], players: int, rules_version: int) -> Any:
    """The options of a table opened by that version of the rules; raises `OptionsRefused`.

    An option that came later stays unset unless it is named, so that the table is decided as it was when it was played.
    """
    options = game.read_options(raw, players)
    missing = [option.name for option in game.options if option.since > rules_version and option.name not in raw]
    return msgspec.structs.replace(options, **dict.fromkeys(missing, msgspec.UNSET)) if missing else options


def in_force(game: AnyGame, options: Mapping[str, Any]) -> dict[str, Any]:
    """All house rules in today's words, whatever rules the table with these options was opened by."""
    return {option.name: _today(option, options.get(option.name, option.before)) for option in game.options}


def _today(option: Option, value: Any) -> Any:
    return next((now for was, now in option.formerly if was is value), value)


def reshaped(game: AnyGame, was: Mapping[str, Any], now: Mapping[str, Any]) -> str | None:
    """The first house rule that differs although it shapes the set-up, so that a game under way cannot change it."""
    shaping = [option.name for option in game.options if option.shapes_setup]
    return next((name for name in shaping if _as_json(now.get(name, was[name])) != _as_json(was[name])), None)


def _as_json(value: Any) -> Any:
    """A value as the record has it, in which there are lists alone."""
    return list(value) if isinstance(value, tuple) else value
