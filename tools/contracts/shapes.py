"""Schemas in a form that every generator of clients reads, and the recorded examples."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from games import GAMES
from service.api.schemas.parts import STATUSES, VISIBILITIES
from service.levels import LEVELS

Schema = dict[str, Any]

ENUMS = {
    "GameName": (tuple(GAMES), "A game that is hosted."),
    "LevelName": (tuple(LEVELS), "A level of the AI players."),
    "TableStatus": (STATUSES, "How far a table is."),
    "Visibility": (VISIBILITIES, "Who may see a table: everybody, or those alone whom it names."),
}
NAMES = {values: name for name, (values, _) in ENUMS.items()}
TYPES = {str: "string", int: "integer", bool: "boolean", type(None): "null"}
DATA = ("example", "examples", "default", "mapping", "x-contract")  # values, in which no schema stands
BY_NAME = ("properties", "schemas")  # whose names are not those of JSON Schema


def ref(name: str) -> dict[str, str]:
    """A reference to a schema of the document."""
    return {"$ref": f"#/components/schemas/{name}"}


def referred(node: Any) -> set[str]:
    """The names of the schemas that a part of the document refers to."""
    if isinstance(node, list):
        return set().union(*map(referred, node))
    if not isinstance(node, dict):
        return set()
    own = {node["$ref"].rpartition("/")[2]} if isinstance(node.get("$ref"), str) else set()
    return own.union(*map(referred, node.values()))


def reached(schemas: Mapping[str, Schema], node: Any) -> dict[str, Schema]:
    """The schemas that a part of the document refers to, by itself or through others."""
    found: dict[str, Schema] = {}
    waiting = referred(node) & schemas.keys()
    while waiting:
        name = waiting.pop()
        found[name] = schemas[name]
        waiting |= (referred(schemas[name]) & schemas.keys()) - found.keys()
    return dict(sorted(found.items()))


def enums() -> dict[str, Schema]:
    """The enums that have a name."""
    return {
        name: {"type": "string", "enum": list(values), "description": description}
        for name, (values, description) in ENUMS.items()
    }


def told_apart(field: str, names: dict[str, str], description: str | None = None) -> Schema:
    """The union of schemas by what their `field` says: for each value the name of one."""
    union: Schema = {
        "type": "object",
        "oneOf": [ref(name) for name in dict.fromkeys(names.values())],
        "discriminator": {
            "propertyName": field,
            "mapping": {value: ref(name)["$ref"] for value, name in names.items()},
        },
    }
    return union | ({"description": description} if description else {})


def plain(node: Any) -> Any:
    """What a document says, in schemas that every generator reads."""
    if isinstance(node, list):
        return [plain(item) for item in node]
    if not isinstance(node, dict):
        return node
    found = {name: _part(name, value) for name, value in node.items()}
    for word, rewritten in REWRITTEN.items():
        if word in found:
            found = rewritten(found)
    return found


def _part(name: str, value: Any) -> Any:
    if name in DATA:
        return value
    if name in BY_NAME:
        return {inner: plain(schema) for inner, schema in value.items()}
    return plain(value)


def _tuple(schema: Schema) -> Schema:
    """A list of fixed length, where a generator would stumble over a schema for each place."""
    items = schema.pop("prefixItems")
    kinds = [item for number, item in enumerate(items) if item not in items[:number]]
    return schema | {"items": kinds[0] if len(kinds) == 1 else {"anyOf": kinds}}


def _enum(schema: Schema) -> Schema:
    """An enum under its name, if it has one; one whose values are of several types as a choice between them."""
    values = schema.pop("enum")
    schema.pop("type", None)
    choices = [_choice([v for v in values if type(v) is kind]) for kind in dict.fromkeys(map(type, values))]
    if len(choices) > 1:
        return schema | {"anyOf": choices}
    if "$ref" in choices[0] and schema:
        return schema | {"allOf": choices}
    return schema | choices[0]


def _choice(values: list[Any]) -> Schema:
    """One of some values of a type."""
    if tuple(values) in NAMES:
        return {**ref(NAMES[tuple(values)])}
    kind = {"type": TYPES[type(values[0])]}
    if values[0] is None:
        return kind
    return kind | ({"const": values[0]} if len(values) == 1 else {"enum": values})


def _constant(schema: Schema) -> Schema:
    return {"type": TYPES[type(schema["const"])]} | schema


def _only_reference(schema: Schema) -> Schema:
    """A reference that was wrapped because more might have stood beside it."""
    (first, *more) = schema["allOf"]
    return first if len(schema) == 1 and not more and "$ref" in first else schema


def _pattern(schema: Schema) -> Schema:
    r"""Python's `\Z` is `$` in the regular expressions of JSON Schema."""
    pattern = schema["pattern"]
    return schema | {"pattern": pattern.replace(r"\Z", "$") if isinstance(pattern, str) else pattern}


REWRITTEN = {
    "prefixItems": _tuple,
    "enum": _enum,
    "const": _constant,
    "allOf": _only_reference,
    "pattern": _pattern,
}


RECORDED = Path(__file__).with_name("examples.json")
EXAMPLES: dict[str, dict[str, Any]] = json.loads(RECORDED.read_text(encoding="utf-8"))
