"""What the document says of what is sent piece by piece: lines of events, frames of streams, and messages to bots."""

from collections.abc import Iterable
from typing import Any

from events.lifecycle import LIFECYCLE
from games import GAMES
from games.payloads import event_type
from service.api.document.envelope import NUMBER, TEXT, TIME, record
from service.api.document.shapes import Schema, ref, told_apart
from service.api.schemas.analyses import KINDS, STATUSES

LINES, FRAMES = "application/x-ndjson", "text/event-stream"
REASONS = ("table_closed", "access_ended", "log_damaged", "cursor_gone", "analysis_over", "analysis_gone")
PROGRESS = {
    "table": TEXT,
    "kind": TEXT | {"enum": list(KINDS)},
    "status": TEXT | {"enum": list(STATUSES)},
    "done": NUMBER,
    "of": {"type": ["integer", "null"]},
}


def stream_schemas() -> dict[str, Schema]:
    """The frames of the four streams, with what stands in their `data`, and the messages of webhooks."""
    types = dict.fromkeys(event_type(event) for game in GAMES.values() for event in game.events)
    types |= dict.fromkeys(event_type(event) for event in LIFECYCLE)
    return _streams(types) | _frames(types) | _contents() | _messages()


def _streams(types: Iterable[str]) -> dict[str, Schema]:
    """What each stream is made of; at a table may happen events of these types."""
    return {
        "EventsFrame": told_apart(
            "event",
            dict.fromkeys(types, "EventFrame") | {"end": "EndFrame"},
            "A frame of the stream of a table. `data` stands on one line, as JSON.",
        ),
        "InboxFrame": told_apart(
            "event",
            {
                "decision": "DecisionFrame",
                "settled": "SettledFrame",
                "end": "EndFrame",
            },
            "A frame of the inbox. `data` stands on one line, as JSON.",
        ),
        "FeedFrame": told_apart(
            "event",
            {"batch": "BatchFrame", "lag": "LagFrame", "end": "EndFrame"},
            "A frame of the feed. `data` stands on one line, as JSON; `id` is the cursor behind it.",
        ),
        "AnalysisFrame": told_apart(
            "event",
            {"progress": "ProgressFrame", "end": "EndFrame"},
            "A frame of the progress of an analysis. `data` stands on one line, as JSON.",
        ),
    }


def _frames(types: Iterable[str]) -> dict[str, Schema]:
    return {
        "EventFrame": record(
            "Something happened; `id` is the version with the beginning of its hash.",
            {"id": TEXT, "event": TEXT | {"enum": list(types)}, "data": ref("Event")},
        ),
        "DecisionFrame": _frame("A decision waits, or has another deadline.", "decision", "Waiting"),
        "SettledFrame": _frame("A decision waits no more.", "settled", "Settled"),
        "BatchFrame": _frame("A batch was recorded at a table.", "batch", "FeedBatch"),
        "LagFrame": _frame("How far the stream has come.", "lag", "FeedLag"),
        "ProgressFrame": record(
            "An analysis has come further.", {"event": {"const": "progress"}, "data": ref("AnalysisProgress")}
        ),
        "EndFrame": record("Nothing more will be sent.", {"event": {"const": "end"}, "data": ref("StreamEnd")}),
    }


def _contents() -> dict[str, Schema]:
    """What stands in the `data` of frames and is told nowhere else."""
    return {
        "Settled": record(
            "A decision that was answered, taken back, or handed over.", {"table": TEXT, "decision": TEXT}
        ),
        "FeedLag": record("How many batches stand in the feed behind this place.", {"lag": NUMBER}),
        "AnalysisProgress": record("How far an analysis is.", PROGRESS),
        "StreamEnd": record("Why a stream ends.", {"reason": TEXT | {"enum": list(REASONS)}}),
    }


def _messages() -> dict[str, Schema]:
    return {
        "TurnMessage": record(
            "What a webhook is sent: a decision waits.",
            {"type": {"const": "your_turn"}, "timestamp": TIME, "data": ref("Waiting")},
        ),
    }


def _frame(description: str, event: str, data: str) -> Schema:
    return record(description, {"id": TEXT, "event": {"const": event}, "data": ref(data)})


CONTENTS = {  # of media in which one value follows the other: what each of them is
    ("listEvents", LINES): "Event",
    ("listEvents", FRAMES): "EventsFrame",
    ("getInbox", FRAMES): "InboxFrame",
    ("readFeed", LINES): "FeedBatch",
    ("getAnalysis", FRAMES): "AnalysisFrame",
    ("readFeed", FRAMES): "FeedFrame",
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


def _webhook(operation: str, summary: str, message: str) -> dict[str, Any]:
    """A message to the webhook of an account."""
    told = {
        "operationId": operation,
        "summary": summary,
        "description": "Sent to the account's webhook as Standard Webhooks say, again for about half an hour until "
        "it is received.",
        "tags": ["players"],
        "security": [],
        "parameters": [
            _header("webhook-id", "the delivery, the same at every attempt", TEXT),
            _header("webhook-timestamp", "seconds since 1970", NUMBER),
            _header("webhook-signature", "v1, and HMAC-SHA256 in Base64 of id, timestamp and body", TEXT),
        ],
        "requestBody": {"required": True, "content": {"application/json": {"schema": ref(message)}}},
        "responses": {
            "204": {"description": "received; any status from 200 to 299 says so"},
            "410": {"description": "the bot wants no more messages: the webhook ends"},
        },
    }
    return {"post": told}


WEBHOOKS = {
    "yourTurn": _webhook("yourTurn", "A decision waits for a bot.", "TurnMessage"),
}
