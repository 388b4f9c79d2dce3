"""Texts in notation that are kept and read as tables."""

from marshmallow import Schema, fields, validate

from service.api.schemas.parts import VISIBILITIES, Text, choice, schema

MOST_CHARACTERS = 60_000  # the longest recorded game has 15,000; with its quotation marks it fits into a small body
LINES = "how many lines the text has: the main one, and its variations"


WHO_SEES = "private: only for you; public: for everybody with the id"


class TranscriptRequest(Schema):
    """A text in notation."""

    plain = "text"
    text = Text(required=True, validate=validate.Length(1, MOST_CHARACTERS))
    visibility = choice(VISIBILITIES, WHO_SEES, load_default="private")


TranscriptQuery = schema("TranscriptQuery", "What there is to say of a text that is the whole body.")(
    visibility=choice(VISIBILITIES, f"of a text that is the whole body: {WHO_SEES}; private if it is left out")
)

TranscriptSchema = schema(
    "Transcript",
    "A text that is kept. Read it as a table by its id; line n is the table `{id}-{n}`.",
    "game players visibility at",
)(
    id=fields.String(required=True, metadata={"example": "x_k2mdqv7yjr4wtak4aeb3"}),
    by=(str, "who loaded it"),
    is_over=(bool, "whether the text goes on to the game's end"),
    version=(int, "that with which the main line ends"),
    lines=(int, LINES),
)

TranscriptsSchema = schema("Transcripts", "The transcripts of the caller, the newest first.")(
    transcripts=[TranscriptSchema]
)
RemarkSchema = schema("Remark", "A comment in the text, after the version that it follows.", "version text")()

LineSchema = schema(
    "Line", "A line of the text as a table of its own; a variation starts where it leaves another.", "id"
)(
    parent=(str | None, "null: the main line"),
    parent_version=int | None,
    version=(int, "that with which it ends"),
    comments=[RemarkSchema],
)

WholeTranscriptSchema = schema(
    "WholeTranscript", "A transcript with its text and its lines.", TranscriptSchema, "text"
)(told=([LineSchema], "the lines, the main line first"))
