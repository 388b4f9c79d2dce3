"""From JSON to moves and options, the same way in every game; and from events to payloads."""

import re
from collections.abc import Mapping
from typing import Any, TypeVar

import msgspec
from msgspec import inspect, json

from games.kernel import AnyGame, Event, Move, MoveRefused, Option, OptionsRefused, OptionValueRefused

OptionsT = TypeVar("OptionsT", bound=msgspec.Struct)


def move_from(raw: Any, union: Any, rule: str) -> Any:
    """The move that the JSON object `raw` is, else a refusal with `rule` (the form check `4.1a` of every game)."""
    if isinstance(raw, Move):
        return raw
    try:
        return msgspec.convert(raw, union, strict=True)
    except msgspec.ValidationError as error:
        raise MoveRefused(rule, no_move(raw, union, str(error))) from None


def no_move(raw: Any, union: Any, told: str) -> str:
    """Why a JSON value is no move of these types, and what it may be instead; `told` is the decoder's reason."""
    kinds = {str(kind.__struct_config__.tag): kind for kind in getattr(union, "__args__", (union,))}
    if not isinstance(raw, Mapping):
        return f"a move is an object whose `type` is one of {', '.join(kinds)}"
    name = raw.get("type")
    if not isinstance(name, str) or name not in kinds:
        return f"`type` is one of {', '.join(kinds)}"
    fields = ", ".join(("type", *kinds[name].__struct_encode_fields__))
    return f"{name} has exactly the fields {fields}; {fault(kinds[name], told)}"


def fault(kind: type[msgspec.Struct], told: str) -> str:
    """What the decoder says does not fit a class; where a place has few values, which they are."""
    said, _, path = told.partition(" - at ")
    place = path.replace("$.", "", 1)
    if values := _values_at(inspect.type_info(kind), path):
        return f"{place} is one of {', '.join(json.encode(value).decode() for value in values)}"
    return said[:1].lower() + said[1:] + (f" at {place}" if place else "")


def _values_at(info: Any, path: str) -> list[Any]:
    """The values that a place such as `$.cards[...].pile` may have, none if there is no list of them."""
    for step in re.findall(r"\.(\w+)|\[", path):
        if step and isinstance(info, inspect.StructType):
            info = next((field.type for field in info.fields if field.encode_name == step), None)
        else:
            info = getattr(info, "item_type", None)
    if isinstance(info, inspect.LiteralType):
        return sorted(info.values, key=str)
    words = re.match(r"\^\(([\w|]+)\)\$", getattr(info, "pattern", None) or "")
    return words.group(1).split("|") if words else []


def options_from(raw: Mapping[str, Any], options: type[OptionsT]) -> OptionsT:
    """The options with all defaults filled in; unknown names and values raise `OptionsRefused`."""
    unknown = sorted(set(raw) - set(options.__struct_fields__))
    if unknown:
        raise OptionsRefused(unknown[0], f"there is no option {unknown[0]!r}")
    for name, value in raw.items():
        try:
            msgspec.convert({name: value}, options, strict=True)
        except msgspec.ValidationError as error:
            raise OptionValueRefused(name, fault(options, str(error))) from None
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


def reshaped(game: AnyGame, was: Mapping[str, Any], now: Mapping[str, Any]) -> str | None:
    """The first house rule that differs although it shapes the set-up, so that a game under way cannot change it."""
    shaping = [option.name for option in game.options if option.shapes_setup]
    return next((name for name in shaping if _as_json(now.get(name, was[name])) != _as_json(was[name])), None)


def _as_json(value: Any) -> Any:
    """A value as the record has it, in which there are lists alone."""
    return list(value) if isinstance(value, tuple) else value
