"""Profiles: what a person lets be seen."""

from marshmallow import Schema, fields

from service.api.schemas.parts import game_name
from service.api.schemas.played import RatingSchema
from service.api.strict import Truth


class ShownRequest(Schema):
    """Which parts of the profile everybody may see."""

    results = Truth(required=True, metadata={"description": "games played and won, by game"})
    ratings = Truth(required=True)
    opponents = Truth(required=True, metadata={"description": "with whom, and who won"})
    activity = Truth(required=True, metadata={"description": "games by month"})


class ShownSchema(Schema):
    """Which parts of the profile everybody may see."""

    results = fields.Boolean(required=True)
    ratings = fields.Boolean(required=True)
    opponents = fields.Boolean(required=True)
    activity = fields.Boolean(required=True)


class ResultSchema(Schema):
    """How often somebody has played a game with so many seats, and won."""

    game = game_name()
    seats = fields.Integer(required=True)
    games = fields.Integer(required=True)
    won = fields.Integer(required=True)


class OpponentSchema(Schema):
    """A player, or a level of AI: how often they met, and how often either won."""

    player = fields.String(required=True)
    name = fields.String(required=True, allow_none=True)
    games = fields.Integer(required=True)
    won = fields.Integer(required=True)
    lost = fields.Integer(required=True)


class MonthSchema(Schema):
    """The games that ended in a month of UTC."""

    month = fields.String(required=True, metadata={"example": "2026-11"})
    games = fields.Integer(required=True)


class QuotaSchema(Schema):
    """How much of something an account has, and how much it may have at once."""

    quota = fields.String(required=True)
    used = fields.Integer(required=True)
    most = fields.Integer(required=True)


class QuotasSchema(Schema):
    """All quotas of an account."""

    quotas = fields.List(fields.Nested(QuotaSchema), required=True)


def shown(schema: type[Schema]) -> fields.List:
    """A part that is null where its person does not let it be seen."""
    return fields.List(fields.Nested(schema), required=True, allow_none=True)


class ProfileSchema(Schema):
    """A player, as far as the person lets it be seen: a part that is null is not shown.

    Counted are the public games that ended last, 5000 at most.
    """

    player = fields.String(required=True)
    name = fields.String(required=True)
    bot = fields.Boolean(required=True)
    since = fields.String(required=True, metadata={"format": "date"})
    results = shown(ResultSchema)
    ratings = shown(RatingSchema)
    opponents = shown(OpponentSchema)
    activity = shown(MonthSchema)
