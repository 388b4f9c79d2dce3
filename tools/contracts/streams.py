"""The AsyncAPI document: the frames of streams, and the messages of webhooks."""

import json
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from service.api.schemas.analyses import KINDS, STATUSES
from tools.contracts.examples import EXAMPLES
from tools.contracts.shapes import NUMBER, TEXT, TIME, Schema, opened, record, ref

LINES, FRAMES = "application/x-ndjson", "text/event-stream"
REASONS = ("table_closed", "access_ended", "log_damaged", "cursor_gone", "analysis_over", "analysis_gone")
UNNAMED = ("end", "progress")  # frames without an id: no stream resumes after them
END = ("end", "StreamEnd", "The stream ends; `reason` says why.")


class Channel(NamedTuple):
    """A stream: its operation in the OpenAPI document, and each kind of frame with the schema of its data."""

    operation: str
    title: str
    frames: tuple[tuple[str, str, str], ...]


CHANNELS = {
    "events": Channel(
        "listEvents",
        "The events of a table",
        (("event", "Event", "An event was recorded; `id` is its version and the beginning of its hash."), END),
    ),
    "inbox": Channel(
        "getInbox",
        "The decisions that wait for a player",
        (
            ("decision", "Waiting", "A decision waits, or has another deadline."),
            ("settled", "Settled", "A decision no longer waits."),
            END,
        ),
    ),
    "analysis": Channel(
        "getAnalysis",
        "The progress of an analysis",
        (("progress", "AnalysisProgress", "The analysis has progressed."), END),
    ),
    "feed": Channel(
        "readFeed",
        "The events of all public tables",
        (
            ("batch", "FeedBatch", "A batch of events was recorded at a table; `id` is the cursor after it."),
            ("lag", "FeedLag", "How far behind the stream is; `id` is the cursor."),
            END,
        ),
    ),
}
TURN_MESSAGE = record(
    "The message to a webhook: a decision waits.",
    {"type": {"type": "string", "const": "your_turn"}, "timestamp": TIME, "data": ref("Waiting")},
)
SCHEMAS: dict[str, Schema] = {
    "TurnMessage": TURN_MESSAGE,
    "Settled": record("A decision that was answered, taken back, or handed over.", {"table": TEXT, "id": TEXT}),
    "FeedLag": record("How many batches the feed holds after this cursor.", {"lag": NUMBER}),
    "AnalysisProgress": record(
        "The progress of an analysis.",
        {
            "table": TEXT,
            "kind": TEXT | {"enum": list(KINDS)},
            "status": TEXT | {"enum": list(STATUSES)},
            "done": NUMBER,
            "of": {"type": ["integer", "null"]},
        },
    ),
    "StreamEnd": record("Why a stream ends.", {"reason": TEXT | {"enum": list(REASONS)}}),
}


def _header(name: str, description: str, schema: Schema) -> dict[str, Any]:
    return {"in": "header", "name": name, "required": True, "description": description, "schema": schema}


YOUR_TURN: dict[str, Any] = {
    "operationId": "yourTurn",
    "summary": "Tell a bot that a decision waits",
    "description": "The service sends this to the webhook of the account, by the rules of Standard Webhooks. It "
    "repeats the message for about half an hour until it is received.",
    "tags": ["webhooks"],
    "security": [],
    "parameters": [
        _header("webhook-id", "the delivery; the same at every attempt", TEXT),
        _header("webhook-timestamp", "seconds since 1970", NUMBER),
        _header(
            "webhook-signature",
            "`v1,` and the Base64 of HMAC-SHA256(secret, `id.timestamp.body`), as Standard Webhooks",
            TEXT,
        ),
    ],
    "requestBody": {"required": True, "content": {"application/json": {"schema": TURN_MESSAGE}}},
    "responses": {
        "204": {"description": "Received. Any status from 200 to 299 will do."},
        "410": {"description": "The bot wants no more messages: the service deletes the webhook."},
    },
}
WEBHOOKS = {"yourTurn": {"post": YOUR_TURN}}
FORM = "application/vnd.oai.openapi+yaml;version=3.1.0"
HTTP = "0.3.0"  # the version of the bindings
INFO = {
    "description": "What Wintercount sends on its own: Server-Sent Events, and webhooks. The payload of a message is "
    "the `data` of a frame; `event` and `id` are among its headers. With the query `names=off`, the data has `frame` "
    "instead of `event`. Most schemas are those of the OpenAPI document.",
    "license": {"name": "MIT"},
    "tags": [{"name": "streams"}, {"name": "webhooks"}],
}
SERVER = {
    "host": "{host}",
    "protocol": "https",
    "description": "A server of Wintercount.",
    "variables": {"host": {"default": "127.0.0.1:8000", "description": "name and port"}},
}
PARAMETERS = {"table": {"description": "the table's id"}}


def asyncapi(document: Mapping[str, Any]) -> dict[str, Any]:
    """The AsyncAPI document that belongs to an OpenAPI document."""
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
        "channels": {name: _channel(name, path) for name, (path, _) in streams.items()} | {"turns": _turns()},
        "operations": {f"send{name.title()}": _operation(name, found) for name, (_, found) in streams.items()}
        | {"sendTurns": SEND_TURNS},
        "components": {
            "schemas": {name: _from_outside(opened(schema)) for name, schema in SCHEMAS.items()},
            "securitySchemes": document["components"]["securitySchemes"],
        },
    }


def _channel(name: str, path: str) -> dict[str, Any]:
    channel = CHANNELS[name]
    examples = list(_examples(channel.operation))
    messages = {kind: _message(kind, schema, summary, examples) for kind, schema, summary in channel.frames}
    parameters = {place: said for place, said in PARAMETERS.items() if f"{{{place}}}" in path}
    found = {"address": path, "title": channel.title, "messages": messages}
    return found | ({"parameters": parameters} if parameters else {})


def _message(kind: str, schema: str, summary: str, examples: list[dict[str, Any]]) -> dict[str, Any]:
    event = TEXT if kind == "event" else {"const": kind}
    fields = {"event": event} if kind in UNNAMED else {"id": TEXT, "event": event}
    own = [one for one in examples if _is_of(kind, one)][:1]
    return {
        "name": kind,
        "title": kind,
        "summary": summary,
        "contentType": "application/json",
        "headers": {"type": "object", "required": list(fields), "properties": fields},
        "payload": _payload(schema),
    } | ({"examples": own} if own else {})


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


def _payload(name: str) -> dict[str, Any]:
    if name in SCHEMAS:
        return {"$ref": f"#/components/schemas/{name}"}
    return {"schemaFormat": FORM, "schema": {"$ref": f"openapi.yaml#/components/schemas/{name}"}}


def _operation(name: str, found: Mapping[str, Any]) -> dict[str, Any]:
    """What the service sends to a client that asks for this operation as a stream."""
    query = [parameter for parameter in found.get("parameters", ()) if parameter["in"] == "query"]
    asked = {parameter["name"]: parameter["schema"] | {"description": parameter["description"]} for parameter in query}
    binding = {"method": "GET", "bindingVersion": HTTP} | ({"query": _query(asked)} if asked else {})
    security = [{"$ref": "#/components/securitySchemes/token"}]
    return {
        "action": "send",
        "channel": {"$ref": f"#/channels/{name}"},
        "title": CHANNELS[name].title,
        "summary": f"Requested by `{CHANNELS[name].operation}` with `Accept: {FRAMES}`.",
        "description": found["description"],
        "tags": [{"name": "streams"}],
        "bindings": {"http": binding},
    } | ({"security": security} if {} not in found["security"] else {})


def _query(asked: Mapping[str, Schema]) -> Schema:
    return {"type": "object", "properties": _from_outside(asked), "additionalProperties": False}


def _from_outside(schema: Any) -> Any:
    """A schema of the OpenAPI document as another document refers to its parts."""
    return json.loads(json.dumps(schema).replace('"#/', '"openapi.yaml#/'))


def _turns() -> dict[str, Any]:
    """The channel of messages to bots, at the address that each account has set."""
    headers = YOUR_TURN["parameters"]
    fields = {header["name"]: header["schema"] | {"description": header["description"]} for header in headers}
    message = {
        "name": "your_turn",
        "title": "your_turn",
        "summary": "A decision waits.",
        "contentType": "application/json",
        "headers": {"type": "object", "required": list(fields), "properties": fields},
        "payload": _payload("TurnMessage"),
    }
    return {"address": None, "title": "The webhook of an account", "messages": {"your_turn": message}}


SEND_TURNS = {
    "action": "send",
    "channel": {"$ref": "#/channels/turns"},
    "title": "A decision waits for a bot",
    "summary": YOUR_TURN["summary"],
    "description": YOUR_TURN["description"],
    "tags": [{"name": "webhooks"}],
    "bindings": {"http": {"method": "POST", "bindingVersion": HTTP}},
}
