"""A table as it is shown: its seats, its open decisions, where it branched off."""

from marshmallow import Schema, fields, validate

from service.api.schemas.opening import AIDS, DisputeRulesSchema, SeatClockSchema, ShownClockSchema, shown_ratings
from service.api.schemas.parts import (
    AT,
    AT_TIME,
    EYES,
    STATUSES,
    VISIBILITIES,
    game_name,
    moment,
    one_of,
    ref,
    ref_or_null,
)
from service.api.strict import QuerySeat, QueryWhole


class AiSchema(Schema):
    """An AI player as it is recorded."""

    player = fields.String(required=True)
    version = fields.Integer(required=True)
    level = fields.String(required=True)


class HeldSeatSchema(Schema):
    """What a seat is meant for and who holds it."""

    seat = fields.Integer(required=True)
    offer = one_of(("open", "player", "ai"))
    kept_for = fields.String(required=True, allow_none=True)
    player = fields.String(required=True, allow_none=True)
    name = fields.String(required=True, allow_none=True)
    bot = fields.Boolean(required=True)


class SeatSchema(HeldSeatSchema):
    """A seat: what it is meant for, who holds it, and the time of a person who does."""

    ai = fields.Nested(AiSchema, required=True, allow_none=True)
    clock = fields.Nested(
        SeatClockSchema, required=True, allow_none=True, metadata={"description": "null: no person holds the seat"}
    )


class DecisionSchema(Schema):
    """An open decision, as everybody may see it."""

    decision = fields.String(required=True, metadata={"example": "57-2-1a2b3c4d"})
    seat = fields.Integer(required=True)
    since = moment()
    deadline = moment(allow_none=True)
    expired = fields.Boolean(required=True)


class OpenDecisionSchema(DecisionSchema):
    """An open decision of the caller, with its legal moves."""

    moves = fields.List(fields.Raw(metadata=ref("LegalMove")), required=True)


BRANCH = "null: the table is no branch"


class ForkedFromSchema(Schema):
    """Where a branch comes from."""

    table = fields.String(required=True)
    version = fields.Integer(required=True)
    head = fields.String(required=True, metadata={"description": "hash of the parent's event there (hexadecimal)"})
    transcribed = fields.Boolean(
        required=True, metadata={"description": "whether the parent is a text, which no record proves"}
    )
    chance = fields.String(required=True, validate=validate.OneOf(("anew", "continued")))
    dealt_anew = fields.Boolean(
        required=True, metadata={"description": "whether what the forking player might not see was dealt anew"}
    )


class TableSchema(Schema):
    """A table at a version, as the caller may see it."""

    table = fields.String(required=True)
    game = game_name()
    rules_version = fields.Integer(required=True)
    status = one_of(STATUSES)
    visibility = one_of(VISIBILITIES)
    forked_from = fields.Nested(ForkedFromSchema, required=True, allow_none=True, metadata={"description": BRANCH})
    version = fields.Integer(required=True)
    at = moment()
    hash = fields.String(required=True, metadata={"description": "hash of the last event (hexadecimal)"})
    options = fields.Dict(required=True)
    opened_by = fields.String(required=True)
    arbiter = fields.String(required=True, allow_none=True)
    clock = fields.Nested(ShownClockSchema, required=True, allow_none=True)
    disputes = fields.Nested(DisputeRulesSchema, required=True, allow_none=True)
    paused = fields.Boolean(required=True, metadata={"description": "whether an open dispute pauses play"})
    seats = fields.List(fields.Nested(SeatSchema), required=True)
    decisions = fields.List(fields.Nested(DecisionSchema), required=True)
    seat = fields.Integer(required=True, allow_none=True, metadata={"description": "with whose eyes; null: spectator"})
    view = fields.Raw(required=True, metadata=ref_or_null("View", "the game as the eyes see it, null before it begins"))
    scores = fields.Raw(required=True, metadata=ref_or_null("Scores", "as they stand, null before the game begins"))
    counted = fields.Boolean(
        required=True,
        metadata={
            "description": "whether the result counts in the standings: not that of a private table, of a branch, of a "
            "lesson, of a game in which a dispute was overturned, or in which somebody alone with AI seats took a move "
            "back"
        },
    )
    rated = fields.Boolean(required=True, metadata={"description": "whether the result is to count in ratings"})
    aids = fields.Boolean(required=True, metadata={"description": AIDS})
    ratings = shown_ratings()
    lesson = fields.Boolean(required=True, metadata={"description": "whether it is a lesson, with a prepared deal"})
    transcribed = fields.Boolean(
        required=True,
        metadata={"description": "whether a text tells it: no record proves it, every hash is zeros"},
    )


class TableQuery(Schema):
    """Which version, and with whose eyes."""

    at = QueryWhole(metadata={"description": AT})
    at_time = fields.String(validate=validate.Length(1, 40), metadata={"description": AT_TIME, "format": "date-time"})
    seat = QuerySeat(metadata={"description": EYES})
