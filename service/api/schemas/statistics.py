"""Statistics of games played."""

from marshmallow import Schema, fields, validate

from games import GAMES
from projections.played.counting import BOTS, OF_GAME, OF_SEAT, OPTION, PEOPLE
from service.api.schemas.parts import game_name, one_of
from service.api.strict import QueryWhole
from service.levels import LEVELS


class StatisticsQuery(Schema):
    """Of which seats at which games."""

    game = fields.String(required=True, validate=validate.OneOf(tuple(GAMES)), metadata={"description": "of this game"})
    seats = QueryWhole(validate=validate.Range(1, 8), metadata={"description": "only with so many seats"})
    rated = fields.String(
        validate=validate.OneOf(("true", "false")), metadata={"description": "only rated games, or only others"}
    )
    level = fields.String(
        validate=validate.OneOf((PEOPLE, BOTS, *LEVELS)),
        metadata={"description": "only seats of people, of bots, or of this level of AI"},
    )


class ShareSchema(Schema):
    """A share, and the interval in which it lies by 95 % (Wilson)."""

    share = fields.Float(required=True)
    low = fields.Float(required=True)
    high = fields.Float(required=True)


class CountedSeatSchema(Schema):
    """A seat number: how many such seats had the value, and how many of them won."""

    seat = fields.Integer(required=True)
    seats = fields.Integer(required=True)
    won = fields.Integer(required=True)
    wins = fields.Nested(ShareSchema, required=True, allow_none=True)


class FeatureValueSchema(Schema):
    """A value: how many seats had it, their share, and how they fared."""

    value = fields.String(required=True, metadata={"description": "of an option: as JSON, or `other`"})
    seats = fields.Integer(required=True)
    share = fields.Nested(ShareSchema, required=True, allow_none=True)
    won = fields.Integer(required=True, metadata={"description": "a win that is shared counts for each who shares it"})
    wins = fields.Nested(ShareSchema, required=True, allow_none=True)
    by_seat = fields.List(fields.Nested(CountedSeatSchema), required=True)


class FeatureSchema(Schema):
    """A house rule, or something told of a game or a seat, with all its values: that of most seats first."""

    of = one_of((OPTION, OF_GAME, OF_SEAT))
    name = fields.String(required=True)
    seats = fields.Integer(required=True, metadata={"description": "of how many seats it is told"})
    values = fields.List(fields.Nested(FeatureValueSchema), required=True)


class StatisticsSchema(Schema):
    """Statistics of a game."""

    game = game_name()
    games = fields.Integer(required=True, metadata={"description": "at which such seats were"})
    features = fields.List(fields.Nested(FeatureSchema), required=True)
