"""Disputes of rulings."""

from marshmallow import fields, validate

from service.api.request_parsing import MAX_INTEGER, Truth, Whole
from service.api.schemas.parts import Text, choice, house_rules, moment, schema, words
from service.api.schemas.rulings import RulingSchema

RemedyRequest = schema(
    "Remedy", "What a dispute asks for: another `reading` of the rule, or a `correction` of a trial or an award."
)(
    reading=house_rules("house rules that stem from the disputed rule", validate=validate.Length(1)),
    correction=fields.Raw(
        metadata={
            "description": "the number of a correction that `POST …/disputes/preview` lists, or its `figures`",
            "anyOf": [{"type": "integer", "minimum": 1, "maximum": MAX_INTEGER - 1}, {"type": "object"}],
        }
    ),
)


DisputeRequest = schema("DisputeRequest", "A rule of a ruling that is disputed, why, and the remedy.")(
    seat=Whole("the seat that disputes", required=True),
    version=Whole("the version of the ruling", required=True, validate=validate.Range(1)),
    rule=Text(required=True, validate=validate.Length(1, 20), metadata={"example": "BM-R14"}),
    claim=words(1000),
    remedy=fields.Nested(RemedyRequest, required=True),
)

PreviewRequest = schema("DisputePreviewRequest", "A ruling, and a remedy for it; without one, all remedies.")(
    version=Whole("the version of the ruling", required=True, validate=validate.Range(1)),
    rule=Text(load_default=None, allow_none=True, validate=validate.Length(1, 20), metadata={"example": "BM-R14"}),
    remedy=fields.Nested(RemedyRequest, load_default=None, allow_none=True),
)

PreviewedRemedySchema = schema(
    "PreviewedRemedy", "A remedy, and what it leads to as far as everybody may know while the game runs."
)(
    rule=(str, "the rule to name in the dispute"),
    remedy=(dict, "as `POST …/disputes` takes it"),
    differs=(bool | None, "whether the move is decided otherwise; null: that depends on hidden cards"),
    version=(int | None, "the version of the first event that would differ"),
    type=(str | None, "what it would be; null: not that event, or one that hidden cards decide"),
    figures=(dict | None, "its payload"),
    words=(str | None, "the same in a sentence"),
    decided=(dict | None, "the game as it was decided, as everybody may see it; null: as `view`"),
    view=(dict | None, "the game after that event, or before a move that is refused; null: hidden cards decide"),
    refused=(str | None, "the rule that then forbids the move"),
)

PreviewSchema = schema("DisputePreview", "A ruling as it was decided, and its remedies.")(
    ruling=RulingSchema, remedies=[PreviewedRemedySchema]
)

CommentRequest = schema("CommentRequest", "A word on a dispute.")(text=words(1000))

SeatChoice = schema("SeatChoice", "A seat.")(seat=Whole(required=True))
VoteRequest = schema("VoteRequest", "A seat's vote.")(seat=Whole(required=True), overturn=Truth(required=True))

ResolutionRequest = schema("ResolutionRequest", "The arbiter's verdict.")(
    outcome=choice(("upheld", "overturned"), required=True),
    text=words(1000),
    remedy=fields.Nested(
        RemedyRequest, load_default=None, allow_none=True, metadata={"description": "null: what the dispute asks for"}
    ),
)

CommentSchema = schema("Comment", "A word on a dispute.", "player seat? text at")()
VoteSchema = schema("Vote", "A seat's vote.", "seat")(overturn=bool)

LookSchema = schema(
    "Look", "The arbiter looks through a seat, up to version `until`, while the dispute is open.", "seat player at"
)(until=int)

DisputeSchema = schema("Dispute", "A dispute; `outcome` is null while it is open.")(
    id=fields.String(required=True, metadata={"description": "its id", "example": "d58-1a2b3c4d"}),
    seat=(int, "the seat that disputes"),
    version=(int, "the version of the ruling"),
    rule=(str, "the id of the disputed rule"),
    claim=(str, "why the ruling is wrong"),
    remedy=(dict, "what it asks for: a `reading` (house rules by name), or a `correction` (the figures)"),
    at=moment("when it was opened"),
    deadline=moment("until when somebody may decide; then the ruling stands"),
    comments=([CommentSchema], "oldest first"),
    votes=([VoteSchema], "where the seats decide"),
    looks=([LookSchema], "the seats that the arbiter looks through"),
    outcome=(str | None, "upheld, overturned, lapsed or moot"),
    by=(str | None, "who decided: the arbiter's id, or `vote`"),
    text=(str | None, "the arbiter's reason, if any"),
    resolved=(int | None, "the version of the event that ended it"),
)

DisputesSchema = schema("Disputes", "The disputes of a table.", "version")(paused=bool, disputes=[DisputeSchema])
