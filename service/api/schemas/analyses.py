"""Analyses of finished tables, and what a seat may believe of hidden cards."""

from marshmallow import ValidationError, validate

from games.beliefs import BATCHES
from service.analyses import LUCK
from service.api.request_parsing import QueryWhole
from service.api.schemas.parts import AT, STREAM, choice, moment, one_of, schema

DECISIONS = ("quick", "deep")
KINDS, VERDICTS = (*DECISIONS, LUCK), ("good", "inaccuracy", "mistake", "blunder")
STATUSES = ("waiting", "running", "done", "failed")
KIND = "`quick`: each decision, as the search foresees it; `deep`: by games played out; `luck`: what made each lead"


WANTED = choice(KINDS, KIND, load_default="quick")
AnalysisRequest = schema("AnalysisRequest", "Which analysis is wanted.")(kind=WANTED)
AnalysisQuery = schema("AnalysisQuery", "Which analysis is asked about.")(kind=WANTED)

GetAnalysisQuery = schema("GetAnalysisQuery", "Which analysis is asked about.", AnalysisQuery)(**STREAM)

MeanSchema = schema("Mean", "A mean over imagined worlds.")(mean=float, error=(float, "its standard error"))

OutlookSchema = schema("Outlook", "What a seat could expect in the end.")(
    margin=(MeanSchema, "its lead over the best other"),
    victory=(MeanSchema, "its share of the victory"),
)

TriedSchema = schema("Tried", "What the seat could expect of a move.", OutlookSchema)(
    move=(dict, "as `move` of a request has it"),
    behind=(MeanSchema, "how much less margin the move made brings"),
)

EvaluationSchema = schema("Evaluation", "The move made and others, in the same imagined worlds.", "worlds")(
    made=TriedSchema,
    others=([TriedSchema], "the best first"),
    loss=(MeanSchema, "sure beyond twice its error"),
    after=([OutlookSchema], "of each seat, at the true table"),
)

DecisionEvaluatedSchema = schema("DecisionEvaluated", "A decision and what it was worth.", "seat")(
    version=(int, "the version that the move led to"),
    verdict=one_of(VERDICTS),
    evaluation=EvaluationSchema,
    swings=([float], "by seat: sure changes of its victory since the decision before"),
)

SeatSummarySchema = schema("SeatSummary", "What the decisions of a seat lost.", "seat")(
    evaluated=int,
    accuracy=([float], "share without a sure loss, and its 95 % interval"),
    mean_loss=(MeanSchema, "margin a decision"),
    inaccuracies=int,
    mistakes=int,
    blunders=int,
)

WholeAnalysisSchema = schema(
    "WholeAnalysis", "An analysis that is done; always the same.", "table game players worlds"
)(
    head=(str, "hash of the last event"),
    player=(str, "who plays the imagined games"),
    version=(int, "of that player"),
    kind=one_of(DECISIONS),
    width=int,
    evaluations=[DecisionEvaluatedSchema],
    seats=[SeatSummarySchema],
)

SeatLuckSchema = schema("SeatLuck", "A seat's lead over the best other as a sum.", "seat")(
    player=(str | None, "if it is known how that player chooses: its choices are luck too"),
    margin=(float, "the lead in the end: the sum of the next five"),
    expected=(MeanSchema, "before the deal"),
    chance=(MeanSchema, "the part due to the deal, draws and shuffles"),
    own=(MeanSchema, "the part due to the seat's choices"),
    others=(MeanSchema, "the part due to other seats' choices"),
    ruled=(MeanSchema, "the part due to rulings"),
    adjusted=(MeanSchema, "the lead less chance, and less choices of known players"),
)


StrokeSchema = schema("Stroke", "What an event changed in the expected lead of each seat.")(
    version=(int, "the version that the move led to; 0: the deal"),
    seat=(int | None, "whose move it was; null: the deal"),
    ruled=([float], "by what was ruled otherwise since the event before, seat by seat"),
    choice=([float], "by the move, seat by seat"),
    chance=([float], "by the part due to chance, seat by seat"),
)

LuckSchema = schema("Luck", "The luck of a finished game; always the same.", "table game")(
    player=(str, "plays for unknown seats"),
    version=(int, "of that player"),
    worlds=(int, "of each moment"),
    seats=[SeatLuckSchema],
    strokes=([StrokeSchema], "the deal, and each move, in their order"),
)

AskedAnalysisSchema = schema("AskedAnalysis", "How far an analysis is.", "table")(
    kind=one_of(KINDS),
    status=one_of(STATUSES),
    asked_at=moment(),
    done=(int, "decisions that were looked at, or events"),
    of=(int | None, "decisions or events in all; null: not known yet"),
)

AnalysisSchema = schema("Analysis", "The state of an analysis of a finished table.", AskedAnalysisSchema)(
    detail=(str | None, "why it failed"),
    analysis=(WholeAnalysisSchema | None, "null until it is done, and of the kind `luck`"),
    luck=(LuckSchema | None, "of the kind `luck`; null until it is done"),
)


MOST_WORLDS, SEAT = 1000, "what this seat may believe: one's own by default; any when the game is over"


def _whole_batches(worlds: int) -> None:
    if worlds % BATCHES:
        raise ValidationError(f"must be a multiple of {BATCHES}")


BeliefsQuery = schema("BeliefsQuery", "At which version, whose belief, and by how many worlds.")(
    at=QueryWhole(AT),
    seat=QueryWhole(SEAT, validate=validate.Range(1, 8)),
    worlds=QueryWhole(
        "how many worlds are imagined",
        load_default=200,
        validate=[validate.Range(BATCHES, MOST_WORLDS), _whole_batches],
        metadata={"multipleOf": BATCHES},
    ),
)

LikelySchema = schema("Likely", "A card that may lie in a place.")(
    card=(str, "its name; in Tomahawk what it shows, such as warrior-5-2"),
    likelihood=(float, "that at least one lies there, from 0 to 1"),
    error=(float, "standard error of the likelihood"),
    expected=(float, "how many lie there on average"),
)

HiddenPlaceSchema = schema("HiddenPlace", "A place that the seat does not see into.")(
    path=(str, "JSON Pointer into `view`, such as /seats/1/hand"),
    cards=[LikelySchema],
)

BeliefsSchema = schema(
    "Beliefs", "Where each hidden card may lie and how likely, by imagined worlds.", "table version worlds"
)(
    seat=(int | None, "null: a spectator"),
    seed=(str, "of the worlds (hexadecimal); it follows from the rest"),
    places=[HiddenPlaceSchema],
)
