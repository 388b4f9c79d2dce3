"""Moves: sent, checked and listed."""

from marshmallow import Schema, fields, validate

from games import GAMES
from service.api.schemas.parts import StrictText, game_name, ref
from service.api.schemas.tables import OpenDecisionSchema, TableSchema
from service.api.strict import Whole

GAME = StrictText(
    required=True,
    validate=validate.Length(1, 40),
    metadata={"description": "the table's game: by it the form of the move is known", "enum": list(GAMES)},
)


class MoveRequest(Schema):
    """A move. `decision` names the open decision that it answers: then it cannot answer a later one by mistake."""

    game = GAME
    seat = Whole(required=True, metadata={"example": 1})
    decision = StrictText(validate=validate.Length(1, 40), metadata={"example": "57-2-1a2b3c4d"})
    move = fields.Raw(required=True, allow_none=True, metadata=ref("Move"))


class CheckRequest(Schema):
    """A move to be checked, now or `at` a past version."""

    game = GAME
    seat = Whole(required=True)
    move = fields.Raw(required=True, allow_none=True, metadata=ref("Move"))
    at = Whole(load_default=None, allow_none=True, metadata={"description": "the version; null: now"})


class CheckSchema(Schema):
    """Whether the move is legal at that version, and if not which rule forbids it."""

    legal = fields.Boolean(required=True)
    version = fields.Integer(required=True, metadata={"description": "at which it was checked"})
    rule = fields.String(allow_none=True)
    detail = fields.String(allow_none=True)
    text = fields.String(allow_none=True, metadata={"description": "the text of the rule (Markdown)"})


class ReceiptSchema(Schema):
    """Proof that the move was accepted: the version and hash of its last event."""

    table = fields.String(required=True)
    version = fields.Integer(required=True)
    hash = fields.String(required=True)


class PlayedSchema(Schema):
    """What a move led to: its events as the seat reads them, the table now, and what the seat has to decide next."""

    game = game_name()
    version = fields.Integer(required=True)
    events = fields.List(fields.Raw(metadata=ref("Event")), required=True)
    table = fields.Nested(TableSchema, required=True)
    decisions = fields.List(fields.Nested(OpenDecisionSchema), required=True)
    receipt = fields.Nested(ReceiptSchema, required=True)


class MovesSchema(Schema):
    """The decisions that wait for the caller at a table."""

    game = game_name()
    version = fields.Integer(required=True)
    decisions = fields.List(fields.Nested(OpenDecisionSchema), required=True)
