"""Lists of tables: the lobby, and the decisions that wait for a player."""

from marshmallow import Schema, fields, validate

from games import GAMES
from service.accounts.allowed_names import TEXT, checked_text
from service.api.schemas.opening import AIDS, shown_ratings
from service.api.schemas.parts import STATUSES, VISIBILITIES, PageQuery, game_name, moment, one_of
from service.api.schemas.tables import BRANCH, ForkedFromSchema, HeldSeatSchema


class LobbySeatSchema(HeldSeatSchema):
    """A seat in the lobby."""

    level = fields.String(required=True, allow_none=True)


class LobbyRowSchema(Schema):
    """A table in the lobby."""

    table = fields.String(required=True)
    game = game_name()
    status = one_of(STATUSES)
    visibility = one_of(VISIBILITIES)
    aids = fields.Boolean(required=True, metadata={"description": AIDS})
    ratings = shown_ratings()
    forked_from = fields.Nested(ForkedFromSchema, required=True, allow_none=True, metadata={"description": BRANCH})
    players = fields.Integer(required=True)
    options = fields.Dict(required=True)
    opened_by = fields.String(required=True)
    arbiter = fields.String(required=True, allow_none=True)
    opened_at = moment()
    at = moment()
    version = fields.Integer(required=True)
    seats = fields.List(fields.Nested(LobbySeatSchema), required=True)
    to_act = fields.List(fields.Integer(), required=True)
    winners = fields.List(fields.Integer(), required=True)


TOTAL = (
    "how many tables all pages have, opened between `since` and `until`: public ones of the status, or all that "
    "concern the caller; other filters do not lower it"
)


class LobbySchema(Schema):
    """Tables, the newest first; `next` is the cursor of the next page, which may be there though this one is short."""

    tables = fields.List(fields.Nested(LobbyRowSchema), required=True)
    total = fields.Integer(required=True, metadata={"description": TOTAL})
    next = fields.String(required=True, allow_none=True)


class LobbyQuery(PageQuery):
    """Which tables."""

    status = fields.String(
        validate=validate.OneOf(STATUSES),
        metadata={"description": "how far the tables are; left out: running, or every status of one's own"},
    )
    mine = fields.String(
        load_default="false",
        validate=validate.OneOf(("true", "false", "turn")),
        metadata={
            "description": "true: only tables that concern the caller; turn: only those at which the caller sits and "
            "has to decide"
        },
    )
    open_to = fields.String(
        validate=validate.OneOf(("me",)),
        metadata={
            "description": "me: only tables at which the caller may take a free seat by what they ask of ratings; "
            "`status` is then open if it is left out"
        },
    )
    game = fields.String(validate=validate.OneOf(tuple(GAMES)), metadata={"description": "only of this game"})
    player = fields.String(
        validate=[validate.Length(1, 40), checked_text],
        metadata={"description": "only where this player sits: an id, or a part of a name", "pattern": TEXT},
    )
    since = fields.String(
        validate=validate.Length(1, 40),
        metadata={"description": "only opened at this time or later (RFC 3339)", "format": "date-time"},
    )
    until = fields.String(
        validate=validate.Length(1, 40),
        metadata={"description": "only opened before this time (RFC 3339)", "format": "date-time"},
    )


class WaitingSchema(Schema):
    """A decision that waits for the caller."""

    table = fields.String(required=True)
    game = game_name()
    version = fields.Integer(required=True)
    decision = fields.String(required=True)
    seat = fields.Integer(required=True)
    since = moment()
    deadline = moment(allow_none=True)
    expired = fields.Boolean(required=True)


class InboxSchema(Schema):
    """Decisions that wait for the caller, the oldest first; `next` is the cursor of the next page."""

    decisions = fields.List(fields.Nested(WaitingSchema), required=True)
    next = fields.String(required=True, allow_none=True)
