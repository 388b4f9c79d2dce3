"""The document as the page at `/docs` shows it, with the request of each operation as programs send it."""

import copy
import json
import keyword
import re
import shlex
from collections.abc import Iterator
from typing import Any, NamedTuple
from urllib.parse import quote

from service.api.document.openapi import METHODS
from service.api.document.shapes import Schema, reached, ref

INTRODUCTION = """
Card games with hidden hands and secret choices, kept as events that are never redrawn.

## Tokens

Whoever plays needs an account, which is a name and a **token**. *Create player* gives both, and shows the token only
there:

```sh
curl https://wintercount.example/v1/players -H 'Content-Type: application/json' -d '{"name": "Ann"}'
```

Send it with each request: `Authorization: Bearer YOUR_TOKEN`. Put it into the field beside this text, and *Test
Request* sends it to this very server; if you have an account on the page at [/](/), its token is there already. It
stays in this window.

A token may do what its scopes say:

| scope | what it may do |
| --- | --- |
| `play` | open tables, sit down, move, ask to take back, dispute |
| `watch` | see with the eyes of one's own seat, and as an arbiter of those that one looks through; the inbox |
| `arbitrate` | look through a seat in a dispute (what it sees needs `watch`), decide disputes |
| `account` | create and end tokens, set and read the webhook; an account's first token has it |
| `metrics`, `admin` | the operator's |

Give a program the least that it needs: *Create token*. Much can be read without any token: one sees then what
everybody sees.

## Conventions

- Repeat a `POST` that takes an `Idempotency-Key` with the same one: it takes effect once, and the repeat gets the
  first answer.
- A refusal is a problem document; its `code` is one of [these](/docs/problems), and `rule` the rule of the game.
- Every read has an `ETag`; where there is more, `Link: <…>; rel="next"` leads to it.
- For generators of clients, with the fields of every type of event: [openapi.yaml](/openapi.yaml),
  [openapi.json](/openapi.json).
"""
SHORT = "The fields of its type; the schema `Event` in /openapi.yaml has them all."


def for_people(document: dict[str, Any]) -> dict[str, Any]:
    """The document as the page at `/docs` shows it."""
    found = copy.deepcopy({name: part for name, part in document.items() if name != "webhooks"})
    found["info"]["description"] = INTRODUCTION
    for path, method, operation in _operations(found):
        operation["x-codeSamples"] = samples(path, method, found["paths"][path])
        operation["description"] = "\n\n".join(_told(operation))
        operation["summary"] = _title(operation["operationId"])
    for tag in found.get("tags", ()):
        tag["x-displayName"] = tag["name"].capitalize()
    _shorten(found["components"]["schemas"])
    rest = {"paths": found["paths"], "responses": found["components"].get("responses")}
    found["components"]["schemas"] = reached(found["components"]["schemas"], rest)
    return found


def _operations(document: dict[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    for path, item in document["paths"].items():
        for method in METHODS:
            if method in item:
                yield path, method, item[method]


def _title(name: str) -> str:
    """`playMove` as a title: 'Play move'."""
    words = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name).lower()
    return words[0].upper() + words[1:]


def _told(operation: dict[str, Any]) -> Iterator[str]:
    """What it does, what more there is to know, and the scopes that its token needs."""
    yield operation["summary"]
    if operation.get("description"):
        yield operation["description"]
    if operation["security"]:
        yield f"Scopes: {' or '.join(_scopes(one) for one in operation['security'])}."


def _scopes(one: dict[str, list[str]]) -> str:
    if "token" not in one:
        return "no token"
    return " and ".join(f"`{scope}`" for scope in one["token"]) or "any token"


def _shorten(schemas: dict[str, Schema]) -> None:
    """Puts what every event has in place of the types that it may be of."""
    for name, schema in schemas.items():
        if name.endswith("Event") and "oneOf" in schema:
            schemas[name] = ref("ShortEvent")
    envelope = schemas["Envelope"]
    fields = {"game": {"type": "string"}, "type": {"type": "string"}}
    more = {"payload": {"type": "object", "description": SHORT}}
    schemas["ShortEvent"] = envelope | {"properties": fields | envelope["properties"] | more}


BASE = "https://wintercount.example"  # the page puts its own address there
TOKEN = "YOUR_TOKEN"  # noqa: S105 - what a reader replaces
FILE = "table.ndjson"
JSON = "application/json"
TEXTS = (JSON, "text/plain")  # what a client shows; any other answer is a file, or a stream
FILE_TYPE = "application/octet-stream"


class Places(dict[str, str]):
    """What stands in a path, or behind its question mark where it has to; a name in capitals for any other."""

    def __missing__(self, name: str) -> str:
        return f"YOUR_{name.upper()}"


PLACES = Places(
    table="t_fk3ab2c5d7efghij",
    seat="1",
    version="57",
    game="manitou",
    rule_id="MA-3.1",
    case="MA-R1",
    token="0123456789ab",  # noqa: S106 - the name of a token, which is no secret
    invitation="i_fk3ab2c5d7efghij",
    passkey="AAECAwQFBgcICQoLDA0ODw",
    dispute="d58-1a2b3c4d",
    takeback="b58-1a2b3c4d",
    player="p_k2mdqv7yjr4wt",
    seats="4",
    name="wintercount-2026-10.tar.zst",
    path="/phase",
    value='"over"',
    **{"with": "t_ab2c5d7efghijfk3"},  # a word of Python's own
)


class Request(NamedTuple):
    """A request: what stands in its path and behind the question mark; its body is JSON, or the content of a file."""

    name: str
    method: str
    path: str
    places: dict[str, Any]
    query: dict[str, Any]
    has_token: bool
    is_keyed: bool
    media: str | None
    body: Any
    answers: tuple[str, ...]

    @property
    def sends_file(self) -> bool:
        """Whether the body is a file's content."""
        return self.media not in (None, JSON)

    @property
    def is_read_as(self) -> str:
        """How a client reads the answer: `shown`, `file`, or `nothing`."""
        if any(media in TEXTS for media in self.answers):
            return "shown"
        return "file" if FILE_TYPE in self.answers else "nothing"


def samples(path: str, method: str, item: dict[str, Any]) -> list[dict[str, str]]:
    """The entries of `x-codeSamples` of an operation, from the document's entry for its path."""
    request = _request(path, method, item)
    return [
        {"lang": lang, "label": label, "source": write(request)}
        for lang, label, write in (
            ("shell", "curl", _curl),
            ("python", "Python", _python),
            ("ts", "TypeScript", _typescript),
        )
    ]


def _request(path: str, method: str, item: dict[str, Any]) -> Request:
    operation = item[method]
    named = operation.get("parameters", ())
    contents: dict[str, Any] = operation.get("requestBody", {}).get("content", {})
    media = next(iter(contents), None)
    answer = next(answer for code, answer in operation["responses"].items() if code.startswith("2"))
    return Request(
        operation["operationId"],
        method.upper(),
        path,
        {parameter["name"]: _place(parameter) for parameter in item.get("parameters", ())},
        {p["name"]: _place(p) for p in named if p.get("required") and p["in"] == "query"},
        any(operation["security"]),
        "Idempotency-Key" in {parameter["name"] for parameter in named},
        media,
        contents[media].get("example") if media else None,
        tuple(answer.get("content", {})),
    )


def _place(parameter: dict[str, Any]) -> Any:
    value = PLACES[parameter["name"]]
    return int(value) if parameter["schema"].get("type") == "integer" else value


# curl


def _curl(request: Request) -> str:
    parts = ["curl --fail-with-body"]
    parts += [] if request.method == ("POST" if request.body is not None else "GET") else [f"-X {request.method}"]
    parts.append(shlex.quote(_address(request)))
    parts += [f"-H {shlex.quote(f'{name}: {value}')}" for name, value in _headers(request).items()]
    if request.sends_file:
        parts.append(f"--data-binary @{FILE}")
    elif request.body is not None:
        parts.append(f"-d {shlex.quote(json.dumps(request.body, ensure_ascii=False, indent=2))}")
    return " \\\n  ".join(parts)


def _address(request: Request) -> str:
    query = "&".join(f"{name}={quote(str(value), safe='')}" for name, value in request.query.items())
    return BASE + request.path.format_map(request.places) + (f"?{query}" if query else "")


def _headers(request: Request) -> dict[str, str]:
    found = {"Authorization": f"Bearer {TOKEN}"} if request.has_token else {}
    if request.is_keyed:
        found["Idempotency-Key"] = "a-name-of-my-own"
    return found | ({"Content-Type": request.media} if request.media else {})


# The client in Python: a function an operation, which `Client.send` sends.


def _python(request: Request) -> str:
    token = f', token="{TOKEN}"' if request.has_token else ""
    lines = ["from pathlib import Path", ""] if request.sends_file or request.is_read_as == "file" else []
    lines += ["from wintercount_client import Client, operations", "", f'client = Client("{BASE}"{token})']
    return "\n".join([*lines, PYTHON_READS[request.is_read_as].format(f"client.send({_call(request)})")])


PYTHON_READS = {"shown": "print({})", "file": f'Path("{FILE}").write_bytes({{}})', "nothing": "{}"}


def _call(request: Request) -> str:
    name = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", request.name).lower()
    arguments = [*map(_literal, request.places.values()), *_python_body(request)]
    for keyed, value in request.query.items():
        arguments.append(f"{keyed}{'_' * keyword.iskeyword(keyed)}={_literal(value)}")
    return f"operations.{name}({', '.join(arguments)})"


def _python_body(request: Request) -> Iterator[str]:
    if request.sends_file:
        yield f'Path("{FILE}").read_bytes()'
    elif request.body is not None:
        yield _literal(request.body)


def _literal(value: Any, indent: str = "\n") -> str:
    """JSON as Python writes it, a member of an object a line."""
    if isinstance(value, dict) and value:
        within = f"{indent}    "
        members = [f"{within}{_literal(name)}: {_literal(member, within)}," for name, member in value.items()]
        return f"{{{''.join(members)}{indent}}}"
    if isinstance(value, list):
        return f"[{', '.join(_literal(member, indent) for member in value)}]"
    return json.dumps(value, ensure_ascii=False) if isinstance(value, str) else repr(value)


# The client in TypeScript: a function an operation, which is told by which client to send.


def _typescript(request: Request) -> str:
    files = {"file": "writeFile"}.get(request.is_read_as) or ("readFile" if request.sends_file else "")
    lines = [f'import {{ {files} }} from "node:fs/promises";', ""] if files else []
    token = f', {{ token: "{TOKEN}" }}' if request.has_token else ""
    lines += ['import { Client, operations } from "wintercount-client";', ""]
    lines += [f'const client = new Client("{BASE}"{token});']
    return "\n".join([*lines, TYPESCRIPT_READS[request.is_read_as].format(_asked(request))])


TYPESCRIPT_READS = {
    "shown": "console.log(await {});",
    "file": f'const answer = await {{}};\nawait writeFile("{FILE}", Buffer.from(await answer.arrayBuffer()));',
    "nothing": "await {};",
}


def _asked(request: Request) -> str:
    asked = {"path": request.places, "query": request.query}
    members = ["client: client.api", *(f"{name}: {_typed(value)}" for name, value in asked.items() if value)]
    if request.sends_file:
        members.append(f'body: new Blob([await readFile("{FILE}")])')
    elif request.body is not None:
        members.append(f"body: {_typed(request.body)}")
    return "\n  ".join([f"operations.{request.name}({{", *[f"{member}," for member in members]]) + "\n})"


def _typed(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2).replace("\n", "\n  ")
