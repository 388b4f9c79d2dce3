"""The AsyncAPI document: what the service sends by itself, in streams and webhooks, in schemas of the OpenAPI document.

`python -m tools.write_openapi` writes `asyncapi.yaml` with `openapi.yaml`.
"""

import json
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from service.api.document.examples import EXAMPLES
from service.api.document.openapi import OPENAPI, TOKEN
from service.api.document.shapes import Schema
from service.api.document.streams import FRAMES, WEBHOOKS

ASYNCAPI = OPENAPI.with_name("asyncapi.yaml")
FORM = "application/vnd.oai.openapi+yaml;version=3.1.0"
TEXT: Schema = {"type": "string"}
UNNAMED = ("end", "progress")  # frames that nothing is resumed behind
END = ("end", "StreamEnd", "Nothing more will be sent; `reason` says why.")
HTTP = "0.3.0"  # the version of the bindings


class Channel(NamedTuple):
    """A stream: its operation in the OpenAPI document, and the frames, each with its schema and what it says."""

    operation: str
    title: str
    frames: tuple[tuple[str, str, str], ...]


CHANNELS = {
    "events": Channel(
        "listEvents",
        "What happens at a table",
        (("event", "Event", "Something happened; `id` is the version, `event` the type."), END),
    ),
    "inbox": Channel(
        "getInbox",
        "What waits for a player",
        (
            ("decision", "Waiting", "A decision waits, or has another deadline."),
            ("settled", "Settled", "A decision waits no more."),
            END,
        ),
    ),
    "analysis": Channel(
        "getAnalysis",
        "How far an analysis is",
        (("progress", "AnalysisProgress", "It has come further."), END),
    ),
    "feed": Channel(
        "readFeed",
        "What happens at all public tables",
        (
            ("batch", "FeedBatch", "A batch was recorded at a table; `id` is the cursor behind it."),
            ("lag", "FeedLag", "How far the stream has come; `id` is the cursor."),
            END,
        ),
    ),
}


class Letters(NamedTuple):
    """Messages to webhooks: the webhook in the OpenAPI document, and what each message says."""

    webhook: str
    kind: str
    title: str
    summary: str
    schema: str


LETTERS = {
    "turns": Letters("yourTurn", "your_turn", "A decision waits for a bot", "A decision waits.", "TurnMessage"),
}


def asyncapi(document: Mapping[str, Any], schemas: str = OPENAPI.name) -> dict[str, Any]:
    """The AsyncAPI document that belongs to an OpenAPI document, which lies beside it under the name `schemas`."""
    operations = {
        operation["operationId"]: (path, operation)
        for path, item in document["paths"].items()
        for operation in item.values()
        if "operationId" in operation
    }
    streams = {name: operations[channel.operation] for name, channel in CHANNELS.items()}
    return {
        "asyncapi": "3.1.0",
        "id": "urn:wintercount",
        "info": document["info"] | INFO,
        "defaultContentType": "application/json",
        "servers": {"here": SERVER},
        "channels": {name: _channel(name, path, schemas) for name, (path, _) in streams.items()}
        | {name: _letters(letters, schemas) for name, letters in LETTERS.items()},
        "operations": {f"send{name.title()}": _operation(name, found, schemas) for name, (_, found) in streams.items()}
        | {f"send{name.title()}": _sent(name, letters) for name, letters in LETTERS.items()},
        "components": {"securitySchemes": {"token": TOKEN}},
    }


INFO = {
    "description": "What Wintercount sends by itself: Server-Sent Events, and webhooks. Of a frame, `data` is the "
    "payload of the message; `event` and `id` stand among its headers. The schemas are those of the OpenAPI document.",
    "license": {"name": "MIT"},
    "tags": [{"name": "streams"}, {"name": "webhooks"}],
}
SERVER = {
    "host": "{host}",
    "protocol": "https",
    "description": "Where the service runs.",
    "variables": {"host": {"default": "127.0.0.1:8000", "description": "name and port"}},
}
PARAMETERS = {"table": {"description": "the table's id"}}


def _channel(name: str, path: str, schemas: str) -> dict[str, Any]:
    channel = CHANNELS[name]
    examples = list(_examples(channel.operation))
    messages = {kind: _message(kind, schema, told, schemas, examples) for kind, schema, told in channel.frames}
    parameters = {place: told for place, told in PARAMETERS.items() if f"{{{place}}}" in path}
    found = {"address": path, "title": channel.title, "messages": messages}
    return found | ({"parameters": parameters} if parameters else {})


def _message(kind: str, schema: str, told: str, schemas: str, examples: list[dict[str, Any]]) -> dict[str, Any]:
    event = TEXT if kind == "event" else {"const": kind}
    fields = {"event": event} if kind in UNNAMED else {"event": event, "id": TEXT}
    shown = [one for one in examples if _is_of(kind, one)][:1]
    return {
        "name": kind,
        "title": kind,
        "summary": told,
        "contentType": "application/json",
        "headers": {"type": "object", "required": list(fields), "properties": fields},
        "payload": _schema(schema, schemas),
    } | ({"examples": shown} if shown else {})


def _is_of(kind: str, example: Mapping[str, Any]) -> bool:
    """Whether a frame is of this kind; the stream of a table names the type of each event."""
    named = {frame for channel in CHANNELS.values() for frame, _, _ in channel.frames}
    event = example["headers"]["event"]
    return bool(event == kind or (kind == "event" and event not in named))


def _examples(operation: str) -> Iterator[dict[str, Any]]:
    """The frames of the operation's example."""
    text = EXAMPLES.get(operation, {}).get("answers", {}).get(FRAMES, "")
    for frame in text.split("\n\n"):
        fields = dict(line.split(": ", 1) for line in frame.splitlines() if not line.startswith(":"))
        if "data" in fields:
            yield {"headers": fields, "payload": json.loads(fields.pop("data"))}


def _schema(name: str, schemas: str) -> dict[str, Any]:
    return {"schemaFormat": FORM, "schema": {"$ref": f"{schemas}#/components/schemas/{name}"}}


def _operation(name: str, found: Mapping[str, Any], schemas: str) -> dict[str, Any]:
    """What the service sends to whoever asks for this operation as a stream."""
    query = [parameter for parameter in found.get("parameters", ()) if parameter["in"] == "query"]
    asked = {parameter["name"]: parameter["schema"] | {"description": parameter["description"]} for parameter in query}
    binding = {"method": "GET", "bindingVersion": HTTP} | ({"query": _query(asked, schemas)} if asked else {})
    security = [{"$ref": "#/components/securitySchemes/token"}]
    return {
        "action": "send",
        "channel": {"$ref": f"#/channels/{name}"},
        "title": CHANNELS[name].title,
        "summary": f"Asked for by `{CHANNELS[name].operation}` with `Accept: {FRAMES}`.",
        "description": found.get("description", found["summary"]),
        "tags": [{"name": "streams"}],
        "bindings": {"http": binding},
    } | ({"security": security} if {} not in found["security"] else {})


def _query(asked: Mapping[str, Schema], schemas: str) -> Schema:
    named = {name: _referring(schema, schemas) for name, schema in asked.items()}
    return {"type": "object", "properties": named, "additionalProperties": False}


def _referring(node: Any, schemas: str) -> Any:
    """A part of the OpenAPI document, as it refers to that from outside."""
    if isinstance(node, list):
        return [_referring(part, schemas) for part in node]
    if not isinstance(node, dict):
        return node
    return {name: f"{schemas}{part}" if name == "$ref" else _referring(part, schemas) for name, part in node.items()}


def _sent(name: str, letters: Letters) -> dict[str, Any]:
    """That the service sends such messages."""
    webhook = WEBHOOKS[letters.webhook]["post"]
    return {
        "action": "send",
        "channel": {"$ref": f"#/channels/{name}"},
        "title": letters.title,
        "summary": webhook["summary"],
        "description": webhook["description"],
        "tags": [{"name": "webhooks"}],
        "bindings": {"http": {"method": "POST", "bindingVersion": HTTP}},
    }


def _letters(letters: Letters, schemas: str) -> dict[str, Any]:
    """The channel of such messages: its address is what each account has set."""
    headers = WEBHOOKS[letters.webhook]["post"]["parameters"]
    fields = {header["name"]: header["schema"] | {"description": header["description"]} for header in headers}
    message = {
        "name": letters.kind,
        "title": letters.kind,
        "summary": letters.summary,
        "contentType": "application/json",
        "headers": {"type": "object", "required": list(fields), "properties": fields},
        "payload": _schema(letters.schema, schemas),
    }
    return {"address": None, "title": "The webhook of an account", "messages": {letters.kind: message}}
