"""Time travel: what changed, what changed it, and when."""

from typing import Any

from marshmallow import Schema, fields, validate

from service.api.schemas.parts import AT, EYES, any_json, moment, ref_or_null
from service.api.strict import QuerySeat, QueryWhole
from service.tables.travel import MOST_CHANGES


class DiffQuery(Schema):
    """From which version to which, and with whose eyes."""

    to = QueryWhole(metadata={"description": "default: the newest version"})
    seat = QuerySeat(metadata={"description": EYES})
    first = QueryWhole(data_key="from", metadata={"description": "default: the version before"})


def _next(description: str) -> Any:
    return fields.Integer(required=True, allow_none=True, metadata={"description": description})


class ChangeSchema(Schema):
    """What an event changed: a JSON Patch."""

    version = fields.Integer(required=True)
    type = fields.String(required=True)
    rules = fields.List(fields.String(), required=True)
    patch = fields.List(fields.Dict(), required=True)


class DiffSchema(Schema):
    """What changed between two versions of the table's document, event by event."""

    table = fields.String(required=True)
    to = fields.Integer(required=True)
    changes = fields.List(fields.Nested(ChangeSchema), required=True, validate=validate.Length(max=MOST_CHANGES))
    first = fields.Integer(data_key="from", required=True)
    next = _next("from which version to ask for the rest; null: that is all")


def _place() -> Any:
    return fields.String(
        required=True,
        validate=[validate.Length(0, 200), validate.Regexp(r"^(/([^~/]|~[01])*)*\Z")],
        metadata={"description": "JSON Pointer (RFC 6901) into the table's document, such as /scores/scores/0/total"},
    )


class BlameQuery(Schema):
    """Which place, as it is at which version."""

    path = _place()
    at = QueryWhole(metadata={"description": AT})
    seat = QuerySeat(metadata={"description": EYES})


class BlameSchema(Schema):
    """The event that last changed a place, and the rules by which it did."""

    path = fields.String(required=True)
    at = fields.Integer(required=True)
    value = any_json()
    version = fields.Integer(required=True, allow_none=True)
    type = fields.String(required=True, allow_none=True)
    rules = fields.List(fields.String(), required=True)
    event = fields.Raw(required=True, metadata=ref_or_null("Event", "null: it lies further back, see `next`"))
    next = _next("at which version to ask for the same place; null: the event is found")


class FindQuery(Schema):
    """Which place, which value, from which version on."""

    path = _place()
    value = fields.String(
        required=True, validate=validate.Length(1, 2000), metadata={"description": "a JSON value", "example": "5"}
    )
    seat = QuerySeat(metadata={"description": EYES})
    first = QueryWhole(
        data_key="from",
        load_default=1,
        validate=validate.Range(1, 999_999_999),
        metadata={"description": "from when on"},
    )


class FindSchema(Schema):
    """The version at which it became so, with the event and the rules that made it so."""

    table = fields.String(required=True)
    path = fields.String(required=True)
    at = moment(allow_none=True)
    version = fields.Integer(required=True, allow_none=True)
    type = fields.String(required=True, allow_none=True)
    rules = fields.List(fields.String(), required=True)
    next = _next("from which version to look further; null: it is found")
