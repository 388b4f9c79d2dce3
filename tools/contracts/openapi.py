"""The OpenAPI document, made from the resources of the service, the games, and recorded examples."""

import copy
import re
from typing import Any

from flask_smorest import Api

from service import __version__
from service.app import RESOURCES, empty_app
from service.tables.opening import PARENT
from tools.contracts import problems
from tools.contracts.examples import EXAMPLES
from tools.contracts.games import game_schemas
from tools.contracts.shapes import (
    TEXT,
    closed,
    named_enums,
    opened,
    plain,
    reached,
    ref,
    with_parts_in_place,
)
from tools.contracts.streams import FRAMES, LINES, WEBHOOKS

INTRODUCTION = """
Card games with hidden hands and secret choices, recorded as events.

## Tokens

To play you need an account: a name and a **token**. *Create a player* (`POST /v1/players`) returns both, and shows the
token only once:

```sh
curl https://wintercount.example/v1/players -H 'Content-Type: application/json' -d '{"name": "Ann"}'
```

A bot then opens a table (`POST /v1/tables`), asks for its decisions (`GET /v1/tables/{table}/moves?wait=20`), answers
each (`POST /v1/tables/{table}/moves`), and asks again until `status` is `finished`.

Send the token with each request: `Authorization: Bearer YOUR_TOKEN`. Many operations also answer without a token, and
then return what everybody may see.

| scope | what a token with it may do |
| --- | --- |
| `play` | open tables, take seats, move, make offers, resign, open disputes |
| `watch` | see what its own seat sees, and as an arbiter what disputed seats saw; read the inbox |
| `arbitrate` | look through a seat in a dispute (also needs `watch`), decide disputes |
| `account` | create and revoke tokens, set the webhook; the first token of an account has it |
| `metrics`, `admin` | for operators of the service |

Give each program only the scopes it needs: *Create a token*.

## Conventions

- Repeat a `POST` with the same `Idempotency-Key`: it takes effect once, and the repeat gets the first answer.
- An error is a problem document. Its `code` is one of [these](/docs/problems); `rule` is the rule of the game.
- Reads have an `ETag`. Where a list continues, `Link: <…>; rel="next"` leads to the next page.
""".strip()
SPEC_OPTIONS = {
    "API_TITLE": "Wintercount",
    "API_VERSION": __version__,
    "OPENAPI_VERSION": "3.1.0",
    "API_SPEC_OPTIONS": {
        "info": {
            "description": INTRODUCTION,
            "contact": {"name": "The authors of Wintercount"},
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "servers": [{"url": "/"}],
    },
}
JSON, MOST_FIELDS_OF_A_PAGE = "application/json", 4
FIXED = ("branches",)  # a list of fixed length
METHODS = ("get", "put", "post", "delete")
TOKEN = {
    "type": "http",
    "scheme": "bearer",
    "description": "A token has scopes: `play` (open tables, take seats, move, dispute), `watch` (see what its own "
    "seat sees and, as an arbiter, what disputed seats saw; read the inbox), `arbitrate` (look through a seat and "
    "decide disputes), `account` (manage tokens and the webhook; the first token of an account has it), `metrics` and "
    "`admin` (operators). Each operation names the scopes that it needs. Without `watch`, an optional token sees what "
    "spectators see, including private tables that name its account. The answer to a move needs only `play`.",
}
WEBHOOK_TAG = {"name": "webhooks", "description": "Messages that the service sends to bots"}
PATH_PARAMETERS: dict[str, dict[str, Any]] = {
    "table": {
        "schema": TEXT | {"pattern": f"^({PARENT.pattern})$"},
        "description": "the id of a table, or of a text in notation that is kept as one (`x_…`)",
    },
    "seat": {"schema": {"type": "integer", "minimum": 1, "maximum": 8}, "description": "a seat, counted from 1"},
    "seats": {"schema": {"type": "integer", "minimum": 1, "maximum": 8}, "description": "how many seats, such as 2"},
    "player": {"schema": TEXT, "description": "the id of a player, or a level of AI: ai:greedy"},
    "version": {"schema": {"type": "integer", "minimum": 1}, "description": "the version of an event"},
    "game": {"schema": ref("GameName"), "description": "the game, such as big-manitou"},
    "dispute": {"schema": TEXT | {"pattern": "^d[0-9]+(-[0-9a-f]{8})?$"}, "description": "the id of a dispute"},
    "offer": {"schema": TEXT | {"pattern": "^o[0-9]+(-[0-9a-f]{8})?$"}, "description": "the id of an offer"},
    "rule_id": {"schema": TEXT | {"pattern": "^[A-Z]{2}-[A-Z0-9.a-z]+$"}, "description": "a rule, such as BM-5.4b"},
    "case": {"schema": TEXT | {"pattern": "^[A-Z]{2}-[A-Za-z0-9.-]+$"}, "description": "a case, such as BM-R6"},
    "name": {
        "schema": TEXT | {"pattern": r"^wintercount-[0-9]{4}-[0-9]{2}\.(tar\.zst|SHA256SUMS|SHA256SUMS\.sig)$"},
        "description": "a file that `GET /v1/dumps` names",
    },
    "token": {"schema": TEXT | {"pattern": "^[0-9a-f]{12}$"}, "description": "the id of a token"},
    "invitation": {"schema": TEXT | {"pattern": "^i_[a-z2-7]{16}$"}, "description": "the id of an invitation"},
    "passkey": {"schema": TEXT | {"pattern": "^[A-Za-z0-9_-]+$"}, "description": "the id of a passkey"},
}
LINKS: dict[str, dict[str, tuple[str, ...]]] = {
    "openTable": {"table": ("getTable", "listEvents", "listMoves", "listRulings")},
    "createToken": {"token": ("renameToken", "revokeToken")},
    "addPasskey": {"passkey": ("renamePasskey", "removePasskey")},
}


def document() -> dict[str, Any]:
    """The whole document; `contracts` divides it into files."""
    app = empty_app()
    app.config.update(SPEC_OPTIONS)
    api = Api(app)
    for resource in RESOURCES:
        api.register_blueprint(resource.blueprint)
    found = api.spec.to_dict()
    for (cls, *_), name in api.ma_plugin.converter.refs.items():
        found["components"]["schemas"][name]["description"] = cls.__doc__
    return _complete(plain(copy.deepcopy(found)))


def _complete(document: dict[str, Any]) -> dict[str, Any]:
    """The document with schemas of games, errors, security, links and examples."""
    document["webhooks"] = copy.deepcopy(WEBHOOKS)
    document["tags"].append(WEBHOOK_TAG)
    for path, item in document["paths"].items():
        for parameter in item.get("parameters", ()):
            parameter.update(PATH_PARAMETERS[parameter["name"]])
        for method in METHODS:
            if method in item:
                _complete_operation(path, item[method])
    components = document["components"]
    components["schemas"] = _schemas(components["schemas"], document["paths"])
    components["responses"] = {"Problem": problems.RESPONSE}
    components["securitySchemes"] = {"token": TOKEN}
    return document


def _schemas(resources: dict[str, Any], paths: dict[str, Any]) -> dict[str, Any]:
    """All schemas: those of requests are closed, but for parts of responses; all others are open."""
    schemas = {name: schema for name, schema in resources.items() if name not in ("Error", "PaginationMetadata")}
    schemas |= {"Problem": problems.PROBLEM, "FieldError": problems.FIELD_ERROR}
    for name, schema in game_schemas().items():
        if schemas.setdefault(name, schema) is not schema:
            raise ValueError(f"two schemas have the name {name}")
    schemas = plain({"schemas": schemas})["schemas"] | named_enums()
    operations = [item[method] for item in paths.values() for method in METHODS if method in item]
    requested = reached(schemas, [operation.get("requestBody", {}) for operation in operations])
    answered = reached(schemas, [operation["responses"] for operation in operations])
    schemas = {n: (closed if n in requested - answered else opened)(schema) for n, schema in sorted(schemas.items())}
    return with_parts_in_place(schemas, [operations, WEBHOOKS])


def _complete_operation(path: str, operation: dict[str, Any]) -> None:
    contract = operation.pop("x-contract")
    told = f"{operation.pop('summary')} {operation.pop('description', '')}"
    summary, _, description = re.sub(r"\s+", " ", told).strip().partition(". ")
    named = {"operationId": contract["name"], "summary": summary.removesuffix("."), "description": description}
    rest = dict(operation)
    operation.clear()
    operation |= named | rest | {"security": _security(contract)}
    if contract["headers"]:
        operation["parameters"] = operation.get("parameters", []) + plain(contract["headers"])
    codes = problems.codes_of(path, contract)
    answers = {str(status): answer for status, answer in operation["responses"].items() if str(status)[0] in "23"}
    operation["responses"] = dict(sorted(answers.items())) | problems.responses(codes)
    if codes:
        operation["x-problem-codes"] = codes
    for answer in answers.values():
        _describe_streams(answer)
    _add_examples(operation)
    _add_links(operation)


def _security(contract: dict[str, Any]) -> list[dict[str, Any]]:
    """The scopes that a token needs: those of any entry of the list; an empty entry means that no token is needed."""
    if contract["caller"] is None:
        return []
    needs: list[dict[str, Any]] = [{"token": scopes} for scopes in contract["scopes"] or [[]]]
    return [{}, *needs] if contract["caller"] == "optional" else needs


def _describe_streams(answer: dict[str, Any]) -> None:
    for media, content in answer.get("content", {}).items():
        if media == LINES:
            content["schema"] = TEXT | {"description": "a JSON object a line, as in the list of the JSON answer"}
        if media == FRAMES:
            content["schema"] = TEXT | {"description": "Server-Sent Events, as asyncapi.yaml describes them"}


def _add_examples(operation: dict[str, Any]) -> None:
    example = EXAMPLES.get(operation["operationId"], {})
    if "request" in example:
        for media in operation["requestBody"]["content"].values():
            media["example"] = _as_sent(example["request"], media["schema"])
    contents = [
        answer["content"] for code, answer in operation["responses"].items() if code[0] == "2" and "content" in answer
    ]
    for media, content in (pair for found in contents for pair in found.items()):
        if media in example.get("answers", {}) and media in (JSON, "text/plain"):
            content["example"] = _short(example["answers"][media])


def _as_sent(request: Any, schema: dict[str, Any]) -> Any:
    """A request as the body of this schema: the text alone, if the schema is a file."""
    is_file = schema.get("format") == "binary"
    return request["text"] if is_file and isinstance(request, dict) else request


def _short(answer: Any) -> Any:
    """An example: of a page its first item, of other lists of objects four, of a text a dozen lines."""
    if isinstance(answer, str):
        return "".join(answer.splitlines(keepends=True)[:12])
    most = 1 if len(answer) <= MOST_FIELDS_OF_A_PAGE else 4
    return {name: value if name in FIXED else _few(value, most) for name, value in answer.items()}


def _few(value: Any, most: int = 4) -> Any:
    if isinstance(value, dict):
        return {name: _few(inner) for name, inner in value.items()}
    if isinstance(value, list) and value and isinstance(value[0], dict):
        return [_few(inner) for inner in value[:most]]
    return value


def _add_links(operation: dict[str, Any]) -> None:
    """The operations that take the id of what was just made."""
    for name, following in LINKS.get(operation["operationId"], {}).items():
        parameters = {name: "$response.body#/id"}
        links = {one: {"operationId": one, "parameters": parameters} for one in following}
        operation["responses"]["201"].setdefault("links", {}).update(links)
