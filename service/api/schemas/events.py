"""The events of a table."""

from marshmallow import Schema, fields, validate

from service.api.schemas.parts import LANGUAGE, ref
from service.api.strict import QueryWhole


class EventsQuery(Schema):
    """Which events: those behind version `after`."""

    after = QueryWhole(metadata={"description": "events behind this version; default 0, or Last-Event-ID"})
    limit = QueryWhole(
        load_default=200, validate=validate.Range(1, 1000), metadata={"description": "events a page, at most"}
    )
    language = LANGUAGE


class EventsSchema(Schema):
    """A page of events; `next` is the value of `after` for the next page, null at the end."""

    table = fields.String(required=True)
    version = fields.Integer(required=True)
    events = fields.List(fields.Raw(metadata=ref("Event")), required=True)
    next = fields.Integer(required=True, allow_none=True)
