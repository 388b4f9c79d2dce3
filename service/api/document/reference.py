"""The document as the page at `/docs` shows it: short titles, tokens explained first, samples, and short events.

The four games have more than two hundred types of events, which stand in six answers each. A page that draws them all
with each answer takes a browser many seconds; here an answer shows what every event has, and a real one.
"""

import copy
import json
import re
from collections.abc import Iterator
from typing import Any

from service.api.document.openapi import METHODS
from service.api.document.samples import samples
from service.api.document.shapes import Schema, ref

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
NAMED = re.compile(r'"#/components/schemas/(\w+)"')


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
    found["components"]["schemas"] = _reached(found)
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


def _reached(document: dict[str, Any]) -> dict[str, Schema]:
    """The schemas that operations use, by themselves or through others."""
    schemas = document["components"]["schemas"]
    rest = {"paths": document["paths"], "responses": document["components"].get("responses")}
    found: dict[str, Schema] = {}
    waiting = set(NAMED.findall(json.dumps(rest)))
    while waiting:
        name = waiting.pop()
        found[name] = schemas[name]
        waiting |= set(NAMED.findall(json.dumps(schemas[name]))) - found.keys()
    return dict(sorted(found.items()))
