"""Disputes of rulings, and moves taken back."""

from marshmallow import fields, validate

from service.accounts.allowed_names import checked_text
from service.api.schemas.parts import Text, house_rules, moment, schema
from service.api.schemas.tables import TableSchema
from service.api.strict import Truth, Whole

DisputeRequest = schema(
    "DisputeRequest",
    "What is disputed: a rule of a ruling, why, and by which house rules it should be read instead.",
    seat=Whole(required=True),
    version=Whole("the event that is the ruling", required=True, validate=validate.Range(1)),
    rule=Text(required=True, validate=validate.Length(1, 20), metadata={"example": "BM-R14"}),
    claim=Text(required=True, validate=[validate.Length(1, 1000), checked_text]),
    options=house_rules(
        "house rules that stem from the disputed ruling; none: decide the same again", load_default=dict
    ),
)

CommentRequest = schema(
    "CommentRequest",
    "A word on a dispute.",
    text=Text(required=True, validate=[validate.Length(1, 1000), checked_text]),
)

LookRequest = schema("LookRequest", "Whose eyes the arbiter borrows.", seat=Whole(required=True))
VoteRequest = schema("VoteRequest", "A seat's vote.", seat=Whole(required=True), overturn=Truth(required=True))

ResolutionRequest = schema(
    "ResolutionRequest",
    "The arbiter's verdict.",
    outcome=Text(required=True, validate=validate.OneOf(("upheld", "overturned"))),
    text=Text(required=True, validate=[validate.Length(1, 1000), checked_text]),
    options=house_rules(
        "the house rules amended; null: those that the dispute asks for", load_default=None, allow_none=True
    ),
)

CommentSchema = schema("Comment", "A word on a dispute.", player=str, seat=int | None, text=str, at=moment())
VoteSchema = schema("Vote", "A seat's vote.", seat=int, overturn=bool)

LookSchema = schema(
    "Look",
    "That the arbiter borrows the eyes of a seat, while the dispute is open and up to version `until`.",
    seat=int,
    player=str,
    until=int,
    at=moment(),
)

DisputeSchema = schema(
    "Dispute",
    "A dispute; `outcome` is null while it is open.",
    id=fields.String(required=True, metadata={"example": "d58-1a2b3c4d"}),
    seat=int,
    version=int,
    rule=str,
    claim=str,
    options=dict,
    at=moment(),
    deadline=moment(),
    comments=[CommentSchema],
    votes=[VoteSchema],
    looks=[LookSchema],
    outcome=(str | None, "upheld, overturned, lapsed or moot"),
    by=str | None,
    text=str | None,
    resolved=(int | None, "the event that ended it"),
)

TakebackRequest = schema("TakebackRequest", "Whose last move.", seat=Whole(required=True))
ConsentRequest = schema(
    "ConsentRequest", "What a seat says to a takeback.", seat=Whole(required=True), agrees=Truth(required=True)
)

WaitingTakebackSchema = schema(
    "WaitingTakeback",
    "A takeback that waits: `missing` have still to agree.",
    id=fields.String(required=True, metadata={"example": "b58-1a2b3c4d"}),
    seat=int,
    to=int,
    missing=[int],
)

DisputesSchema = schema(
    "Disputes",
    "The disputes of a table, and a takeback that waits for consent.",
    version=int,
    paused=bool,
    disputes=[DisputeSchema],
    takeback=WaitingTakebackSchema | None,
)

TakebackSchema = schema(
    "Takeback",
    "The table after it, and what still waits for consent.",
    taken_back=bool,
    waiting=WaitingTakebackSchema | None,
    table=TableSchema,
)
