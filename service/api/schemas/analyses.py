"""Analyses of finished tables, and what a seat may believe of hidden cards."""

from marshmallow import Schema, ValidationError, fields, validate

from games import GAMES
from games.beliefs import BATCHES
from service.analyses import LUCK
from service.api.schemas.parts import AT, StrictText, moment
from service.api.strict import QueryWhole

DECISIONS = ("quick", "deep")
KINDS, VERDICTS = (*DECISIONS, LUCK), ("good", "inaccuracy", "mistake", "blunder")
STATUSES = ("waiting", "running", "done", "failed")
KIND = (
    "`quick`: what seven decisions were worth, the most doubtful first, others from all over the game; "
    "`deep`: all, in more worlds; `luck`: what chance and choices made of each seat's lead"
)


class AnalysisRequest(Schema):
    """Which analysis is wanted."""

    kind = StrictText(load_default="quick", validate=validate.OneOf(KINDS), metadata={"description": KIND})


class AnalysisQuery(Schema):
    """Which analysis is asked about."""

    kind = fields.String(load_default="quick", validate=validate.OneOf(KINDS), metadata={"description": KIND})


class MeanSchema(Schema):
    """A mean over imagined worlds."""

    mean = fields.Float(required=True)
    error = fields.Float(required=True, metadata={"description": "its standard error"})


class TriedSchema(Schema):
    """What the seat could expect of a move in the end."""

    move = fields.Dict(required=True, metadata={"description": "as `move` of a request has it"})
    points = fields.Nested(MeanSchema, required=True, metadata={"description": "its final total"})
    margin = fields.Nested(MeanSchema, required=True, metadata={"description": "its lead over the best other seat"})
    victory = fields.Nested(MeanSchema, required=True, metadata={"description": "its share of the victory"})
    behind = fields.Nested(
        MeanSchema,
        required=True,
        metadata={"description": "how much less margin the move made brings, world by world; 0 for that move"},
    )


class EvaluationSchema(Schema):
    """The move made and others beside it, in the same imagined worlds."""

    made = fields.Nested(TriedSchema, required=True)
    others = fields.List(fields.Nested(TriedSchema), required=True, metadata={"description": "the best first"})
    loss = fields.Float(required=True, metadata={"description": "points of margin; 0 unless it is sure"})
    worlds = fields.Integer(required=True)


class DecisionEvaluatedSchema(Schema):
    """A decision and what it was worth."""

    version = fields.Integer(required=True, metadata={"description": "the version that the move led to"})
    seat = fields.Integer(required=True)
    verdict = fields.String(required=True, validate=validate.OneOf(VERDICTS))
    evaluation = fields.Nested(EvaluationSchema, required=True)


class SeatSummarySchema(Schema):
    """What the decisions of a seat lost, of those that were looked at."""

    seat = fields.Integer(required=True)
    decisions = fields.Integer(required=True)
    mean_loss = fields.Float(required=True, metadata={"description": "points of margin a decision"})
    inaccuracies = fields.Integer(required=True)
    mistakes = fields.Integer(required=True)
    blunders = fields.Integer(required=True)


class WholeAnalysisSchema(Schema):
    """An analysis that is done: the same table, kind and player always give the same."""

    table = fields.String(required=True)
    game = fields.String(required=True, validate=validate.OneOf(tuple(GAMES)))
    players = fields.Integer(required=True)
    head = fields.String(required=True, metadata={"description": "the hash of the table's last event"})
    player = fields.String(required=True, metadata={"description": "who plays the imagined games to their end"})
    version = fields.Integer(required=True, metadata={"description": "of that player"})
    kind = fields.String(required=True, validate=validate.OneOf(DECISIONS))
    worlds = fields.Integer(required=True, metadata={"description": "imagined for a decision"})
    width = fields.Integer(required=True, metadata={"description": "moves tried at a decision, at most"})
    choices = fields.Integer(required=True, metadata={"description": "decisions at which there was a choice"})
    decisions = fields.List(fields.Nested(DecisionEvaluatedSchema), required=True)
    seats = fields.List(fields.Nested(SeatSummarySchema), required=True)


class SeatLuckSchema(Schema):
    """The lead of a seat over the best other, as the sum of its parts."""

    seat = fields.Integer(required=True)
    player = fields.String(
        required=True,
        allow_none=True,
        metadata={"description": "who played it, if it is known how that player chooses: its choices are luck too"},
    )
    margin = fields.Float(required=True, metadata={"description": "the lead in the end: the sum of the next five"})
    expected = fields.Nested(MeanSchema, required=True, metadata={"description": "before the deal"})
    chance = fields.Nested(
        MeanSchema, required=True, metadata={"description": "what the deal, draws and shuffles made of it"}
    )
    own = fields.Nested(MeanSchema, required=True, metadata={"description": "what the seat's choices made of it"})
    others = fields.Nested(MeanSchema, required=True, metadata={"description": "what other seats' choices made of it"})
    ruled = fields.Nested(
        MeanSchema, required=True, metadata={"description": "what was ruled otherwise between two moves"}
    )
    adjusted = fields.Nested(
        MeanSchema, required=True, metadata={"description": "the lead less chance, and less choices of known players"}
    )


def changes(description: str) -> fields.List:
    """What changed in the expected lead of each seat, in their order."""
    return fields.List(fields.Float(), required=True, metadata={"description": f"{description}, seat by seat"})


class StrokeSchema(Schema):
    """What an event changed in the expected lead of each seat."""

    version = fields.Integer(required=True, metadata={"description": "the version that the move led to; 0: the deal"})
    seat = fields.Integer(required=True, allow_none=True, metadata={"description": "whose move it was; null: the deal"})
    ruled = changes("by what was ruled otherwise since the event before")
    choice = changes("by the move")
    chance = changes("by what chance made of it")


class LuckSchema(Schema):
    """The luck of a finished game: the same table always gives the same."""

    table = fields.String(required=True)
    game = fields.String(required=True, validate=validate.OneOf(tuple(GAMES)))
    player = fields.String(required=True, metadata={"description": "who goes on for seats that are not known"})
    version = fields.Integer(required=True, metadata={"description": "of that player"})
    worlds = fields.Integer(required=True, metadata={"description": "in which each moment was played on"})
    seats = fields.List(fields.Nested(SeatLuckSchema), required=True)
    strokes = fields.List(
        fields.Nested(StrokeSchema), required=True, metadata={"description": "the deal, and each move, in their order"}
    )


class AskedAnalysisSchema(Schema):
    """How far an analysis is."""

    table = fields.String(required=True)
    kind = fields.String(required=True, validate=validate.OneOf(KINDS))
    status = fields.String(required=True, validate=validate.OneOf(STATUSES))
    asked_at = moment()
    done = fields.Integer(required=True, metadata={"description": "decisions that were looked at, or events"})
    of = fields.Integer(
        required=True, allow_none=True, metadata={"description": "decisions or events in all; null: not known yet"}
    )


class AnalysisSchema(AskedAnalysisSchema):
    """How an analysis of a finished table stands."""

    detail = fields.String(required=True, allow_none=True, metadata={"description": "why it failed"})
    analysis = fields.Nested(
        WholeAnalysisSchema,
        required=True,
        allow_none=True,
        metadata={"description": "null until it is done, and of the kind `luck`"},
    )
    luck = fields.Nested(
        LuckSchema,
        required=True,
        allow_none=True,
        metadata={"description": "of the kind `luck`; null until it is done"},
    )


MOST_WORLDS, SEAT = 1000, "what this seat may believe: one's own by default; any when the game is over"


def _whole_batches(worlds: int) -> None:
    if worlds % BATCHES:
        raise ValidationError(f"must be a multiple of {BATCHES}")


class BeliefsQuery(Schema):
    """At which version, whose belief, and by how many worlds."""

    at = QueryWhole(metadata={"description": AT})
    seat = QueryWhole(validate=validate.Range(1, 8), metadata={"description": SEAT})
    worlds = QueryWhole(
        load_default=200,
        validate=[validate.Range(BATCHES, MOST_WORLDS), _whole_batches],
        metadata={"description": "how many worlds are imagined", "multipleOf": BATCHES},
    )


class LikelySchema(Schema):
    """A card that may lie in a place."""

    card = fields.String(
        required=True, metadata={"description": "its name; in Tomahawk what it shows, such as warrior-5-2"}
    )
    likelihood = fields.Float(required=True, metadata={"description": "that at least one lies there, from 0 to 1"})
    error = fields.Float(required=True, metadata={"description": "standard error of the likelihood"})
    expected = fields.Float(required=True, metadata={"description": "how many lie there on average"})


class HiddenPlaceSchema(Schema):
    """A place that the seat does not see into."""

    path = fields.String(required=True, metadata={"description": "JSON Pointer into `view`, such as /seats/1/hand"})
    cards = fields.List(fields.Nested(LikelySchema), required=True)


class BeliefsSchema(Schema):
    """Where each hidden card may lie and how likely, by imagined worlds."""

    table = fields.String(required=True)
    version = fields.Integer(required=True)
    seat = fields.Integer(required=True, allow_none=True, metadata={"description": "null: a spectator"})
    worlds = fields.Integer(required=True)
    seed = fields.String(
        required=True, metadata={"description": "of the worlds (hexadecimal); it follows from the rest"}
    )
    places = fields.List(fields.Nested(HiddenPlaceSchema), required=True)
