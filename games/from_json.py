"""Parses moves, alike for every game, with refusals that say what is wrong."""

import re
from collections.abc import Mapping
from functools import cache
from typing import Any

import msgspec
from msgspec import inspect, json

from games.kernel import Move, MoveRefused


def move_from(raw: Any, union: Any, rule: str) -> Any:
    """Parses a JSON object or a move that a caller built; refuses with `rule` (the form check `4.1a` of every game)."""
    try:
        raw = msgspec.to_builtins(raw) if isinstance(raw, Move) else raw
        return msgspec.convert(raw, _kinds(union)[raw["type"]], strict=True)  # a union takes ten times as long
    except (msgspec.ValidationError, KeyError, TypeError) as error:
        raise _refusal(raw, union, rule, str(error)) from None


@cache
def _kinds(union: Any) -> dict[str, type[Move]]:
    """Returns the types of a union by name."""
    return {str(kind.__struct_config__.tag): kind for kind in getattr(union, "__args__", (union,))}


def _refusal(raw: Any, union: Any, rule: str, reason: str) -> MoveRefused:
    """Explains why a JSON value is not a move of these types; `reason` is the decoder's message."""
    kinds = _kinds(union)
    if not isinstance(raw, Mapping):
        said = f"is an object whose `type` is one of {', '.join(kinds)}"
        return MoveRefused(rule, f"a move {said}", ("", said))
    name = raw.get("type")
    if not isinstance(name, str) or name not in kinds:
        said = f"`type` is one of {', '.join(kinds)}"
        return MoveRefused(rule, said, ("/type", said))
    fields = ", ".join(("type", *kinds[name].__struct_encode_fields__))
    said = fault(kinds[name], reason)
    return MoveRefused(rule, f"{name} has exactly the fields {fields}; {said}", (_pointer(reason), said))


def _pointer(reason: str) -> str:
    """Returns the JSON Pointer to what the decoder's message is about; of an unordered set to the set itself."""
    said, _, path = reason.partition(" - at ")
    path = path.partition("[...]")[0] + "".join(f".{name}" for name in re.findall(r" field `(\w+)`$", said))
    return "".join(f"/{name or number}" for name, number in re.findall(r"\.(\w+)|\[(\d+)\]", path))


def fault(kind: type[msgspec.Struct], reason: str) -> str:
    """Rewrites the decoder's message about a class, listing the values of a field that allows only a few."""
    said, _, path = reason.partition(" - at ")
    place = path.replace("$.", "")
    if values := _values_at(_described(kind), path):
        return f"{place} is one of {', '.join(json.encode(value).decode() for value in values)}"
    return said[:1].lower() + said[1:] + (f" at {place}" if place else "")


@cache  # slower than the rest of a refusal
def _described(kind: type[msgspec.Struct]) -> Any:
    return inspect.type_info(kind)


def _values_at(info: Any, path: str) -> list[Any]:
    """Returns the allowed values at a place like `$.cards[...].pile`; none if they are not listed."""
    for step in re.findall(r"\.(\w+)|\[", path):
        if step and isinstance(info, inspect.StructType):
            info = next((field.type for field in info.fields if field.encode_name == step), None)
        else:
            info = getattr(info, "item_type", None)
    if isinstance(info, inspect.LiteralType):
        return sorted(info.values, key=str)
    words = re.match(r"\^\(([\w|]+)\)\$", getattr(info, "pattern", None) or "")
    return words.group(1).split("|") if words else []
