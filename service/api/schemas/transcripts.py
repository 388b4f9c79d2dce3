"""Texts in notation that are kept and read as tables."""

from marshmallow import Schema, fields, validate

from service.api.schemas.parts import VISIBILITIES, StrictText, game_name, moment, one_of

MOST_CHARACTERS = 60_000  # the longest recorded game has 15,000; with its quotation marks it fits into a small body
LINES = "how many lines the text has: the main one, and its variations"


WHO_SEES = "private: for oneself; public: for everybody who has the id"


class TranscriptRequest(Schema):
    """A text in notation."""

    plain = "text"
    text = StrictText(required=True, validate=validate.Length(1, MOST_CHARACTERS))
    visibility = StrictText(
        load_default="private", validate=validate.OneOf(VISIBILITIES), metadata={"description": WHO_SEES}
    )


class TranscriptQuery(Schema):
    """What there is to say of a text that is the whole body."""

    visibility = StrictText(
        validate=validate.OneOf(VISIBILITIES),
        metadata={"description": f"of a text that is the whole body: {WHO_SEES}; private if it is left out"},
    )


class TranscriptSchema(Schema):
    """A text that is kept. Read it as a table by its id; line n is the table `{table}-{n}`."""

    table = fields.String(required=True, metadata={"example": "x_k2mdqv7yjr4wtak4aeb3"})
    game = game_name()
    players = fields.Integer(required=True)
    visibility = one_of(VISIBILITIES)
    by = fields.String(required=True, metadata={"description": "who loaded it"})
    at = moment()
    is_over = fields.Boolean(required=True, metadata={"description": "whether the text goes on to the game's end"})
    version = fields.Integer(required=True, metadata={"description": "that with which the main line ends"})
    lines = fields.Integer(required=True, metadata={"description": LINES})


class TranscriptsSchema(Schema):
    """The transcripts of the caller, the newest first."""

    transcripts = fields.List(fields.Nested(TranscriptSchema), required=True)


class RemarkSchema(Schema):
    """A comment of the text, at the version at which it stands."""

    version = fields.Integer(required=True)
    text = fields.String(required=True)


class LineSchema(Schema):
    """A line of the text as a table of its own; a variation begins where it parts from another."""

    table = fields.String(required=True)
    parent = fields.String(required=True, allow_none=True, metadata={"description": "null: the main line"})
    parent_version = fields.Integer(required=True, allow_none=True)
    version = fields.Integer(required=True, metadata={"description": "that with which it ends"})
    comments = fields.List(fields.Nested(RemarkSchema), required=True)


class WholeTranscriptSchema(TranscriptSchema):
    """A transcript with its text and its lines."""

    text = fields.String(required=True)
    told = fields.List(fields.Nested(LineSchema), required=True, metadata={"description": "the lines, main one first"})
