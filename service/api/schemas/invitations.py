"""Invitations to a table."""

from marshmallow import Schema, fields, validate

from service.accounts.allowed_names import NAME, checked_name
from service.accounts.invitations import STATES
from service.api.schemas.parts import StrictText, moment, one_of
from service.api.strict import Whole


class InvitationRequest(Schema):
    """Who is invited, as the one who invites calls them, and to which seat."""

    name = StrictText(
        required=True, validate=[validate.Length(1, 40), checked_name], metadata={"example": "Bea", "pattern": NAME}
    )
    seat = Whole(load_default=None, allow_none=True, validate=validate.Range(1, 8))


class InvitationSchema(Schema):
    """An invitation, and what became of it."""

    invitation = fields.String(required=True, metadata={"description": "its id: the page has it at `#/invitation/ID`"})
    table = fields.String(required=True)
    seat = fields.Integer(required=True, allow_none=True, metadata={"description": "null: whichever is free"})
    by = fields.String(required=True, metadata={"description": "the player who invites"})
    by_name = fields.String(required=True, allow_none=True)
    name = fields.String(required=True, metadata={"description": "who is invited"})
    at = moment()
    state = one_of(STATES)
    answered_at = moment(allow_none=True)
    player = fields.String(required=True, allow_none=True, metadata={"description": "who has accepted"})


class InvitationsSchema(Schema):
    """The invitations of the caller to a table, the first one first."""

    invitations = fields.List(fields.Nested(InvitationSchema), required=True)


class AnswerRequest(Schema):
    """What becomes of an invitation."""

    state = StrictText(
        required=True,
        validate=validate.OneOf(STATES[1:]),
        metadata={"description": "`accepted` by who has sat down at the table; the others by whoever has the link"},
    )
