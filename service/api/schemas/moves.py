"""Moves: sent, checked and listed."""

from marshmallow import fields, validate

from games import GAMES
from service.api.schemas.parts import Text, choice, list_of, nullable, ref, schema
from service.api.schemas.tables import OpenDecisionSchema, TableSchema, WaitingForSchema
from service.api.strict import QueryWhole, Whole

LONGEST_WAIT_S = 50  # for `listMoves`: proxies commonly give up after a minute

GAME = Text(
    "the table's game, which decides the form of the move: a check for clients of several games",
    validate=validate.Length(1, 40),
    metadata={"enum": list(GAMES)},
)
MOVE = fields.Raw(required=True, allow_none=True, metadata=ref("Move") | {"description": "what the seat does"})

MoveRequest = schema(
    "MoveRequest",
    "A move.",
    game=GAME,
    seat=Whole("the seat that moves, by default the caller's", metadata={"example": 1}),
    decision=Text(
        "the id of the decision that it answers: with it the move cannot answer a later one by mistake",
        validate=validate.Length(1, 40),
        metadata={"example": "57-2-1a2b3c4d"},
    ),
    move=MOVE,
)

MoveQuery = schema(
    "MoveQuery",
    "What else the answer to a move contains.",
    include=choice(("table",), "the whole table after the move, as the seat sees it; events get sentences"),
)

MovesQuery = schema(
    "MovesQuery",
    "How long the answer may wait.",
    wait=QueryWhole("seconds to wait for a decision of the caller", validate=validate.Range(0, LONGEST_WAIT_S)),
)

CheckRequest = schema(
    "CheckRequest",
    "A move to check, now or `at` a past version.",
    game=GAME,
    seat=Whole("the seat that would move, by default the caller's"),
    move=MOVE,
    at=Whole("the version; null: now", load_default=None),
)

CheckSchema = schema(
    "Check",
    "Whether the move is legal at that version, and if not which rule forbids it.",
    legal=bool,
    version=(int, "at which it was checked"),
    rule=fields.String(allow_none=True),
    detail=fields.String(allow_none=True),
    text=fields.String(allow_none=True, metadata={"description": "the text of the rule (Markdown)"}),
)

ReceiptSchema = schema(
    "Receipt", "Proof that the move was accepted: the version and hash of its last event.", "table version", hash=str
)

PlayedSchema = schema(
    "Played",
    "The result of a move: its events as the seat reads them, and what the seat needs to decide next.",
    "game status",
    version=(int, "the version of the table after the move"),
    events=list_of("Event", "the events of the move"),
    view=nullable("View", "the game as the seat sees it; null if it does not decide next"),
    table=fields.Nested(TableSchema, metadata={"description": "with `include=table`: the table after the move"}),
    decisions=([OpenDecisionSchema], "the open decisions of the seat"),
    receipt=(ReceiptSchema, "keep it to prove later that the move was accepted"),
)

MovesSchema = schema(
    "Moves",
    "The decisions that wait for the caller at a table, and the seats that have to decide.",
    "game status",
    version=(int, "the version of the table"),
    decisions=([OpenDecisionSchema], "the caller's open decisions"),
    waiting_for=([WaitingForSchema], "the seats that have to decide"),
)
