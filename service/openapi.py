"""The OpenAPI document: what the resources say of themselves, completed with the games' moves, events and views."""

import copy
from typing import Any

import msgspec
import yaml

from games import GAMES
from games.kernel import Game
from service.errors import PROBLEMS
from service.examples import EXAMPLES

SPEC_OPTIONS = {
    "API_TITLE": "Wintercount",
    "API_VERSION": "v1",
    "OPENAPI_VERSION": "3.1.0",
    "API_SPEC_OPTIONS": {
        "info": {
            "description": "Card games with hidden hands and secret choices, kept as events that are never redrawn.",
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "servers": [{"url": "/"}],
    },
}
PROBLEM = {
    "description": "The request was refused",
    "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}},
}
METHODS = ("get", "post", "delete")


def complete(document: dict[str, Any]) -> dict[str, Any]:
    """The document with the schemas of the games, the refusals, security and examples in it."""
    document = copy.deepcopy(document)
    components = document.setdefault("components", {})
    schemas = components.setdefault("schemas", {})
    schemas.pop("Error", None)
    schemas.pop("PaginationMetadata", None)
    schemas.update(_game_schemas())
    schemas["Problem"] = _problem_schema()
    components["securitySchemes"] = {"token": {"type": "http", "scheme": "bearer"}}
    components.pop("responses", None)
    for path, item in document["paths"].items():
        for method in METHODS:
            if method in item:
                _complete_operation(path, method, item[method])
    return document


def as_yaml(document: dict[str, Any]) -> str:
    """The document as it stands in `openapi.yaml`."""
    return yaml.safe_dump(document, sort_keys=False, allow_unicode=True, width=120)


def _problem_schema() -> dict[str, Any]:
    text = {"type": "string"}
    return {
        "type": "object",
        "description": "RFC 9457. `code` is for machines, `detail` for people; further members as they apply.",
        "required": ["type", "title", "status", "detail", "code"],
        "properties": {
            "type": text,
            "title": text,
            "status": {"type": "integer"},
            "detail": text,
            "code": {"type": "string", "enum": list(PROBLEMS)},
            "rule": text,
            "version": {"type": "integer"},
            "decision": {"type": ["string", "null"]},
            "option": text,
            "errors": {"type": "object"},
        },
    }


def _complete_operation(path: str, method: str, operation: dict[str, Any]) -> None:
    operation["operationId"] = operation.get("operationId") or _operation_id(path, method)
    operation["security"] = [{}, {"token": []}]
    responses = operation["responses"]
    responses.pop("422", None)
    responses["default"] = PROBLEM
    example = EXAMPLES.get(operation["operationId"], {})
    if "request" in example:
        operation["requestBody"]["content"]["application/json"]["example"] = example["request"]
    if "response" in example:
        success = next(code for code in responses if code.startswith("2"))
        for media in responses[success].get("content", {}).values():
            media["example"] = example["response"]


def _operation_id(path: str, method: str) -> str:
    words = [word for word in path.replace("{", "by/").replace("}", "").split("/") if word not in ("", "v1")]
    return "_".join([method, *(word.replace("-", "_").replace(".", "_") for word in words)])


def _game_schemas() -> dict[str, Any]:
    schemas: dict[str, Any] = {}
    unions: dict[str, list[dict[str, str]]] = {"Move": [], "LegalMove": [], "View": [], "GameEvent": []}
    for game in GAMES.values():
        title = "".join(word.title() for word in game.slug.split("-"))
        moves, summaries = list(game.MOVES), list(game.SUMMARIES)
        parts = {"Move": moves, "LegalMove": moves + summaries, "View": [game.View], "GameEvent": list(game.EVENTS)}
        schemas.update(_components(game, title, parts))
        for part in unions:
            unions[part].append({"$ref": f"#/components/schemas/{title}{part}"})
    schemas |= {part: {"anyOf": refs} for part, refs in unions.items()}
    return schemas | {"Event": _event_schema()}


def _components(game: Game, title: str, parts: dict[str, list[Any]]) -> dict[str, Any]:
    kinds = [kind for group in parts.values() for kind in group]
    _, named = msgspec.json.schema_components(kinds, ref_template=f"#/components/schemas/{title}.{{name}}")
    found = {f"{title}.{name}": schema for name, schema in named.items()}
    for part, group in parts.items():
        refs = [{"$ref": f"#/components/schemas/{title}.{kind.__name__}"} for kind in group]
        found[title + part] = refs[0] if part == "View" else {"oneOf": refs}
        if part in ("Move", "GameEvent"):
            found[title + part]["discriminator"] = {
                "propertyName": "type",
                "mapping": {
                    str(kind.__struct_config__.tag): ref["$ref"] for kind, ref in zip(group, refs, strict=True)
                },
            }
    del game
    return found


def _event_schema() -> dict[str, Any]:
    text, number = {"type": "string"}, {"type": "integer"}
    return {
        "type": "object",
        "description": (
            "An event as the caller may read it. Without `hash`, `opened`, `words` and the fields that `opened` names "
            "(of the payload if `readers` names them too) it is the public envelope, whose canonical JSON is hashed: "
            "hash = SHA-256(hash before, version as 8 bytes, envelope). A secret is committed to in `secrets` by "
            "SHA-256(salt, canonical JSON of the value). The payloads of the games' events are those of GameEvent."
        ),
        "required": [
            "table",
            "version",
            "type",
            "schema",
            "at",
            "by",
            "batch",
            "payload",
            "readers",
            "secrets",
            "hash",
        ],
        "properties": {
            "table": text,
            "version": number,
            "type": text,
            "schema": number,
            "at": text,
            "by": {"type": "object"},
            "request": {"type": ["string", "null"]},
            "batch": {"type": "array", "items": number, "minItems": 2, "maxItems": 2},
            "payload": {"type": "object"},
            "readers": {"type": "object", "additionalProperties": {"type": "array", "items": number}},
            "secrets": {"type": "object", "additionalProperties": text},
            "draws": {"type": "object", "additionalProperties": number},
            "hash": text,
            "opened": {"type": "object", "additionalProperties": {"type": "object"}},
            "move": {"description": "the move that caused the batch, if the caller may read it"},
            "ai_seed": {"type": "string", "description": "the seed of an AI's choice, when the game is over"},
            "words": {"type": "string", "description": "a sentence, if a language was asked for"},
        },
    }
