"""What is sent piece by piece: frames of streams, messages to bots, and the AsyncAPI document of both."""

import json
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from events.lifecycle import LIFECYCLE
from games import GAMES
from games.payloads import event_type
from service.api.schemas.analyses import KINDS, STATUSES
from tools.contracts.games import NUMBER, TEXT, TIME, record
from tools.contracts.shapes import EXAMPLES, Schema, ref, told_apart

LINES, FRAMES = "application/x-ndjson", "text/event-stream"
REASONS = ("table_closed", "access_ended", "log_damaged", "cursor_gone", "analysis_over", "analysis_gone")
PROGRESS = {
    "table": TEXT,
    "kind": TEXT | {"enum": list(KINDS)},
    "status": TEXT | {"enum": list(STATUSES)},
    "done": NUMBER,
    "of": {"type": ["integer", "null"]},
}


UNNAMED = ("end", "progress")  # frames that nothing is resumed behind
END = ("end", "StreamEnd", "Nothing more will be sent; `reason` says why.")


class Channel(NamedTuple):
    """A stream: its operation in the OpenAPI document, the schema of its frames, and each frame with its data."""

    operation: str
    schema: str
    title: str
    frames: tuple[tuple[str, str, str], ...]


CHANNELS = {
    "events": Channel(
        "listEvents",
        "EventsFrame",
        "What happens at a table",
        (("event", "Event", "Something happened; `id` is the version with the beginning of its hash."), END),
    ),
    "inbox": Channel(
        "getInbox",
        "InboxFrame",
        "What waits for a player",
        (
            ("decision", "Waiting", "A decision waits, or has another deadline."),
            ("settled", "Settled", "A decision waits no more."),
            END,
        ),
    ),
    "analysis": Channel(
        "getAnalysis",
        "AnalysisFrame",
        "How far an analysis is",
        (("progress", "AnalysisProgress", "An analysis has come further."), END),
    ),
    "feed": Channel(
        "readFeed",
        "FeedFrame",
        "What happens at all public tables",
        (
            ("batch", "FeedBatch", "A batch was recorded at a table; `id` is the cursor behind it."),
            ("lag", "FeedLag", "How far the stream has come; `id` is the cursor."),
            END,
        ),
    ),
}


def stream_schemas() -> dict[str, Schema]:
    """The frames of the four streams, with what stands in their `data`, and the messages of webhooks."""
    types = dict.fromkeys(event_type(event) for game in GAMES.values() for event in game.events)
    types |= dict.fromkeys(event_type(event) for event in LIFECYCLE)
    found = {}
    for channel in CHANNELS.values():
        told = f"A frame: {channel.title[0].lower()}{channel.title[1:]}. `data` stands on one line, as JSON."
        names: dict[str, str] = {}
        for kind, data, description in channel.frames:
            name = f"{kind.title()}Frame"
            names |= dict.fromkeys(types, name) if kind == "event" else {kind: name}
            event = TEXT | {"enum": list(types)} if kind == "event" else {"const": kind}
            found[name] = record(description, _fields(kind, event) | {"data": ref(data)})
        found[channel.schema] = told_apart("event", names, told)
    return found | DATA


def _fields(kind: str, event: Schema) -> dict[str, Schema]:
    return {"event": event} if kind in UNNAMED else {"id": TEXT, "event": event}


DATA = {  # what stands in frames and messages and is told nowhere else
    "Settled": record("A decision that was answered, taken back, or handed over.", {"table": TEXT, "id": TEXT}),
    "FeedLag": record("How many batches stand in the feed behind this place.", {"lag": NUMBER}),
    "AnalysisProgress": record("How far an analysis is.", PROGRESS),
    "StreamEnd": record("Why a stream ends.", {"reason": TEXT | {"enum": list(REASONS)}}),
    "TurnMessage": record(
        "What a webhook is sent: a decision waits.",
        {"type": {"const": "your_turn"}, "timestamp": TIME, "data": ref("Waiting")},
    ),
}


CONTENTS = {  # of media in which one value follows the other: what each of them is
    ("listEvents", LINES): "Event",
    ("readFeed", LINES): "FeedBatch",
    **{(channel.operation, FRAMES): channel.schema for channel in CHANNELS.values()},
}


def tell_contents(operation: dict[str, Any]) -> None:
    """Says of each such medium of an operation what it is made of."""
    for media, content in operation["responses"].get("200", {}).get("content", {}).items():
        if name := CONTENTS.get((operation["operationId"], media)):
            content["schema"] = {
                "type": "string",
                "contentMediaType": media,
                "contentSchema": {"type": "array", "items": ref(name)},
            }


def _header(name: str, description: str, schema: Schema) -> dict[str, Any]:
    return {"in": "header", "name": name, "required": True, "description": description, "schema": schema}


YOUR_TURN: dict[str, Any] = {
    "operationId": "yourTurn",
    "summary": "A decision waits for a bot.",
    "description": "Sent to the account's webhook as Standard Webhooks say, again for about half an hour until "
    "it is received.",
    "tags": ["players"],
    "security": [],
    "parameters": [
        _header("webhook-id", "the delivery, the same at every attempt", TEXT),
        _header("webhook-timestamp", "seconds since 1970", NUMBER),
        _header("webhook-signature", "v1, and HMAC-SHA256 in Base64 of id, timestamp and body", TEXT),
    ],
    "requestBody": {"required": True, "content": {"application/json": {"schema": ref("TurnMessage")}}},
    "responses": {
        "204": {"description": "received; any status from 200 to 299 says so"},
        "410": {"description": "the bot wants no more messages: the webhook ends"},
    },
}
WEBHOOKS = {"yourTurn": {"post": YOUR_TURN}}


FORM = "application/vnd.oai.openapi+yaml;version=3.1.0"
HTTP = "0.3.0"  # the version of the bindings


def asyncapi(document: Mapping[str, Any], schemas: str = "openapi.yaml") -> dict[str, Any]:
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
        | {"turns": _turns(schemas)},
        "operations": {f"send{name.title()}": _operation(name, found, schemas) for name, (_, found) in streams.items()}
        | {"sendTurns": SEND_TURNS},
        "components": {"securitySchemes": document["components"]["securitySchemes"]},
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
    fields = _fields(kind, event)
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
    """The parameters of a query, which refer to the OpenAPI document from outside."""
    named = json.loads(json.dumps(asked).replace('"#/', f'"{schemas}#/'))
    return {"type": "object", "properties": named, "additionalProperties": False}


def _turns(schemas: str) -> dict[str, Any]:
    """The channel of messages to bots: its address is what each account has set."""
    headers = YOUR_TURN["parameters"]
    fields = {header["name"]: header["schema"] | {"description": header["description"]} for header in headers}
    message = {
        "name": "your_turn",
        "title": "your_turn",
        "summary": "A decision waits.",
        "contentType": "application/json",
        "headers": {"type": "object", "required": list(fields), "properties": fields},
        "payload": _schema("TurnMessage", schemas),
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
