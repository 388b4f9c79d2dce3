"""From JSON to moves and options, the same way in every game; and from events to payloads."""

from collections.abc import Mapping
from typing import Any, TypeVar

import msgspec

from games.kernel import AnyGame, Event, Move, MoveRefused, Option, OptionsRefused

OptionsT = TypeVar("OptionsT", bound=msgspec.Struct)


def move_from(raw: Any, union: Any, rule: str) -> Any:
    """The move that the JSON object `raw` is, else a refusal with `rule` (the form check `4.1a` of every game)."""
    if isinstance(raw, Move):
        return raw
    try:
        return msgspec.convert(raw, union, strict=True)
    except msgspec.ValidationError as error:
        raise MoveRefused(rule, str(error)) from None


def options_from(raw: Mapping[str, Any], options: type[OptionsT]) -> OptionsT:
    """The options with all defaults filled in; unknown names and values raise `OptionsRefused`."""
    unknown = sorted(set(raw) - set(options.__struct_fields__))
    if unknown:
        raise OptionsRefused(unknown[0], f"there is no option {unknown[0]!r}")
    for name, value in raw.items():
        try:
            msgspec.convert({name: value}, options, strict=True)
        except msgspec.ValidationError as error:
            raise OptionsRefused(name, f"option {name!r}: {error}") from None
    return msgspec.convert(dict(raw), options, strict=True)


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


def event_type(event: Any) -> str:
    """The name of an event, or of its class, as it stands in the log."""
    return str(event.__struct_config__.tag)


def payload_of(event: Event) -> dict[str, Any]:
    """All that an event says, as JSON values, without its type; fields that are unset are left out."""
    payload: dict[str, Any] = msgspec.to_builtins(event)
    del payload["type"]
    return payload


def event_from(type_name: str, payload: Mapping[str, Any], union: Any) -> Any:
    """The event that a type and a payload are; fields that the payload leaves out become unset."""
    return msgspec.convert({"type": type_name, **payload}, union)


def reshaped(game: AnyGame, was: Mapping[str, Any], now: Mapping[str, Any]) -> str | None:
    """The first house rule that differs although it shapes the set-up, so that a game under way cannot change it."""
    shaping = [option.name for option in game.options if option.shapes_setup]
    return next((name for name in shaping if _as_json(now.get(name, was[name])) != _as_json(was[name])), None)


def _as_json(value: Any) -> Any:
    """A value as the record has it, in which there are lists alone."""
    return list(value) if isinstance(value, tuple) else value
