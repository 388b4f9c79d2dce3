"""A table with its seats, its open decisions and its origin."""

from marshmallow import fields

from service.api.schemas.opening import AIDS, RATINGS, SeatClockSchema
from service.api.schemas.parts import AT, EYES, choice, list_of, moment, nullable, one_of, schema, when
from service.api.strict import QuerySeat, QueryWhole, Truth, Whole

HeldSeatSchema = schema(
    "HeldSeat",
    "A seat and its holder.",
    seat=(int, "its number, from 1"),
    kind=one_of(("open", "player", "ai"), "who holds it; while it is free: open to anybody, or kept for one player"),
    level=(str | None, "the level of the AI that holds it"),
    kept_for=(str | None, "the id of that player"),
    player=(str | None, "the id of the player who holds it"),
    name=(str | None, "the player's display name"),
    bot=(bool, "whether a program plays for that account"),
)

SeatSchema = schema(
    "Seat",
    "A seat, its holder, and the holder's clock.",
    HeldSeatSchema,
    clock=(SeatClockSchema | None, "null: no person holds the seat"),
)

DecisionSchema = schema(
    "Decision",
    "An open decision, as everybody sees it.",
    id=fields.String(required=True, metadata={"description": "a move names it", "example": "57-2-1a2b3c4d"}),
    seat=(int, "the seat that has to decide"),
    since=moment("when it opened"),
    deadline=moment("when its time is over; null: no clock runs", allow_none=True),
    expired=(bool, "whether its time is over"),
)

WaitingForSchema = schema(
    "WaitingFor",
    "A seat that has to decide.",
    seat=(int, "the seat that has to decide"),
    kind=one_of(("player", "ai"), "who holds the seat"),
    since=moment("when its decision opened"),
)

OpenDecisionSchema = schema(
    "OpenDecision",
    "An open decision of the caller, with its legal moves.",
    DecisionSchema,
    moves=list_of("LegalMove", "the legal moves"),
)


KINDS = ("takeback", "abort", "draw")

OfferRequest = schema(
    "OfferRequest",
    "An offer to the other people at the table.",
    kind=choice(KINDS, required=True),
    seat=Whole("the seat that offers; null: the opener, who has none", load_default=None, allow_none=True),
)

ConsentRequest = schema(
    "ConsentRequest", "A seat's answer to an offer.", seat=Whole(required=True), agrees=Truth(required=True)
)

OfferSchema = schema(
    "Offer",
    "An offer that waits until the seats in `missing` agree.",
    "seat",
    id=fields.String(required=True, metadata={"example": "o58-1a2b3c4d"}),
    kind=one_of(KINDS),
    to=(int | None, "the version that a takeback returns to"),
    missing=[int],
)

BRANCH = "the origin of a branch; null: the table is not a branch"


ForkedFromSchema = schema(
    "ForkedFrom",
    "The origin of a branch.",
    table=(str, "the id of the parent"),
    version=(int, "the version of the parent at which they part"),
    head=(str, "the hash of the parent there (hexadecimal)"),
    transcribed=(bool, "whether the parent is a transcript, which no record proves"),
    chance=one_of(("anew", "continued"), "whether the branch has its own luck or the parent's"),
    dealt_anew=(bool, "whether the cards that the forking player could not see were dealt anew"),
)

TableSchema = schema(
    "Table",
    "A table at a version, as the caller may see it.",
    "game status visibility",
    id=(str, "the id of the table"),
    rules_version=(int, "the version of the game's rules"),
    forked_from=(ForkedFromSchema | None, BRANCH),
    version=(int, "the number of its events"),
    at=moment("when the last event was recorded"),
    hash=(str, "the hash of the last event (hexadecimal)"),
    options=(dict, "all house rules and their values"),
    opened_by=(str, "the id of the player who opened it"),
    arbiter=(str | None, "the id of the player who decides disputes"),
    clock=nullable("TableTimeControl", "the time control, null without one"),
    disputes=nullable("TableDisputeRules", "how rulings may be disputed; null: they may not"),
    paused=(bool, "whether an open dispute pauses play"),
    seats=([SeatSchema], "in the order of their numbers"),
    decisions=([DecisionSchema], "the open decisions"),
    waiting_for=([WaitingForSchema], "the seats that have to decide"),
    seat=(int | None, "the seat whose view this is; null: a spectator's"),
    view=nullable("View", "the game as the seat sees it; null before it begins"),
    scores=nullable("Scores", "the scores so far; null before the game begins"),
    closed=(str | None, "why it ended: game_over, resigned, drawn, aborted or abandoned"),
    offer=(OfferSchema | None, "the offer that waits for consent"),
    counted=(
        bool,
        "whether the result counts in the standings: not at a private table, a branch or a lesson, nor after an "
        "overturned dispute, or after a takeback by a player alone with AI",
    ),
    rated=(bool, "whether the result counts in ratings"),
    aids=(bool, AIDS),
    ratings=nullable("TableRatingRange", RATINGS),
    lesson=(bool, "whether it is a lesson, with a prepared deal"),
    transcribed=(bool, "whether it is a transcript: no record proves it, and every hash is zeros"),
)

TableQuery = schema(
    "TableQuery",
    "The version and the view.",
    at=QueryWhole(AT),
    at_time=when("as it was at this time"),
    seat=QuerySeat(EYES),
)
