"""The OpenAPI document: what the resources say of themselves, completed with refusals, the games and real examples.

`python -m service.runtime.write_openapi` writes `openapi.yaml` anew.
"""

import copy
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

from service import __version__
from service.accounts import names
from service.api.document.examples import EXAMPLES
from service.api.document.gameschemas import game_schemas
from service.errors import PROBLEMS
from service.levels import LEVELS
from service.limits.costs import FREE

OPENAPI = Path(__file__).resolve().parents[3] / "openapi.yaml"
SPEC_OPTIONS = {
    "API_TITLE": "Wintercount",
    "API_VERSION": __version__,
    "OPENAPI_VERSION": "3.1.0",
    "API_SPEC_OPTIONS": {
        "info": {
            "description": "Card games with hidden hands and secret choices, kept as events that are never redrawn.",
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "servers": [{"url": "/"}],
    },
}
METHODS = ("get", "put", "post", "delete")
TOKEN = {
    "type": "http",
    "scheme": "bearer",
    "description": "A token may do what its scopes say: `play` (open, sit, move, dispute), `watch` (see with the eyes "
    "of one's own seat; the inbox), `arbitrate` (decide disputes), `account` (tokens and webhook; an account's first "
    "token has it), `metrics` and `admin` (the operator's). Each operation names the scopes that it needs. Where a "
    "token is optional, one without them sees what everybody sees; the answer to one's own move needs `play` alone.",
}
TEXT = {"type": "string"}
PATH_PARAMETERS: dict[str, dict[str, Any]] = {
    "table": {"schema": TEXT | {"pattern": "^t_[a-z2-7]{16}$"}, "description": "the table's id"},
    "seat": {"schema": {"type": "integer", "minimum": 1, "maximum": 8}, "description": "a seat, counted from 1"},
    "version": {"schema": {"type": "integer", "minimum": 1}, "description": "the version of an event"},
    "game": {"schema": TEXT | {"pattern": "^[a-z][a-z-]*$"}, "description": "the game, such as big-manitou"},
    "dispute": {"schema": TEXT | {"pattern": "^d[0-9]+$"}, "description": "the id of a dispute"},
    "takeback": {"schema": TEXT | {"pattern": "^b[0-9]+$"}, "description": "the id of a takeback"},
    "rule_id": {"schema": TEXT | {"pattern": "^[A-Z]{2}-[A-Z0-9.a-z]+$"}, "description": "a rule, such as BM-5.4b"},
    "token": {"schema": TEXT | {"pattern": "^[0-9a-f]{12}$"}, "description": "the id of a token"},
}
ERROR_HEADERS = {
    "401": {"WWW-Authenticate": {"description": "Bearer", "required": True, "schema": TEXT}},
    "429": {"Retry-After": {"description": "seconds", "required": True, "schema": {"type": "integer"}}},
    "503": {"Retry-After": {"description": "seconds", "required": True, "schema": {"type": "integer"}}},
}
LINKS: dict[str, dict[str, tuple[str, ...]]] = {
    "post_tables": {
        "table": (
            "get_tables_by_table",
            "get_tables_by_table_events",
            "get_tables_by_table_moves",
            "get_tables_by_table_rulings",
        )
    },
    "post_players_me_tokens": {"token": ("delete_players_me_tokens_by_token",)},
}


def _seat(kinds: list[str], **more: Any) -> dict[str, Any]:
    properties = {"kind": TEXT | {"enum": kinds}} | more
    return {"type": "object", "required": list(properties), "properties": properties, "additionalProperties": False}


def _only(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "additionalProperties": False}


LEVEL = TEXT | {"enum": list(LEVELS)}
EXACT = {  # what fields alone cannot say: which of them go together
    "SeatRequest": {
        "description": "What a seat is meant for: for who opens the table, for anybody, for one player, for an AI.",
        "oneOf": [
            _seat(["me", "open"]),
            _seat(["player"], player=TEXT | {"pattern": "^[A-Za-z0-9_-]{1,64}$"}),
            _seat(["ai"], level=LEVEL),
        ],
    },
    "SittingRequest": {
        "description": "Who sits down: the caller, who may contribute to the table's luck, or an AI.",
        "oneOf": [
            _only(contribution=TEXT | {"minLength": 1, "maxLength": 64, "pattern": names.TEXT}),
            _only(level=LEVEL) | {"required": ["level"]},
        ],
    },
}


def complete(document: dict[str, Any]) -> dict[str, Any]:
    """The document with the schemas of the games, the refusals, security, links and examples in it."""
    document = copy.deepcopy(document)
    components = document.setdefault("components", {})
    schemas = components.setdefault("schemas", {})
    schemas.pop("Error", None)
    schemas.pop("PaginationMetadata", None)
    schemas.update(EXACT | game_schemas(), Problem=_problem_schema())
    components["securitySchemes"] = {"token": TOKEN}
    components.pop("responses", None)
    for path, item in document["paths"].items():
        for parameter in item.get("parameters", ()):
            parameter.update(PATH_PARAMETERS[parameter["name"]])
        for method in METHODS:
            if method in item:
                _complete_operation(path, method, item[method])
    _use_portable_patterns(document)
    return document


class _Dumper(yaml.SafeDumper):
    """Writes everything out: a reader need not look for anchors."""

    def ignore_aliases(self, _: Any) -> bool:
        return True


def as_yaml(document: dict[str, Any]) -> str:
    """The document as it stands in `openapi.yaml`."""
    return str(yaml.dump(document, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=120))


def _problem_schema() -> dict[str, Any]:
    return {
        "type": "object",
        "description": "RFC 9457. `code` is for machines, `detail` for people; further members as they apply.",
        "required": ["type", "title", "status", "detail", "code"],
        "properties": {
            "type": TEXT,
            "title": TEXT,
            "status": {"type": "integer"},
            "detail": TEXT,
            "code": TEXT | {"enum": list(PROBLEMS)},
            "rule": TEXT | {"description": "the rule that forbids the move"},
            "version": {"type": "integer", "description": "the table's version"},
            "decision": {"type": ["string", "null"], "description": "the decision that is open instead"},
            "option": TEXT | {"description": "the house rule that was refused"},
            "retry_after": {"type": "integer", "description": "seconds to wait"},
            "quota": TEXT | {"description": "what there would be too many of"},
            "most": {"type": "integer", "description": "how many there may be"},
            "errors": {"type": "object", "description": "what does not fit, by place and field"},
            "loaded_percent": {"type": "number", "description": "how much of its data the store has loaded"},
            "eta_s": {"type": "integer", "description": "seconds until it has loaded all, as it reckons"},
        },
    }


def _complete_operation(path: str, method: str, operation: dict[str, Any]) -> None:
    contract = operation.pop("x-contract")
    operation["operationId"] = _operation_id(path, method)
    operation["security"] = _security(contract)
    if contract["headers"]:
        operation["parameters"] = operation.get("parameters", []) + contract["headers"]
    operation["responses"].pop("default", None)
    for status, codes in sorted(_refusals(path, operation, contract).items()):
        operation["responses"][status] = _refusal(status, codes)
    operation["responses"] = {
        str(s): r for s, r in sorted(operation["responses"].items(), key=lambda kept: str(kept[0]))
    }
    _add_examples(operation)
    _add_links(operation)


def _security(contract: dict[str, Any]) -> list[dict[str, Any]]:
    """The scopes that a token needs: those of any entry of the list; an empty one means that there need be no token."""
    if contract["caller"] is None:
        return []
    shown: list[dict[str, Any]] = [{"token": scopes} for scopes in contract["scopes"] or [[]]]
    return [{}, *shown] if contract["caller"] == "optional" else shown


def _refusals(path: str, operation: dict[str, Any], contract: dict[str, Any]) -> dict[str, list[str]]:
    """The codes that an operation may refuse with, by status."""
    found: dict[str, list[str]] = defaultdict(list)
    for code in dict.fromkeys([*contract["refuses"], *_common_refusals(path, operation, contract)]):
        found[str(PROBLEMS[code].status)].append(code)
    return found


def _common_refusals(path: str, operation: dict[str, Any], contract: dict[str, Any]) -> Iterator[str]:
    """What an operation refuses because of what it reads."""
    if contract["caller"]:
        yield "unauthenticated"
    if contract["caller"] == "needed" and contract["scopes"]:
        yield "scope-missing"
    if "{" in path:
        yield "not-found"
    if any(parameter["in"] == "query" for parameter in operation.get("parameters", ())):
        yield "invalid"
    if "requestBody" in operation:
        yield from ("malformed", "unsupported-media-type", "invalid", "too-slow", "too-busy")
    if any(header["name"] == "Idempotency-Key" for header in contract["headers"]):
        yield from ("malformed", "too-large", "request-reused")
    if path not in FREE:
        yield "too-many-requests"
    if contract["asks_store"]:
        yield from ("store-unavailable", "store-loading", "store-full", "log-damaged", "log-newer")
    yield "internal"


def _refusal(status: str, codes: list[str]) -> dict[str, Any]:
    schema = {"allOf": [{"$ref": "#/components/schemas/Problem"}, {"properties": {"code": {"enum": codes}}}]}
    told = "; ".join(f"{code}: {PROBLEMS[code].title}" for code in codes)
    answer = {"description": told, "content": {"application/problem+json": {"schema": schema}}}
    return answer | ({"headers": ERROR_HEADERS[status]} if status in ERROR_HEADERS else {})


def _add_examples(operation: dict[str, Any]) -> None:
    example = EXAMPLES.get(operation["operationId"], {})
    if "request" in example:
        for media in operation["requestBody"]["content"].values():
            media["example"] = example["request"]
    success = next(code for code in operation["responses"] if code.startswith("2"))
    for media, content in operation["responses"][success].get("content", {}).items():
        if media in example.get("answers", {}):
            content["example"] = example["answers"][media]


def _add_links(operation: dict[str, Any]) -> None:
    """What can be asked of something that was just made."""
    for name, following in LINKS.get(operation["operationId"], {}).items():
        parameters = {name: f"$response.body#/{name}"}
        links = {one: {"operationId": one, "parameters": parameters} for one in following}
        operation["responses"]["201"].setdefault("links", {}).update(links)


def _operation_id(path: str, method: str) -> str:
    words = [word for word in path.replace("{", "by/").replace("}", "").split("/") if word not in ("", "v1")]
    return "_".join([method, *(word.replace("-", "_").replace(".", "_") for word in words)])


def _use_portable_patterns(node: Any) -> None:
    r"""Python's `\Z` is `$` in the regular expressions of JSON Schema."""
    if isinstance(node, dict):
        if isinstance(node.get("pattern"), str):
            node["pattern"] = node["pattern"].replace(r"\Z", "$")
        for value in node.values():
            _use_portable_patterns(value)
    elif isinstance(node, list):
        for value in node:
            _use_portable_patterns(value)
