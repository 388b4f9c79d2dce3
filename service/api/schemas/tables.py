"""A table as it is shown: its seats, its open decisions, where it branched off."""

from marshmallow import fields, validate

from service.api.schemas.opening import AIDS, DisputeRulesSchema, SeatClockSchema, ShownClockSchema, shown_ratings
from service.api.schemas.parts import (
    AT,
    AT_TIME,
    EYES,
    STATUSES,
    VISIBILITIES,
    Text,
    game_name,
    moment,
    one_of,
    ref,
    ref_or_null,
    schema,
)
from service.api.strict import QuerySeat, QueryWhole

AiSchema = schema("Ai", "An AI player as it is recorded.", player=str, version=int, level=str)

HeldSeatSchema = schema(
    "HeldSeat",
    "What a seat is meant for and who holds it.",
    seat=int,
    offer=one_of(("open", "player", "ai")),
    kept_for=str | None,
    player=str | None,
    name=str | None,
    bot=bool,
)

SeatSchema = schema(
    "Seat",
    "A seat: what it is meant for, who holds it, and the time of a person who does.",
    HeldSeatSchema,
    ai=AiSchema | None,
    clock=(SeatClockSchema | None, "null: no person holds the seat"),
)

DecisionSchema = schema(
    "Decision",
    "An open decision, as everybody may see it.",
    id=fields.String(required=True, metadata={"example": "57-2-1a2b3c4d"}),
    seat=int,
    since=moment(),
    deadline=moment(allow_none=True),
    expired=bool,
)

OpenDecisionSchema = schema(
    "OpenDecision",
    "An open decision of the caller, with its legal moves.",
    DecisionSchema,
    moves=fields.List(fields.Raw(metadata=ref("LegalMove")), required=True),
)


BRANCH = "null: the table is no branch"


ForkedFromSchema = schema(
    "ForkedFrom",
    "Where a branch comes from.",
    table=str,
    version=int,
    head=(str, "hash of the parent's event there (hexadecimal)"),
    transcribed=(bool, "whether the parent is a text, which no record proves"),
    chance=one_of(("anew", "continued")),
    dealt_anew=(bool, "whether what the forking player might not see was dealt anew"),
)

TableSchema = schema(
    "Table",
    "A table at a version, as the caller may see it.",
    table=str,
    game=game_name(),
    rules_version=int,
    status=one_of(STATUSES),
    visibility=one_of(VISIBILITIES),
    forked_from=(ForkedFromSchema | None, BRANCH),
    version=int,
    at=moment(),
    hash=(str, "hash of the last event (hexadecimal)"),
    options=dict,
    opened_by=str,
    arbiter=str | None,
    clock=ShownClockSchema | None,
    disputes=DisputeRulesSchema | None,
    paused=(bool, "whether an open dispute pauses play"),
    seats=[SeatSchema],
    decisions=[DecisionSchema],
    seat=(int | None, "with whose eyes; null: spectator"),
    view=fields.Raw(required=True, metadata=ref_or_null("View", "the game as the eyes see it, null before it begins")),
    scores=fields.Raw(required=True, metadata=ref_or_null("Scores", "as they stand, null before the game begins")),
    counted=(
        bool,
        "whether the result counts in the standings: not that of a private table, of a branch, of a "
        "lesson, of a game in which a dispute was overturned, or in which somebody alone with AI seats took a move "
        "back",
    ),
    rated=(bool, "whether the result is to count in ratings"),
    aids=(bool, AIDS),
    ratings=shown_ratings(),
    lesson=(bool, "whether it is a lesson, with a prepared deal"),
    transcribed=(bool, "whether a text tells it: no record proves it, every hash is zeros"),
)

TableQuery = schema(
    "TableQuery",
    "Which version, and with whose eyes.",
    at=QueryWhole(AT),
    at_time=Text(AT_TIME, validate=validate.Length(1, 40), metadata={"format": "date-time"}),
    seat=QuerySeat(EYES),
)
