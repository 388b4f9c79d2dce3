"""What the other reading of a disputed ruling would have been worth."""

from marshmallow import Schema, fields, validate

from service.api.schemas.analyses import STATUSES, MeanSchema
from service.api.schemas.parts import game_name, moment


class ExpectedSchema(Schema):
    """What a seat could expect in the end."""

    points = fields.Nested(MeanSchema, required=True, metadata={"description": "its final total"})
    margin = fields.Nested(MeanSchema, required=True, metadata={"description": "its lead over the best other seat"})
    victory = fields.Nested(MeanSchema, required=True, metadata={"description": "its share of the victory"})


class SeatWorthSchema(Schema):
    """What a seat could expect after the ruling, as it saw the table then."""

    seat = fields.Integer(required=True)
    ruled = fields.Nested(ExpectedSchema, required=True, metadata={"description": "by the ruling as it was made"})
    other = fields.Nested(ExpectedSchema, required=True, metadata={"description": "by the other reading"})
    gained = fields.Nested(
        ExpectedSchema,
        required=True,
        metadata={"description": "what the other reading would have brought more, world by world"},
    )


class ReadingWorthSchema(Schema):
    """A ruling and the other reading of it, compared: the same table and dispute always give the same."""

    table = fields.String(required=True)
    game = game_name()
    players = fields.Integer(required=True)
    head = fields.String(required=True, metadata={"description": "the hash of the table's last event"})
    player = fields.String(required=True, metadata={"description": "who plays the imagined games to their end"})
    version = fields.Integer(required=True, metadata={"description": "of that player"})
    ruling = fields.Integer(required=True, metadata={"description": "the version of the ruling"})
    options = fields.Dict(required=True, metadata={"description": "the house rules of the other reading"})
    refused = fields.String(
        required=True,
        allow_none=True,
        metadata={"description": "the rule by which the other reading forbids the move, which is chosen anew then"},
    )
    worlds = fields.Integer(required=True, metadata={"description": "imagined for a seat under each reading"})
    budget = fields.Integer(required=True, metadata={"description": "games that were played out"})
    seed = fields.String(required=True)
    seats = fields.List(fields.Nested(SeatWorthSchema), required=True)


class WorthSchema(Schema):
    """How far the comparison is, and what came of it."""

    table = fields.String(required=True)
    dispute = fields.String(required=True, metadata={"example": "d58-1a2b3c4d"})
    status = fields.String(required=True, validate=validate.OneOf(STATUSES))
    asked_at = moment()
    done = fields.Integer(required=True, metadata={"description": "seats that were looked at"})
    of = fields.Integer(required=True, allow_none=True, metadata={"description": "seats in all; null: not begun"})
    detail = fields.String(required=True, allow_none=True, metadata={"description": "why it failed"})
    worth = fields.Nested(
        ReadingWorthSchema, required=True, allow_none=True, metadata={"description": "null until it is done"}
    )
