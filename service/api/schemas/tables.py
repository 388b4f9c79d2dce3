"""Tables: opened, joined, shown and listed."""

from typing import Any

from marshmallow import Schema, ValidationError, fields, validate, validates_schema

from events.clocks import CLOCK_FIELDS, CLOCK_TIMES, DAY_S
from games import GAMES
from service.accounts.names import TEXT, checked_text
from service.api.schemas.parts import (
    AT,
    AT_TIME,
    EYES,
    ID,
    STATUSES,
    VISIBILITIES,
    StrictText,
    game_name,
    house_rules,
    moment,
    one_of,
    ref,
    ref_or_null,
)
from service.api.schemas.ratings import RATINGS, RatingRangeSchema, shown_ratings
from service.api.schemas.seat_requests import SEATS_MESSAGES, SeatRequest
from service.api.strict import QuerySeat, QueryWhole, Truth, Whole
from service.levels import LEVELS

LONGEST_S = 30 * DAY_S


class ClockSchema(Schema):
    """A clock: how long a person has. Each kind has its own fields, and no others."""

    kind = StrictText(
        required=True,
        validate=validate.OneOf(tuple(CLOCK_FIELDS)),
        metadata={
            "description": "decision: `decision_s` for each decision; days: so many `days` for each; fischer: a bank "
            "of `initial_s` for the game, which gains `increment_s` with each decision that is taken"
        },
    )
    decision_s = Whole(validate=validate.Range(5, LONGEST_S), metadata={"description": "seconds"})
    initial_s = Whole(validate=validate.Range(5, LONGEST_S), metadata={"description": "seconds"})
    increment_s = Whole(validate=validate.Range(0, DAY_S), metadata={"description": "seconds"})
    days = Whole(validate=validate.Range(1, LONGEST_S // DAY_S))

    @validates_schema
    def _fits(self, data: dict[str, Any], **_: Any) -> None:
        for name in CLOCK_TIMES:
            if (name in data) != (name in CLOCK_FIELDS[data["kind"]]):
                needed = " and ".join(f"`{field}`" for field in sorted(CLOCK_FIELDS[data["kind"]]))
                raise ValidationError(f"a clock of the kind {data['kind']!r} has {needed}", name)


class ShownClockSchema(Schema):
    """A clock: how long a person has. The fields of its kind are there."""

    kind = one_of(tuple(CLOCK_FIELDS))
    decision_s = fields.Integer()
    initial_s = fields.Integer()
    increment_s = fields.Integer()
    days = fields.Integer()


class SeatClockSchema(Schema):
    """The clock of a seat that a person holds. It runs while the seat has to decide, unless a dispute pauses play."""

    used_ms = fields.Integer(
        required=True, metadata={"description": "used up to `running_since`, or in all if the clock stands still"}
    )
    bank_ms = fields.Integer(
        required=True,
        allow_none=True,
        metadata={"description": "what was left of a bank at `running_since`, or is; null: the table has no banks"},
    )
    running_since = moment(allow_none=True)
    deadline = moment(allow_none=True)


class DisputeRulesSchema(Schema):
    """How rulings may be disputed."""

    by = StrictText(
        load_default="arbiter",
        validate=validate.OneOf(("arbiter", "vote")),
        metadata={"description": "who decides: the arbiter, or the persons seated by vote"},
    )
    play = StrictText(
        load_default="pauses",
        validate=validate.OneOf(("pauses", "goes_on")),
        metadata={"description": "what play does while a dispute is open"},
    )
    window_s = Whole(
        load_default=3600,
        validate=validate.Range(1, 30 * 86400),
        metadata={"description": "how long after a ruling it may be disputed, in seconds"},
    )
    answer_s = Whole(
        load_default=86400,
        validate=validate.Range(1, 30 * 86400),
        metadata={"description": "after how long without a decision the ruling stands, in seconds"},
    )


ARBITER = "the table's, as it was shown: who sits down agrees; null or left out where there is none"
RATED = (
    "whether the result is to count in ratings; left out: at a public table as it counts in the "
    "standings, at a private one never"
)
AIDS = "whether a seat is told, while the game runs, what it may believe of the cards that it does not see"
CONTRIBUTION = "mixed into the table's luck, so that nobody alone settles it"


class OpeningRequest(Schema):
    """A table to open: seats in seat order, seat 1 first."""

    game = StrictText(required=True, validate=validate.Length(1, 40), metadata={"enum": list(GAMES)})
    seats = fields.List(
        fields.Nested(SeatRequest),
        required=True,
        validate=validate.Length(1, 8),
        error_messages=SEATS_MESSAGES,
    )
    options = house_rules("house rules by name", load_default=dict)
    visibility = StrictText(load_default="public", validate=validate.OneOf(VISIBILITIES))
    clock = fields.Nested(ClockSchema, load_default=None, allow_none=True)
    arbiter = StrictText(load_default=None, allow_none=True, validate=ID)
    disputes = fields.Nested(
        DisputeRulesSchema,
        load_default=None,
        allow_none=True,
        metadata={"description": "null: rulings cannot be disputed"},
    )
    contribution = StrictText(
        load_default=None,
        allow_none=True,
        validate=[validate.Length(1, 64), checked_text],
        metadata={"description": CONTRIBUTION, "pattern": TEXT},
    )
    rated = Truth(load_default=None, allow_none=True, metadata={"description": RATED})
    aids = Truth(load_default=False, metadata={"description": AIDS})
    ratings = fields.Nested(RatingRangeSchema, load_default=None, allow_none=True, metadata={"description": RATINGS})


class SittingRequest(Schema):
    """Who sits down: the caller, or with `level` an AI."""

    level = StrictText(validate=validate.OneOf(tuple(LEVELS)))
    contribution = StrictText(
        validate=[validate.Length(1, 64), checked_text], metadata={"description": CONTRIBUTION, "pattern": TEXT}
    )
    arbiter = StrictText(allow_none=True, validate=ID, metadata={"description": ARBITER})
    invitation = StrictText(
        validate=ID,
        metadata={"description": "the id of an invitation: one of who opened the table lets in whatever the rating is"},
    )


class HandOverRequest(Schema):
    """The AI that plays on."""

    level = StrictText(load_default="greedy", validate=validate.OneOf(tuple(LEVELS)))


class WaitRequest(Schema):
    """How much more time is granted, in seconds; by default as much as a decision has, or a bank at the beginning."""

    seconds = Whole(load_default=None, allow_none=True, validate=validate.Range(5, 30 * 86400))


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
            "description": "whether the result counts in the standings: not that of a branch, of a lesson, of a game "
            "in which a dispute was overturned, or in which somebody alone with AI seats took a move back"
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
