"""Games played: results, ratings, statistics and dumps."""

from typing import Any

from marshmallow import Schema, ValidationError, fields, validate, validates_schema

from games import GAMES
from projections.finished_games.statistics import BOTS, OF_GAME, OF_SEAT, OPTION, PEOPLE
from service.api.schemas.parts import VISIBILITIES, PageQuery, game_name, moment, one_of
from service.api.schemas.tables import BRANCH, ForkedFromSchema
from service.api.strict import QueryWhole
from service.levels import LEVELS

HOLDER = validate.Regexp(r"^[a-z0-9_:]{1,40}\Z")
TRUTH = validate.OneOf(("true", "false"))
MOST_POINTS = 100_000


def _game(**field: Any) -> Any:
    return fields.String(validate=validate.OneOf(tuple(GAMES)), **field)


def _seats(**field: Any) -> Any:
    return QueryWhole(validate=validate.Range(1, 8), **field)


def _time(description: str) -> Any:
    return fields.String(validate=validate.Length(1, 40), metadata={"description": description, "format": "date-time"})


def _truth(description: str) -> Any:
    return fields.String(validate=TRUTH, metadata={"description": description})


def _points(description: str) -> Any:
    return QueryWhole(validate=validate.Range(0, MOST_POINTS), metadata={"description": description})


class GamesPlayedQuery(PageQuery):
    """Which games."""

    game = _game(metadata={"description": "only of this game"})
    seats = _seats(metadata={"description": "only with so many seats"})
    player = fields.String(
        validate=HOLDER, metadata={"description": "only of this player, or of this level of AI: `ai:greedy`"}
    )
    level = fields.String(
        validate=validate.OneOf(tuple(LEVELS)), metadata={"description": "only with this level of AI"}
    )
    result = fields.String(
        validate=validate.OneOf(("won", "lost")),
        metadata={"description": "only won, or lost, by `player`, or else by `level`"},
    )
    options = fields.String(
        validate=[validate.Length(2, 1000), validate.Regexp(r"^\{[ -~]*\}\Z")],
        metadata={
            "description": "only with these house rules: a JSON object in ASCII",
            "example": '{"tie_break": "shared"}',
        },
    )
    rated = _truth("only rated games, or only casual ones")
    disputed = _truth("only with a dispute, or only without")
    moves_from = QueryWhole(metadata={"description": "only with so many moves or more"})
    moves_to = QueryWhole(metadata={"description": "only with so many moves or fewer"})
    rating_from = _points("only rated games before which everybody had this rating or more")
    rating_to = _points("only rated games before which everybody had this rating or less")
    since = _time("only ended at this time or later (RFC 3339)")
    until = _time("only ended before this time (RFC 3339)")

    @validates_schema
    def _fits(self, data: dict[str, Any], **_: Any) -> None:
        if "result" in data and not {"player", "level"} & data.keys():
            raise ValidationError("goes with `player` or `level`: whose result it is", "result")


class RatingChangeSchema(Schema):
    """Somebody's rating before a game and behind it."""

    before = fields.Integer(required=True)
    after = fields.Integer(required=True)


class PlayedSeatSchema(Schema):
    """A seat of a finished game."""

    seat = fields.Integer(required=True)
    player = fields.String(required=True, allow_none=True)
    name = fields.String(required=True, allow_none=True)
    bot = fields.Boolean(required=True)
    level = fields.String(required=True, allow_none=True)
    left = fields.String(
        required=True,
        allow_none=True,
        metadata={"description": "the player whose time was over and for whom the level played on"},
    )
    place = fields.Integer(required=True)
    points = fields.Float(required=True, allow_none=True)
    rating = fields.Nested(
        RatingChangeSchema,
        required=True,
        allow_none=True,
        metadata={"description": "of whoever is rated for the seat: `left`, `player` or the level; null: not rated"},
    )


class GamePlayedSchema(Schema):
    """A finished game."""

    table = fields.String(required=True)
    game = game_name()
    visibility = one_of(VISIBILITIES)
    forked_from = fields.Nested(ForkedFromSchema, required=True, allow_none=True, metadata={"description": BRANCH})
    options = fields.Dict(required=True)
    opened_at = moment()
    ended_at = moment()
    events = fields.Integer(required=True)
    moves = fields.Integer(required=True, metadata={"description": "those that were undone as well"})
    disputed = fields.Boolean(required=True)
    corrected = fields.Boolean(required=True, metadata={"description": "whether a dispute was overturned"})
    rated = fields.Boolean(required=True, metadata={"description": "whether the result may count in ratings"})
    winners = fields.List(fields.Integer(), required=True)
    seats = fields.List(fields.Nested(PlayedSeatSchema), required=True)


class GamesPlayedSchema(Schema):
    """Games, the last that ended first; a page may be short although `next` leads to another one."""

    games = fields.List(fields.Nested(GamePlayedSchema), required=True)
    next = fields.String(required=True, allow_none=True)


class RatingsQuery(Schema):
    """Of which game, at how many seats, and which part."""

    game = _game(required=True, metadata={"description": "of this game"})
    seats = _seats(required=True, metadata={"description": "with so many seats"})
    provisional = fields.String(
        load_default="false", validate=TRUTH, metadata={"description": "true: those that are provisional"}
    )
    cursor = fields.String(
        validate=validate.Regexp(r"^-?[0-9]{1,10}\|[a-z0-9_:]{1,40}\Z"),
        metadata={"description": "`next` of the page before"},
    )
    limit = QueryWhole(
        load_default=50, validate=validate.Range(1, 200), metadata={"description": "ratings a page, at most"}
    )


class RatingSchema(Schema):
    """How strong somebody is at a game with so many seats, in points: new players begin with 1500."""

    game = game_name()
    seats = fields.Integer(required=True)
    player = fields.String(required=True)
    rating = fields.Integer(required=True)
    deviation = fields.Integer(required=True, metadata={"description": "how uncertain it is: a standard deviation"})
    provisional = fields.Boolean(required=True, metadata={"description": "whether the deviation is more than 300"})
    games = fields.Integer(required=True, metadata={"description": "from how many it follows"})


class LeaderSchema(RatingSchema):
    """A rating of a leaderboard."""

    name = fields.String(required=True, allow_none=True)


class RatingsSchema(Schema):
    """Ratings, the highest first; `next` is the cursor of the next page."""

    ratings = fields.List(fields.Nested(LeaderSchema), required=True)
    next = fields.String(required=True, allow_none=True)


class PlayerRatingsSchema(Schema):
    """All ratings of a player, by game and number of seats."""

    ratings = fields.List(fields.Nested(RatingSchema), required=True)


class RatingPointSchema(Schema):
    """A rating behind a game."""

    table = fields.String(required=True)
    ended_at = moment()
    rating = fields.Integer(required=True)
    deviation = fields.Integer(required=True)
    change = fields.Integer(required=True)


class RatingHistorySchema(Schema):
    """A rating behind each game, the newest first; `next` is the cursor of the next page."""

    points = fields.List(fields.Nested(RatingPointSchema), required=True)
    next = fields.String(required=True, allow_none=True)


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


class DumpSchema(Schema):
    """The dump of a month, and where its files are found."""

    month = fields.String(required=True, metadata={"example": "2026-10"})
    file = fields.String(required=True, metadata={"description": "the name of the file of tables"})
    size = fields.Integer(required=True, metadata={"description": "of that file, in bytes"})
    tables_url = fields.String(required=True, metadata={"description": "the path of that file: `tar`, by Zstandard"})
    sums_url = fields.String(required=True, metadata={"description": "the path of its SHA-256, for `sha256sum -c`"})
    signature_url = fields.String(
        required=True, metadata={"description": "the path of the Ed25519 signature of the file with the SHA-256"}
    )


class DumpsSchema(Schema):
    """All dumps, the newest month first."""

    months = fields.List(fields.Nested(DumpSchema), required=True)


class WebKeySchema(Schema):
    """A public key (RFC 8037)."""

    kty = fields.String(required=True)
    crv = fields.String(required=True)
    x = fields.String(required=True)
    kid = fields.String(required=True, metadata={"description": "its thumbprint (RFC 7638)"})
    alg = fields.String(required=True)
    use = fields.String(required=True)


class WebKeysSchema(Schema):
    """The public keys under which the service signs, the newest first."""

    keys = fields.List(fields.Nested(WebKeySchema), required=True)


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
