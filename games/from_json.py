"""Moves and options from JSON, the same way in every game; refusals say what does not fit."""

import re
from collections.abc import Collection, Mapping
from functools import cache
from typing import Any, Literal, TypeVar, get_args, get_origin, get_type_hints

import msgspec
from msgspec import inspect, json

from games.kernel import Move, MoveRefused, Option, OptionsRefused, OptionValueRefused

OptionsT = TypeVar("OptionsT", bound=msgspec.Struct)
SHAPES_SETUP = True  # marks a house rule that is fixed once a game has started


def move_from(raw: Any, union: Any, rule: str) -> Any:
    """The move that the JSON object `raw` is, else a refusal with `rule` (the form check `4.1a` of every game)."""
    if isinstance(raw, Move):
        return raw
    try:
        return msgspec.convert(raw, union, strict=True)
    except msgspec.ValidationError as error:
        raise MoveRefused(rule, no_move(raw, union, str(error))) from None


def no_move(raw: Any, union: Any, told: str) -> str:
    """Why a JSON value is not a move of these types, and what it may be instead; `told` is the decoder's reason."""
    kinds = {str(kind.__struct_config__.tag): kind for kind in getattr(union, "__args__", (union,))}
    if not isinstance(raw, Mapping):
        return f"a move is an object whose `type` is one of {', '.join(kinds)}"
    name = raw.get("type")
    if not isinstance(name, str) or name not in kinds:
        return f"`type` is one of {', '.join(kinds)}"
    fields = ", ".join(("type", *kinds[name].__struct_encode_fields__))
    return f"{name} has exactly the fields {fields}; {fault(kinds[name], told)}"


def fault(kind: type[msgspec.Struct], told: str) -> str:
    """What does not fit a class, as the decoder says; where only a few values are allowed, which ones."""
    said, _, path = told.partition(" - at ")
    place = path.replace("$.", "")
    if values := _values_at(_described(kind), path):
        return f"{place} is one of {', '.join(json.encode(value).decode() for value in values)}"
    return said[:1].lower() + said[1:] + (f" at {place}" if place else "")


@cache  # this takes longer than the rest of a refusal, and games have few classes
def _described(kind: type[msgspec.Struct]) -> Any:
    return inspect.type_info(kind)


def _values_at(info: Any, path: str) -> list[Any]:
    """The values that a place like `$.cards[...].pile` may have; none if they are not listed."""
    for step in re.findall(r"\.(\w+)|\[", path):
        if step and isinstance(info, inspect.StructType):
            info = next((field.type for field in info.fields if field.encode_name == step), None)
        else:
            info = getattr(info, "item_type", None)
    if isinstance(info, inspect.LiteralType):
        return sorted(info.values, key=str)
    words = re.match(r"\^\(([\w|]+)\)\$", getattr(info, "pattern", None) or "")
    return words.group(1).split("|") if words else []


def options_of(options: type[msgspec.Struct]) -> tuple[Option, ...]:
    """The house rules that a struct declares: each field's values, the default first, and the ruling they stem from.

    The type of a field is `Annotated[its values, ruling]`, with `SHAPES_SETUP` after the ruling if it does.
    """
    defaults, hints = options(), get_type_hints(options, include_extras=True).items()
    values = {name: _values(hint.__origin__, getattr(defaults, name)) for name, hint in hints}
    return tuple(Option(name, values[name], *hint.__metadata__) for name, hint in hints)


def _values(hint: Any, default: Any) -> tuple[Any, ...]:
    """The values of a house rule; none where they are not listed."""
    if hint is bool:
        return default, not default
    return get_args(hint) if get_origin(hint) is Literal else ()


def check_players(players: int, allowed: Collection[int], sentence: str) -> None:
    """Refuses a number of players that is not allowed; `sentence` says which are."""
    if type(players) is not int or players not in allowed:
        raise OptionsRefused("players", f"{sentence}, not {players}")


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
