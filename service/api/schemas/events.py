"""Events: those of a table, and the feed of all public tables."""

from typing import Any

from marshmallow import ValidationError, validate

from events.lifecycle import TYPES
from games import GAMES
from games.payloads import event_type
from service.api.request_parsing import Described, QueryWhole
from service.api.schemas.parts import ID, LANGUAGE, STREAM, Text, choice, limit, list_of, schema

EventsQuery = schema("EventsQuery", "Which events: those after version `after`.")(
    after=QueryWhole("events after this version; default 0, or Last-Event-ID"),
    limit=limit("events a page, at most", 200, 1000),
    language=LANGUAGE,
    **STREAM,
)

EventsSchema = schema(
    "Events", "A page of events; `next` is the value of `after` for the next page, null at the end.", "table version"
)(events=list_of("Event"), next=int | None)


KNOWN = (*dict.fromkeys(event_type(event) for game in GAMES.values() for event in game.events), *TYPES)


class Types(Described):
    """Types of events, separated by commas."""

    def __init__(self, description: str, /) -> None:
        one = f"({'|'.join(KNOWN)})"
        super().__init__(description, metadata={"type": "string", "pattern": f"^{one}(,{one})*$"})

    def _deserialize(self, value: Any, *_: Any, **__: Any) -> tuple[str, ...]:
        found = tuple(sorted(set(str(value).split(","))))
        if unknown := [type_ for type_ in found if type_ not in KNOWN]:
            raise ValidationError(f"there is no event {unknown[0]!r}; there are {', '.join(KNOWN)}")
        return found


FeedQuery = schema("FeedQuery", "Which batches: those after a cursor.")(
    cursor=Text(
        "batches after this cursor; default the beginning, or Last-Event-ID",
        validate=validate.Regexp(r"^[A-Za-z0-9_-]{1,1000}\Z"),
    ),
    limit=limit("batches a page, at most, including those that are filtered out", 100),
    game=choice(GAMES, "only batches of tables of this game"),
    type=Types("only events of these types, separated by commas"),
    player=Text("only batches of tables at which this player sits or has sat by then", validate=ID),
    language=LANGUAGE,
    **STREAM,
)

FeedBatchSchema = schema(
    "FeedBatch", "What was recorded together at a table; `cursor` is the position after it.", "table game at"
)(first=int, last=int, events=list_of("Event"), cursor=str)

FeedSchema = schema(
    "Feed", "A page of the feed; `next` is the cursor of the next page, `lag` the number of batches after it."
)(batches=[FeedBatchSchema], next=str, lag=int)
