"""Moves: sent, checked and listed."""

from marshmallow import fields, validate

from games import GAMES
from service.api.schemas.parts import STATUSES, Text, game_name, one_of, ref, ref_or_null, schema
from service.api.schemas.tables import OpenDecisionSchema, TableSchema
from service.api.strict import Whole

GAME = Text(
    "the table's game: by it the form of the move is known",
    required=True,
    validate=validate.Length(1, 40),
    metadata={"enum": list(GAMES)},
)


MoveRequest = schema(
    "MoveRequest",
    "A move. `decision` names the open decision that it answers: then it cannot answer a later one by mistake.",
    game=GAME,
    seat=Whole(required=True, metadata={"example": 1}),
    decision=Text(validate=validate.Length(1, 40), metadata={"example": "57-2-1a2b3c4d"}),
    move=fields.Raw(required=True, allow_none=True, metadata=ref("Move")),
)

MoveQuery = schema(
    "MoveQuery",
    "What else the answer to a move is to hold.",
    include=Text(
        "the whole table as the move left it, as the seat sees it, beside the rest", validate=validate.OneOf(("table",))
    ),
)

CheckRequest = schema(
    "CheckRequest",
    "A move to be checked, now or `at` a past version.",
    game=GAME,
    seat=Whole(required=True),
    move=fields.Raw(required=True, allow_none=True, metadata=ref("Move")),
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
    "Receipt",
    "Proof that the move was accepted: the version and hash of its last event.",
    table=str,
    version=int,
    hash=str,
)

PlayedSchema = schema(
    "Played",
    "What a move led to: its events as the seat reads them, and all that the seat needs to decide next.",
    game=game_name(),
    version=int,
    status=one_of(STATUSES),
    events=fields.List(fields.Raw(metadata=ref("Event")), required=True),
    view=fields.Raw(
        required=True,
        metadata=ref_or_null("View", "the game as the seat sees it, if it has to decide now; null if it waits"),
    ),
    table=fields.Nested(TableSchema, metadata={"description": "with `include=table`"}),
    decisions=[OpenDecisionSchema],
    receipt=ReceiptSchema,
)

MovesSchema = schema(
    "Moves",
    "The decisions that wait for the caller at a table.",
    game=game_name(),
    version=int,
    decisions=[OpenDecisionSchema],
)
