"""A table with its seats, its open decisions and its origin; lists of tables; moves."""

from marshmallow import fields, validate

from games import GAMES
from service.accounts.allowed_names import checked_text
from service.api.request_parsing import QuerySeat, QueryWhole, Truth, Whole
from service.api.schemas.opening import AIDS, RATINGS, SeatClockSchema
from service.api.schemas.parts import (
    AT,
    EYES,
    STATUSES,
    STREAM,
    Name,
    PageQuery,
    Text,
    choice,
    list_of,
    moment,
    nullable,
    one_of,
    ref,
    schema,
    when,
)

HeldSeatSchema = schema("HeldSeat", "A seat and its holder.")(
    seat=(int, "its number, from 1"),
    kind=one_of(("open", "player", "ai"), "who holds it; while it is free: open to anybody, or kept for one player"),
    level=(str | None, "the level of the AI that holds it"),
    kept_for=(str | None, "the id of that player"),
    player=(str | None, "the id of the player who holds it"),
    name=(str | None, "the player's display name"),
    bot=(bool, "whether a program plays for that account"),
)

SeatSchema = schema("Seat", "A seat, its holder, and the holder's clock.", HeldSeatSchema)(
    clock=(SeatClockSchema | None, "null: no person holds the seat")
)

DecisionSchema = schema("Decision", "An open decision, as everybody sees it.")(
    id=fields.String(required=True, metadata={"description": "a move names it", "example": "57-2-1a2b3c4d"}),
    seat=(int, "the seat that has to decide"),
    since=moment("when it opened"),
    deadline=moment("when its time is over; null: no clock runs", allow_none=True),
    expired=(bool, "whether its time is over"),
)

WaitingForSchema = schema("WaitingFor", "A seat that has to decide.")(
    seat=(int, "the seat that has to decide"),
    kind=one_of(("player", "ai"), "who holds the seat"),
    since=moment("when its decision opened"),
)

OpenDecisionSchema = schema("OpenDecision", "An open decision of the caller, with its legal moves.", DecisionSchema)(
    moves=list_of("LegalMove", "the legal moves")
)


KINDS = ("takeback", "abort", "draw")

OfferRequest = schema("OfferRequest", "An offer to the other people at the table.")(
    kind=choice(KINDS, required=True),
    seat=Whole("the seat that offers; null: the opener, who has none", load_default=None, allow_none=True),
)

ConsentRequest = schema("ConsentRequest", "A seat's answer to an offer.")(
    seat=Whole(required=True), agrees=Truth(required=True)
)

OfferSchema = schema("Offer", "An offer that waits until the seats in `missing` agree.", "seat")(
    id=fields.String(required=True, metadata={"example": "o58-1a2b3c4d"}),
    kind=one_of(KINDS),
    to=(int | None, "the version that a takeback returns to"),
    missing=[int],
)

BRANCH = "the origin of a branch; null: the table is not a branch"


ForkedFromSchema = schema("ForkedFrom", "The origin of a branch.")(
    table=(str, "the id of the parent"),
    version=(int, "the version of the parent at which they part"),
    head=(str, "the hash of the parent there (hexadecimal)"),
    transcribed=(bool, "whether the parent is a transcript, which no record proves"),
    chance=one_of(("anew", "continued"), "whether the branch has its own luck or the parent's"),
    dealt_anew=(bool, "whether the cards that the forking player could not see were dealt anew"),
)

TableSchema = schema("Table", "A table at a version, as the caller may see it.", "game status visibility")(
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

TableQuery = schema("TableQuery", "The version and the view.")(
    at=QueryWhole(AT), at_time=when("as it was at this time"), seat=QuerySeat(EYES)
)

# Lists of tables, and the decisions that wait for a player

LobbyRowSchema = schema(
    "LobbyRow", "A table in the lobby.", "id game status visibility players options opened_at at version winners"
)(
    aids=(bool, AIDS),
    ratings=nullable("TableRatingRange", RATINGS),
    forked_from=(ForkedFromSchema | None, BRANCH),
    opened_by=str,
    arbiter=str | None,
    seats=[HeldSeatSchema],
    to_act=[int],
)


TOTAL = (
    "how many tables all pages have, opened between `since` and `until`: public ones of the status, or all that "
    "concern the caller; other filters do not lower it"
)

LobbySchema = schema(
    "Lobby",
    "Tables, the newest first; `next` is the cursor of the next page, which may be there though this one is short.",
    "next?",
)(tables=[LobbyRowSchema], total=(int, TOTAL))

LobbyQuery = schema("LobbyQuery", "Which tables.", PageQuery)(
    status=choice(STATUSES, "how far the tables are; left out: running, or every status of one's own"),
    mine=choice(
        ("true", "false", "turn"),
        "true: only tables that concern the caller; turn: only those at which the caller sits and has to decide",
        load_default="false",
    ),
    open_to=choice(
        ("me",),
        "me: only tables at which the caller may take a free seat by what they ask of ratings; "
        "`status` is then open if it is left out",
    ),
    game=choice(GAMES, "only of this game"),
    player=Name(
        "only where this player sits: an id, or a part of a name", validate=[validate.Length(1, 40), checked_text]
    ),
    since=when("only opened at this time or later"),
    until=when("only opened before this time"),
)

WaitingSchema = schema(
    "Waiting", "A decision that waits for the caller.", "table game version id seat since deadline?"
)(expired=bool)

InboxQuery = schema("InboxQuery", "Which part of the decisions.", PageQuery)(**STREAM)

InboxSchema = schema(
    "Inbox", "Decisions that wait for the caller, the oldest first; `next` is the cursor of the next page.", "next?"
)(decisions=[WaitingSchema])

# Moves: sent, checked and listed

LONGEST_WAIT_S = 50  # for `listMoves`: proxies commonly give up after a minute

GAME = Text(
    "the table's game, which decides the form of the move: a check for clients of several games",
    validate=validate.Length(1, 40),
    metadata={"enum": list(GAMES)},
)
MOVE = fields.Raw(required=True, allow_none=True, metadata=ref("Move") | {"description": "what the seat does"})

MoveRequest = schema("MoveRequest", "A move.")(
    game=GAME,
    seat=Whole("the seat that moves, by default the caller's", metadata={"example": 1}),
    decision=Text(
        "the id of the decision that it answers: with it the move cannot answer a later one by mistake",
        validate=validate.Length(1, 40),
        metadata={"example": "57-2-1a2b3c4d"},
    ),
    move=MOVE,
)

MoveQuery = schema("MoveQuery", "What else the answer to a move contains.")(
    include=choice(("table",), "the whole table after the move, as the seat sees it; events get sentences")
)

MovesQuery = schema("MovesQuery", "How long the answer may wait.")(
    wait=QueryWhole("seconds to wait for a decision of the caller", validate=validate.Range(0, LONGEST_WAIT_S))
)

CheckRequest = schema("CheckRequest", "A move to check, now or `at` a past version.")(
    game=GAME,
    seat=Whole("the seat that would move, by default the caller's"),
    move=MOVE,
    at=Whole("the version; null: now", load_default=None),
)

CheckSchema = schema("Check", "Whether the move is legal at that version, and if not which rule forbids it.")(
    legal=bool,
    version=(int, "at which it was checked"),
    rule=fields.String(allow_none=True),
    detail=fields.String(allow_none=True),
    text=fields.String(allow_none=True, metadata={"description": "the text of the rule (Markdown)"}),
)

ReceiptSchema = schema(
    "Receipt", "Proof that the move was accepted: the version and hash of its last event.", "table version"
)(hash=str)

PlayedSchema = schema(
    "Played",
    "The result of a move: its events as the seat reads them, and what the seat needs to decide next.",
    "game status",
)(
    version=(int, "the version of the table after the move"),
    events=list_of("Event", "the events of the move"),
    view=nullable("View", "the game as the seat sees it; null if it does not decide next"),
    table=fields.Nested(TableSchema, metadata={"description": "with `include=table`: the table after the move"}),
    decisions=([OpenDecisionSchema], "the open decisions of the seat"),
    receipt=(ReceiptSchema, "keep it to prove later that the move was accepted"),
)

MovesSchema = schema(
    "Moves", "The decisions that wait for the caller at a table, and the seats that have to decide.", "game status"
)(
    version=(int, "the version of the table"),
    decisions=([OpenDecisionSchema], "the caller's open decisions"),
    waiting_for=([WaitingForSchema], "the seats that have to decide"),
)
