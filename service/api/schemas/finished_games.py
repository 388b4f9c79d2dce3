"""Games played: results, ratings, statistics and dumps."""

from typing import Any

from marshmallow import ValidationError, fields, validate, validates_schema

from games import GAMES
from projections.finished_games.statistics import BOTS, OF_GAME, OF_SEAT, OPTION, PEOPLE
from service.api.request_parsing import QueryWhole
from service.api.schemas.parts import Cursor, PageQuery, Text, choice, limit, one_of, schema, when
from service.api.schemas.tables import BRANCH, ForkedFromSchema
from service.levels import LEVELS

HOLDER = validate.Regexp(r"^[a-z0-9_:]{1,40}\Z")
TRUTH = ("true", "false")
SEATS, POINTS = validate.Range(1, 8), validate.Range(0, 100_000)


class GamesPlayedQuery(PageQuery):
    """Which games."""

    game = choice(GAMES, "only of this game")
    seats = QueryWhole("only with so many seats", validate=SEATS)
    player = Text("only of this player, or of this level of AI: `ai:greedy`", validate=HOLDER)
    level = choice(LEVELS, "only with this level of AI")
    result = choice(("won", "lost"), "only won, or lost, by `player`, or else by `level`")
    options = Text(
        "only with these house rules: a JSON object in ASCII",
        validate=[validate.Length(2, 1000), validate.Regexp(r"^\{[ -~]*\}\Z")],
        metadata={"example": '{"tie_break": "shared"}'},
    )
    rated = choice(TRUTH, "only rated games, or only casual ones")
    disputed = choice(TRUTH, "only with a dispute, or only without")
    moves_from = QueryWhole("only with so many moves or more")
    moves_to = QueryWhole("only with so many moves or fewer")
    rating_from = QueryWhole("only rated games before which everybody had this rating or more", validate=POINTS)
    rating_to = QueryWhole("only rated games before which everybody had this rating or less", validate=POINTS)
    since = when("only ended at this time or later")
    until = when("only ended before this time")

    @validates_schema
    def _fits(self, data: dict[str, Any], **_: Any) -> None:
        if "result" in data and not {"player", "level"} & data.keys():
            raise ValidationError("goes with `player` or `level`: whose result it is", "result")


RatingChangeSchema = schema("RatingChange", "A rating before and after a game.")(before=int, after=int)

PlayedSeatSchema = schema("PlayedSeat", "A seat of a finished game.", "seat player? name? bot")(
    kind=one_of(("player", "ai")),
    level=(str | None, "of an AI"),
    left=(str | None, "the player who ran out of time, and for whom the level played on"),
    place=int,
    points=float | None,
    rating=(RatingChangeSchema | None, "the rating of `left`, `player` or the level; null: not rated"),
)

GamePlayedSchema = schema(
    "GamePlayed", "A finished game.", "table game visibility options opened_at ended_at events winners"
)(
    forked_from=(ForkedFromSchema | None, BRANCH),
    moves=(int, "those that were undone as well"),
    disputed=bool,
    corrected=(bool, "whether a dispute was overturned"),
    rated=(bool, "whether the result may count in ratings"),
    how=(str, "why it ended: game_over, resigned or drawn"),
    seats=[PlayedSeatSchema],
)

GamesPlayedSchema = schema(
    "GamesPlayed",
    "Games, the last that ended first; a page may be short although `next` leads to another one.",
    "next?",
)(games=[GamePlayedSchema])

RatingsQuery = schema("RatingsQuery", "Of which game, at how many seats, and which part.")(
    game=choice(GAMES, "of this game", required=True),
    seats=QueryWhole("with so many seats", required=True, validate=SEATS),
    provisional=choice(TRUTH, "true: those that are provisional", load_default="false"),
    cursor=Cursor(r"-?[0-9]{1,10}\|[a-z0-9_:]{1,40}"),
    limit=limit("ratings a page, at most"),
)

RatingSchema = schema(
    "Rating", "A rating in a game with so many seats, in points; new players start at 1500.", "game seats player rating"
)(
    deviation=(int, "how uncertain it is: a standard deviation"),
    provisional=(bool, "whether the deviation is more than 300"),
    games=(int, "from how many it follows"),
)

LeaderSchema = schema("Leader", "A rating of a leaderboard.", RatingSchema, "name?")()

RatingsSchema = schema("Ratings", "Ratings, the highest first; `next` is the cursor of the next page.", "next?")(
    ratings=[LeaderSchema]
)

PlayerRatingsSchema = schema("PlayerRatings", "All ratings of a player, by game and number of seats.")(
    ratings=[RatingSchema]
)
RatingPointSchema = schema("RatingPoint", "A rating after a game.", "table ended_at rating deviation")(change=int)

RatingHistorySchema = schema(
    "RatingHistory", "The rating after each game, newest first; `next` is the cursor of the next page.", "next?"
)(points=[RatingPointSchema])

StatisticsQuery = schema("StatisticsQuery", "Of which seats at which games.")(
    game=choice(GAMES, "of this game", required=True),
    seats=QueryWhole("only with so many seats", validate=SEATS),
    rated=choice(TRUTH, "only rated games, or only others"),
    level=choice((PEOPLE, BOTS, *LEVELS), "only seats of people, of bots, or of this level of AI"),
)

ShareSchema = schema("Share", "A share, and the interval in which it lies by 95 % (Wilson).", "share low high")()

CountedSeatSchema = schema(
    "CountedSeat", "A seat number: how many such seats had the value, and how many of them won.", "seat seats won"
)(wins=ShareSchema | None)

FeatureValueSchema = schema(
    "FeatureValue", "A value: how many seats had it, their share, and how they fared.", "seats"
)(
    value=(str, "of an option: as JSON, or `other`"),
    share=ShareSchema | None,
    won=(int, "a win that is shared counts for each who shares it"),
    wins=ShareSchema | None,
    by_seat=[CountedSeatSchema],
)

FeatureSchema = schema(
    "Feature", "A house rule or another property of games or seats, with its values, the most frequent first.", "name"
)(of=one_of((OPTION, OF_GAME, OF_SEAT)), seats=(int, "the number of seats"), values=[FeatureValueSchema])

StatisticsSchema = schema("Statistics", "Statistics of a game.", "game")(
    games=(int, "at which such seats were"),
    features=[FeatureSchema],
)

DumpSchema = schema("Dump", "The dump of a month, and where its files are found.")(
    month=fields.String(required=True, metadata={"example": "2026-10"}),
    file=(str, "the name of the file of tables"),
    size=(int, "of that file, in bytes"),
    tables_url=(str, "the path of that file: `tar`, by Zstandard"),
    sums_url=(str, "the path of its SHA-256, for `sha256sum -c`"),
    signature_url=(str, "the path of the Ed25519 signature of the file with the SHA-256"),
)

DumpsSchema = schema("Dumps", "All dumps, the newest month first.")(months=[DumpSchema])

WebKeySchema = schema("WebKey", "A public key (RFC 8037).")(
    kty=str,
    crv=str,
    x=str,
    kid=(str, "its thumbprint (RFC 7638)"),
    alg=str,
    use=str,
)

WebKeysSchema = schema("WebKeys", "The public keys under which the service signs, the newest first.")(
    keys=[WebKeySchema]
)

StandingsQuery = schema("StandingsQuery", "Of which game or player, and which part.")(
    game=Text("only of this game", validate=validate.Length(1, 40), metadata={"enum": list(GAMES)}),
    player=Text("only of this player, or of this level of AI: `ai:greedy`", validate=HOLDER),
    cursor=Cursor(r"[a-z0-9-]{1,40}\|[0-9]{12}\|[0-9]{12}\|[a-z0-9_:]{1,40}"),
    limit=limit("rows a page, at most"),
)

StandingSchema = schema("Standing", "How many games a player has played and won.", "game player name? bot won")(
    played=int
)

StandingsSchema = schema(
    "Standings",
    "Standings, by game; most games won first, of them the fewest played. `next` is the cursor of the next page.",
    "next?",
)(standings=[StandingSchema])
