"""Moves from JSON, the same way in every game; a refusal says what does not fit."""

import re
from collections.abc import Mapping
from functools import cache
from typing import Any

import msgspec
from msgspec import inspect, json

from games.kernel import Move, MoveRefused


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
