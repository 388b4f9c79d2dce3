"""Events: those of a table, and the feed of all public tables."""

from typing import Any

from marshmallow import Schema, ValidationError, fields, validate

from events.lifecycle import TYPES
from games import GAMES
from games.payloads import event_type
from service.api.schemas.parts import ID, LANGUAGE, answer, game_name, moment, ref
from service.api.strict import QueryWhole


class EventsQuery(Schema):
    """Which events: those behind version `after`."""

    after = QueryWhole(metadata={"description": "events behind this version; default 0, or Last-Event-ID"})
    limit = QueryWhole(
        load_default=200, validate=validate.Range(1, 1000), metadata={"description": "events a page, at most"}
    )
    language = LANGUAGE


EventsSchema = answer(
    "Events",
    "A page of events; `next` is the value of `after` for the next page, null at the end.",
    table=str,
    version=int,
    events=fields.List(fields.Raw(metadata=ref("Event")), required=True),
    next=int | None,
)


KNOWN = (*dict.fromkeys(event_type(event) for game in GAMES.values() for event in game.events), *TYPES)


class Types(fields.Field[tuple[str, ...]]):
    """Types of events, separated by commas."""

    def __init__(self, **field: Any) -> None:
        one = f"({'|'.join(KNOWN)})"
        form = {"type": "string", "pattern": f"^{one}(,{one})*$"}
        super().__init__(**{**field, "metadata": field.get("metadata", {}) | form})

    def _deserialize(self, value: Any, *_: Any, **__: Any) -> tuple[str, ...]:
        found = tuple(sorted(set(str(value).split(","))))
        if unknown := [type_ for type_ in found if type_ not in KNOWN]:
            raise ValidationError(f"there is no event {unknown[0]!r}; there are {', '.join(KNOWN)}")
        return found


class FeedQuery(Schema):
    """Which batches: those behind a cursor."""

    cursor = fields.String(
        validate=validate.Regexp(r"^[A-Za-z0-9_-]{1,1000}\Z"),
        metadata={"description": "batches behind this place; default the beginning, or Last-Event-ID"},
    )
    limit = QueryWhole(
        load_default=100,
        validate=validate.Range(1, 200),
        metadata={"description": "batches a page, at most, with those that nothing is told of"},
    )
    game = fields.String(
        validate=validate.OneOf(tuple(GAMES)), metadata={"description": "only batches of tables of this game"}
    )
    type = Types(metadata={"description": "only events of these types, separated by commas"})
    player = fields.String(
        validate=ID, metadata={"description": "only batches of tables at which this player sits or has sat by then"}
    )
    language = LANGUAGE


FeedBatchSchema = answer(
    "FeedBatch",
    "What was recorded together at a table; `cursor` is the place behind it.",
    table=str,
    game=game_name(),
    first=int,
    last=int,
    at=moment(),
    events=fields.List(fields.Raw(metadata=ref("Event")), required=True),
    cursor=str,
)

FeedSchema = answer(
    "Feed",
    "A page of the feed; `next` is the cursor of the next page, `lag` the number of batches behind it.",
    batches=[FeedBatchSchema],
    next=str,
    lag=int,
)
