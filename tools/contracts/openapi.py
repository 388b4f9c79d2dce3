"""The OpenAPI document: what the resources say of themselves, completed with refusals, the games and real examples.

`python -m tools.write_openapi` writes `openapi.yaml` anew.
"""

import copy
from pathlib import Path
from typing import Any

import yaml
from flask_smorest import Api

from events.lifecycle import CLOCK_FIELDS
from service import __version__
from service.app import empty_app
from service.resources import RESOURCES
from service.tables.opening import PARENT
from tools.contracts.games import game_schemas
from tools.contracts.refusals import PROBLEM, refusals, responses
from tools.contracts.shapes import EXAMPLES, enums, plain, ref, told_apart
from tools.contracts.streams import WEBHOOKS, stream_schemas, tell_contents

OPENAPI = Path(__file__).resolve().parents[2] / "openapi.yaml"
ASYNCAPI = OPENAPI.with_name("asyncapi.yaml")
INTRODUCTION = """
Card games with hidden hands and secret choices, recorded as events.

## Tokens

To play you need an account: a name and a **token**. *Create a player* (`POST /v1/players`) returns both, and shows the
token only once:

```sh
curl https://wintercount.example/v1/players -H 'Content-Type: application/json' -d '{"name": "Ann"}'
```

Send it with each request: `Authorization: Bearer YOUR_TOKEN`. Many operations also answer without a token, and then
return what everybody may see.

| scope | what a token with it may do |
| --- | --- |
| `play` | open tables, take seats, move, ask for takebacks, open disputes |
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
METHODS = ("get", "put", "post", "delete")
TOKEN = {
    "type": "http",
    "scheme": "bearer",
    "description": "A token may do what its scopes say: `play` (open, sit, move, dispute), `watch` (see with the eyes "
    "of one's own seat, and as an arbiter of those looked through; the inbox), `arbitrate` (post a look, and decide "
    "disputes), `account` (tokens and webhook; an account's first token has it), `metrics` and `admin` (the "
    "operator's). Each operation names the scopes that it needs. Where a token is optional, one without them sees what "
    "spectators see, also of private tables that name its account; the answer to one's own move needs `play` alone.",
}
TEXT = {"type": "string"}
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
    "takeback": {"schema": TEXT | {"pattern": "^b[0-9]+(-[0-9a-f]{8})?$"}, "description": "the id of a takeback"},
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


def _seat(description: str, kinds: list[str], **more: Any) -> dict[str, Any]:
    return _object(description, {"kind": TEXT | {"enum": kinds}} | more)


def _object(description: str, properties: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "description": description,
        "required": list(properties),
        "properties": properties,
        "additionalProperties": False,
    }


SEATS = {"me": "FreeSeatRequest", "open": "FreeSeatRequest", "player": "KeptSeatRequest", "ai": "AiSeatRequest"}
EXACT = {  # what fields alone cannot say: which of them go together
    "SeatRequest": told_apart("kind", SEATS, "What a seat is meant for."),
    "FreeSeatRequest": _seat("A seat for who opens the table (`me`), or for anybody (`open`).", ["me", "open"]),
    "KeptSeatRequest": _seat(
        "A seat that is kept for one player.", ["player"], player=TEXT | {"pattern": "^[A-Za-z0-9_-]{1,64}$"}
    ),
    "AiSeatRequest": _seat("A seat that an AI takes.", ["ai"], level=ref("LevelName")),
}
CLOCKS = {
    "decision": ("DecisionClock", "So many seconds for each decision."),
    "days": ("DaysClock", "So many days for each decision."),
    "fischer": ("FischerClock", "A bank for the game, which gains time with each decision that is taken."),
}


def _clocks(clock: dict[str, Any]) -> dict[str, Any]:
    """A schema for each kind of clock, with the fields of that kind alone."""
    names = {kind: name for kind, (name, _) in CLOCKS.items()}
    found = {"Clock": told_apart("kind", names, "How long a person has. Each kind has its own fields.")}
    for kind, (name, description) in CLOCKS.items():
        times = {field: clock["properties"][field] for field in sorted(CLOCK_FIELDS[kind])}
        found[name] = _object(description, {"kind": TEXT | {"enum": [kind]}} | times)
    return found


def document() -> dict[str, Any]:
    """The OpenAPI document, made from the resources of the service."""
    app = empty_app()
    app.config.update(SPEC_OPTIONS)
    api = Api(app)
    for resource in RESOURCES:
        api.register_blueprint(resource.blueprint)
    return complete(api.spec.to_dict())


def complete(document: dict[str, Any]) -> dict[str, Any]:
    """The document with the schemas of the games, the refusals, security, links and examples in it."""
    document = plain(copy.deepcopy(document))
    components = document.setdefault("components", {})
    components["schemas"] = _schemas(components.get("schemas", {}))
    components["securitySchemes"] = {"token": TOKEN}
    for path, item in document["paths"].items():
        for parameter in item.get("parameters", ()):
            parameter.update(PATH_PARAMETERS[parameter["name"]])
        for method in METHODS:
            if method in item:
                _complete_operation((method, path), item[method])
    components["responses"] = responses(
        o for item in document["paths"].values() for m, o in item.items() if m in METHODS
    )
    return document | {"webhooks": copy.deepcopy(WEBHOOKS)}


def _schemas(resources: dict[str, Any]) -> dict[str, Any]:
    own = {name: schema for name, schema in resources.items() if name not in ("Error", "PaginationMetadata")}
    schemas = game_schemas(own | EXACT | _clocks(own["Clock"])) | stream_schemas() | {"Problem": PROBLEM}
    told: dict[str, Any] = plain({"schemas": schemas})["schemas"]
    return dict(sorted((told | enums()).items()))


class _Dumper(yaml.SafeDumper):
    """Writes everything out: a reader need not look for anchors."""

    def ignore_aliases(self, _: Any) -> bool:
        return True


def as_yaml(document: dict[str, Any]) -> str:
    """The document as it stands in `openapi.yaml`."""
    return str(yaml.dump(document, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=120))


def _complete_operation(place: tuple[str, str], operation: dict[str, Any]) -> None:
    contract = operation.pop("x-contract")
    operation["operationId"] = contract["name"]
    operation["security"] = _security(contract)
    if contract["headers"]:
        operation["parameters"] = operation.get("parameters", []) + plain(contract["headers"])
    operation["responses"].pop("default", None)
    answers = operation["responses"] | refusals(place, operation, contract)
    operation["responses"] = {str(status): answers[status] for status in sorted(answers, key=str)}
    tell_contents(operation)
    _add_examples(operation)
    _add_links(operation)


def _security(contract: dict[str, Any]) -> list[dict[str, Any]]:
    """The scopes that a token needs: those of any entry of the list; an empty one means that there need be no token."""
    if contract["caller"] is None:
        return []
    shown: list[dict[str, Any]] = [{"token": scopes} for scopes in contract["scopes"] or [[]]]
    return [{}, *shown] if contract["caller"] == "optional" else shown


def _add_examples(operation: dict[str, Any]) -> None:
    example = EXAMPLES.get(operation["operationId"], {})
    if "request" in example:
        for media in operation["requestBody"]["content"].values():
            media["example"] = _as_sent(example["request"], media["schema"])
    contents = [
        told["content"] for code, told in operation["responses"].items() if code[0] == "2" and "content" in told
    ]
    for media, content in (pair for found in contents for pair in found.items()):
        if media in example.get("answers", {}):
            content["example"] = example["answers"][media]


def _as_sent(request: Any, schema: dict[str, Any]) -> Any:
    """A request as the body of this schema: of one that may be a text alone, the text."""
    is_file = schema.get("format") == "binary"
    return request["text"] if is_file and isinstance(request, dict) else request


def _add_links(operation: dict[str, Any]) -> None:
    """What can be asked of something that was just made."""
    for name, following in LINKS.get(operation["operationId"], {}).items():
        parameters = {name: "$response.body#/table" if name == "table" else "$response.body#/id"}
        links = {one: {"operationId": one, "parameters": parameters} for one in following}
        operation["responses"]["201"].setdefault("links", {}).update(links)
