"""What waits for a player, and the standings."""

from marshmallow import Schema, fields, validate

from games import GAMES
from service.api.schemas.parts import game_name, moment
from service.api.strict import QueryWhole


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


class StandingsQuery(Schema):
    """Of which game or player, and which part."""

    game = fields.String(
        validate=validate.Length(1, 40), metadata={"description": "only of this game", "enum": list(GAMES)}
    )
    player = fields.String(
        validate=validate.Regexp(r"^[a-z0-9_:]{1,40}\Z"),
        metadata={"description": "only of this player, or of this level of AI: `ai:greedy`"},
    )
    cursor = fields.String(
        validate=validate.Regexp(r"^[a-z0-9-]{1,40}\|[0-9]{12}\|[0-9]{12}\|[a-z0-9_:]{1,40}\Z"),
        metadata={"description": "`next` of the page before"},
    )
    limit = QueryWhole(
        load_default=50, validate=validate.Range(1, 200), metadata={"description": "rows a page, at most"}
    )


class StandingSchema(Schema):
    """How often somebody has played and won a game."""

    game = game_name()
    player = fields.String(required=True)
    name = fields.String(required=True, allow_none=True)
    bot = fields.Boolean(required=True)
    played = fields.Integer(required=True)
    won = fields.Integer(required=True)


class StandingsSchema(Schema):
    """Standings, by game; most games won first, of them the fewest played. `next` is the cursor of the next page."""

    standings = fields.List(fields.Nested(StandingSchema), required=True)
    next = fields.String(required=True, allow_none=True)
