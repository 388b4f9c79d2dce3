"""JSON Schemas in a form that every generator of clients reads: open in responses, closed in requests."""

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from games import GAMES
from service.api.schemas.parts import STATUSES, VISIBILITIES
from service.levels import LEVELS

Schema = dict[str, Any]

TEXT: Schema = {"type": "string"}
NUMBER: Schema = {"type": "integer"}
TIME: Schema = TEXT | {"format": "date-time"}
ENUMS = {
    "GameName": (tuple(GAMES), "A game that this server hosts."),
    "LevelName": (tuple(LEVELS), "A level of the AI players."),
    "TableStatus": (STATUSES, "`open` until every seat is taken, then `running`, then `finished`."),
    "Visibility": (VISIBILITIES, "`public`: everybody may see the table; `private`: only those it names."),
}
FIXED = (STATUSES, VISIBILITIES)  # sets to which nothing will be added
NAMES = {values: name for name, (values, _) in ENUMS.items()}
TYPES = {str: "string", int: "integer", bool: "boolean", type(None): "null"}
DATA = ("example", "examples", "default", "mapping", "x-contract", "x-extensible-enum")  # values, not schemas
BY_NAME = ("properties", "schemas")  # whose keys are names, not keywords
ALTERNATIVES = re.compile(r"\^\(([\w|-]+)\)\$(?:\(\?!\n\))?")
MOST_ALTERNATIVES = 12  # a longer list, of all cards of a game, helps nobody
PORTABLE = re.compile(r"[ -~]*")  # a regular expression in ASCII…
DIALECT = re.compile(r"\(\?[^:]|\\[pPuxsZA]")  # … without what some dialects lack


def record(description: str, required: dict[str, Schema], **optional: Schema) -> Schema:
    """The schema of an object with these fields."""
    schema: Schema = {"type": "object", "description": description, "required": list(required)}
    return schema | {"properties": required | optional}


def ref(name: str) -> dict[str, str]:
    """A reference to a schema of the document."""
    return {"$ref": f"#/components/schemas/{name}"}


def references(node: Any) -> set[str]:
    """All references in a part of a document."""
    if isinstance(node, list):
        return set().union(*map(references, node))
    if not isinstance(node, dict):
        return set()
    own = {node["$ref"]} if isinstance(node.get("$ref"), str) else set()
    return own.union(*map(references, node.values()))


def reached(schemas: Mapping[str, Schema], node: Any) -> set[str]:
    """The names of the schemas that a part of a document refers to, directly or through others."""
    found: set[str] = set()
    waiting = {one.rpartition("/")[2] for one in references(node)} & schemas.keys()
    while waiting:
        name = waiting.pop()
        found.add(name)
        waiting |= ({one.rpartition("/")[2] for one in references(schemas[name])} & schemas.keys()) - found
    return found


def named_enums() -> dict[str, Schema]:
    """The sets of values that have a name."""
    return {name: TEXT | {"enum": list(values), "description": said} for name, (values, said) in ENUMS.items()}


def union(field: str, names: Mapping[str, str], description: str | None = None) -> Schema:
    """A union of schemas that a field tells apart; `names` has a schema for each value."""
    mapping = {value: ref(name)["$ref"] for value, name in names.items()}
    schema: Schema = {"type": "object"} | ({"description": description} if description else {})
    one_of = [ref(name) for name in dict.fromkeys(names.values())]
    return schema | {"oneOf": one_of, "discriminator": {"propertyName": field, "mapping": mapping}}


def plain(node: Any) -> Any:
    """A part of a document with its schemas rewritten so that every generator reads them."""
    return rewritten(node, REWRITTEN)


def opened(node: Any) -> Any:
    """A schema of responses: fields and values may be added later."""
    return rewritten(node, OPENED)


def closed(schema: Schema) -> Schema:
    """A schema of requests: no other fields. Its description says what holds by default."""
    found: Schema = rewritten(schema, {"default": _described_default})
    return found | ({"additionalProperties": False} if "properties" in found else {})


def rewritten(node: Any, rules: Mapping[str, Any]) -> Any:
    """A part of a document in which each schema with one of these keywords is passed to its rule."""
    if isinstance(node, list):
        return [rewritten(item, rules) for item in node]
    if not isinstance(node, dict):
        return node
    found = {name: _part(name, value, rules) for name, value in node.items()}
    for word, rule in rules.items():
        if word in found:
            found = rule(found)
    return found


def _part(name: str, value: Any, rules: Mapping[str, Any]) -> Any:
    if name in DATA:
        return value
    if name in BY_NAME:
        return {inner: rewritten(schema, rules) for inner, schema in value.items()}
    return rewritten(value, rules)


def _tuple(schema: Schema) -> Schema:
    """A list of fixed length: generators stumble over a schema for each place."""
    items = schema.pop("prefixItems")
    kinds = [item for number, item in enumerate(items) if item not in items[:number]]
    return schema | {"items": kinds[0] if len(kinds) == 1 else {"anyOf": kinds}}


def _enum(schema: Schema) -> Schema:
    """An enum by its name, if it has one; with values of several types, a choice between those."""
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
    """A schema that was wrapped because a reference allows nothing beside it."""
    (first, *more) = schema["allOf"]
    if more or ("$ref" in first and len(schema) > 1):
        return schema
    merged: Schema = {name: value for name, value in schema.items() if name != "allOf"} | first
    return merged


def _pattern(schema: Schema) -> Schema:
    """A pattern that every dialect of regular expressions reads; another one is left to the service."""
    pattern = schema.pop("pattern").replace(r"\Z", "$")
    if found := ALTERNATIVES.fullmatch(pattern):
        values = found[1].split("|")
        return schema | ({"enum": values} if len(values) <= MOST_ALTERNATIVES else {})
    portable = PORTABLE.fullmatch(pattern) and not DIALECT.search(pattern)
    return schema | ({"pattern": pattern} if portable else {})


def _least_length(schema: Schema) -> Schema:
    """The least length of an object, which counts its properties."""
    if schema.get("type") != "object":
        return schema
    return {"minProperties" if name == "minLength" else name: value for name, value in schema.items()}


def _any_of(schema: Schema) -> Schema:
    """A type or null, as a list of types."""
    first, *more = schema["anyOf"]
    if more != [{"type": "null"}] or not isinstance(first.get("type"), str) or "enum" in first or "const" in first:
        return schema
    merged: Schema = first | schema | {"type": [first["type"], "null"]}
    del merged["anyOf"]
    return merged


def _without_closing(schema: Schema) -> Schema:
    closing = schema["additionalProperties"] is False
    return {name: value for name, value in schema.items() if not (closing and name == "additionalProperties")}


def _extensible(schema: Schema) -> Schema:
    if tuple(schema["enum"]) in FIXED:
        return schema
    return {"x-extensible-enum" if name == "enum" else name: value for name, value in schema.items()}


def _without_default(schema: Schema) -> Schema:
    return {name: value for name, value in schema.items() if name != "default"}


def _described_default(schema: Schema) -> Schema:
    value = schema.pop("default")
    if value in (None, {}, ""):
        return schema
    said = f"default: {str(value).lower() if isinstance(value, bool) else value}"
    return schema | {"description": "; ".join(filter(None, (schema.get("description"), said)))}


OPENED = {
    "additionalProperties": _without_closing,
    "enum": _extensible,
    "default": _without_default,
    "anyOf": _any_of,
}
REWRITTEN = {
    "prefixItems": _tuple,
    "pattern": _pattern,
    "minLength": _least_length,
    "enum": _enum,
    "const": _constant,
    "allOf": _only_reference,
    "anyOf": _any_of,
}


NAMED = ("FeedBatch",)  # by the hand-written clients
LARGEST_PART = 1800  # characters of JSON


def with_parts_in_place(schemas: Mapping[str, Schema], operations: Any) -> dict[str, Schema]:
    """The schemas, in which a small object that only one schema uses stands there, under its name as its title."""
    uses = Counter(one.rpartition("/")[2] for one in _every_reference([*schemas.values(), operations]))
    kept = {one.rpartition("/")[2] for one in [*references(operations), *_of_unions(list(schemas.values()))]}
    parts = {
        name: schema
        for name, schema in schemas.items()
        if uses[name] == 1 and name not in kept and name not in NAMED
        if "properties" in schema and "x-kinds" not in schema and len(json.dumps(schema)) <= LARGEST_PART
    }
    return {name: _in_place(schema, parts) for name, schema in schemas.items() if name not in parts}


def _every_reference(node: Any) -> Iterator[str]:
    if isinstance(node, list):
        for item in node:
            yield from _every_reference(item)
    if isinstance(node, dict):
        if isinstance(node.get("$ref"), str):
            yield node["$ref"]
        for name, value in node.items():
            yield from () if name in DATA else _every_reference(value)


def _of_unions(node: Any) -> Iterator[str]:
    """The references in compositions and in unions that a field tells apart, whose members keep their names."""
    if isinstance(node, list):
        for item in node:
            yield from _of_unions(item)
    if isinstance(node, dict):
        members = node.get("oneOf", []) + (node["allOf"] if len(node.get("allOf", [])) > 1 else [])
        yield from references([one for one in members if "$ref" in one])
        for value in node.values():
            yield from _of_unions(value)


def _in_place(node: Any, parts: Mapping[str, Schema]) -> Any:
    if isinstance(node, list):
        return [_in_place(item, parts) for item in node]
    if not isinstance(node, dict):
        return node
    name = str(node.get("$ref")).rpartition("/")[2]
    if name in parts:
        return {"title": name} | _in_place(parts[name], parts)
    return {key: value if key in DATA else _in_place(value, parts) for key, value in node.items()}
