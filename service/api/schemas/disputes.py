"""Disputes of rulings, and moves taken back."""

from marshmallow import Schema, fields, validate

from service.accounts.allowed_names import TEXT, checked_text
from service.api.schemas.parts import StrictText, house_rules, moment
from service.api.schemas.tables import TableSchema
from service.api.strict import Truth, Whole


class DisputeRequest(Schema):
    """What is disputed: a rule of a ruling, why, and by which house rules it should be read instead."""

    seat = Whole(required=True)
    version = Whole(required=True, validate=validate.Range(1), metadata={"description": "the event that is the ruling"})
    rule = StrictText(required=True, validate=validate.Length(1, 20), metadata={"example": "BM-R14"})
    claim = StrictText(required=True, validate=[validate.Length(1, 1000), checked_text], metadata={"pattern": TEXT})
    options = house_rules(
        "house rules that stem from the disputed ruling; none: decide the same again", load_default=dict
    )


class CommentRequest(Schema):
    """A word on a dispute."""

    text = StrictText(required=True, validate=[validate.Length(1, 1000), checked_text], metadata={"pattern": TEXT})


class LookRequest(Schema):
    """Whose eyes the arbiter borrows."""

    seat = Whole(required=True)


class VoteRequest(Schema):
    """A seat's vote."""

    seat = Whole(required=True)
    overturn = Truth(required=True)


class ResolutionRequest(Schema):
    """The arbiter's verdict."""

    outcome = StrictText(required=True, validate=validate.OneOf(("upheld", "overturned")))
    text = StrictText(required=True, validate=[validate.Length(1, 1000), checked_text], metadata={"pattern": TEXT})
    options = house_rules(
        "the house rules amended; null: those that the dispute asks for", load_default=None, allow_none=True
    )


class CommentSchema(Schema):
    """A word on a dispute."""

    player = fields.String(required=True)
    seat = fields.Integer(required=True, allow_none=True)
    text = fields.String(required=True)
    at = moment()


class VoteSchema(Schema):
    """A seat's vote."""

    seat = fields.Integer(required=True)
    overturn = fields.Boolean(required=True)


class LookSchema(Schema):
    """That the arbiter borrows the eyes of a seat, while the dispute is open and up to version `until`."""

    seat = fields.Integer(required=True)
    player = fields.String(required=True)
    until = fields.Integer(required=True)
    at = moment()


class DisputeSchema(Schema):
    """A dispute; `outcome` is null while it is open."""

    dispute = fields.String(required=True, metadata={"example": "d58-1a2b3c4d"})
    seat = fields.Integer(required=True)
    version = fields.Integer(required=True)
    rule = fields.String(required=True)
    claim = fields.String(required=True)
    options = fields.Dict(required=True)
    at = moment()
    deadline = moment()
    comments = fields.List(fields.Nested(CommentSchema), required=True)
    votes = fields.List(fields.Nested(VoteSchema), required=True)
    looks = fields.List(fields.Nested(LookSchema), required=True)
    outcome = fields.String(
        required=True, allow_none=True, metadata={"description": "upheld, overturned, lapsed or moot"}
    )
    by = fields.String(required=True, allow_none=True)
    text = fields.String(required=True, allow_none=True)
    resolved = fields.Integer(required=True, allow_none=True, metadata={"description": "the event that ended it"})


class TakebackRequest(Schema):
    """Whose last move."""

    seat = Whole(required=True)


class ConsentRequest(Schema):
    """What a seat says to a takeback."""

    seat = Whole(required=True)
    agrees = Truth(required=True)


class WaitingTakebackSchema(Schema):
    """A takeback that waits: `missing` have still to agree."""

    takeback = fields.String(required=True, metadata={"example": "b58-1a2b3c4d"})
    seat = fields.Integer(required=True)
    to = fields.Integer(required=True)
    missing = fields.List(fields.Integer(), required=True)


class DisputesSchema(Schema):
    """The disputes of a table, and a takeback that waits for consent."""

    version = fields.Integer(required=True)
    paused = fields.Boolean(required=True)
    disputes = fields.List(fields.Nested(DisputeSchema), required=True)
    takeback = fields.Nested(WaitingTakebackSchema, required=True, allow_none=True)


class TakebackSchema(Schema):
    """The table after it, and what still waits for consent."""

    taken_back = fields.Boolean(required=True)
    waiting = fields.Nested(WaitingTakebackSchema, required=True, allow_none=True)
    table = fields.Nested(TableSchema, required=True)
