"""What is asked for of a table before it runs: to open it, with which rules, and to sit down."""

from marshmallow import Schema, fields, validate

from events.clocks import LONGEST_S
from games import GAMES
from service.accounts.allowed_names import TEXT, checked_text
from service.api.schemas.clocks import ClockSchema
from service.api.schemas.parts import ID, VISIBILITIES, StrictText, house_rules
from service.api.schemas.ratings import RATINGS, RatingRangeSchema
from service.api.schemas.seat_requests import SEATS_MESSAGES, SeatRequest
from service.api.strict import Truth, Whole
from service.levels import LEVELS


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
        validate=validate.Range(1, LONGEST_S),
        metadata={"description": "how long after a ruling it may be disputed, in seconds"},
    )
    answer_s = Whole(
        load_default=86400,
        validate=validate.Range(1, LONGEST_S),
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
