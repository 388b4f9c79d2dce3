"""Audits, explanations of AI moves, and tables decided again."""

from marshmallow import fields, validate

from service.api.request_parsing import QueryWhole
from service.api.schemas.parts import Text, house_rules, nullable, schema

AuditQuery = schema("AuditQuery", "A receipt to be looked up, if there is one.")(
    version=QueryWhole("the version of the receipt"),
    hash=Text("its hash", validate=validate.Regexp(r"^[0-9a-f]{64}\Z")),
)

ArchiveQuery = schema("ArchiveQuery", "Which part of the audit.")(
    after=QueryWhole("the part after this version", load_default=0),
    until=QueryWhole("where it ends; default: the newest version"),
)

ChainSchema = schema("Chain", "The chain: how many events, and what does not fit.", "events faults")()

DivergenceSchema = schema(
    "Divergence",
    "The first event that differs; `recorded` or `decided` is null where one side has no event.",
    "version type rules",
)(recorded=dict | None, decided=dict | None)

StopSchema = schema(
    "Stop", "Where the recorded moves cannot go on, and the rule that refuses the next.", "version seat rule detail"
)()

OriginSchema = schema("Origin", "Whether a branch begins where it says; its parent may not be kept here.", "faults")(
    checked=bool
)

SampleSchema = schema(
    "Sample",
    "AI moves computed again: of all `moves`, `gone` were made by versions of players that are no longer there.",
    "moves",
)(gone=int, checked=([int], "the versions computed again"), different=([int], "those with another outcome"))

WeighedSchema = schema(
    "Weighed", "A move that the player weighed, or an entry of the list of legal moves that stands for many."
)(move=dict, visits=(int, "how often it was tried"), value=float)

ComputedSchema = schema(
    "Computed",
    "What the player chooses when it is asked again, and what it weighed, the best first; 100 of them at most.",
    "iterations",
)(move=dict, weighed=(int, "how many moves were weighed in all"), candidates=[WeighedSchema])

MakerSchema = schema(
    "Maker", "The player of an AI's move. `instead_of`: players that were given up before.", "player version iterations"
)(
    level=str,
    budget=(int, "iterations that it might take"),
    seen=(int, "the version of the table that it saw"),
    instead_of=fields.List(fields.Dict()),
)

ExplanationSchema = schema(
    "Explanation",
    "How an AI chose: who, at which version of the table, from which seed, and what comes of asking it again.",
    "table version seat detail",
)(
    ai=MakerSchema,
    seen=(int, "the version of the table that the player saw"),
    seed=str,
    recorded=(dict, "the move as it was recorded"),
    computed=ComputedSchema | None,
    same=(bool | None, "null: it cannot be computed again, see `detail`"),
    meaning=(str | None, "what the values are"),
)

AuditSchema = schema("Audit", "What was checked, and whether the record holds.", "table version")(
    head=str,
    holds=bool,
    chain=ChainSchema,
    origin=(OriginSchema | None, "null: the table is no branch"),
    commitments=int,
    draws=int,
    moves=(int, "moves decided again"),
    divergence=DivergenceSchema | None,
    stop=StopSchema | None,
    receipt=(bool | None, "null: no receipt was given"),
    ai_moves=(SampleSchema | None, "null: the game is not over"),
)

ReadjudicationRequest = schema(
    "ReadjudicationRequest", "The house rules to decide by; those not named stay as they are at the table."
)(options=house_rules("house rules by name", required=True))

ReadjudicationSchema = schema("Readjudication", "What came of deciding again.", "table game options events")(
    moves=(int, "moves that could be taken"),
    draws_recorded=(int, "draws with the recorded outcome"),
    draws_other=(int, "draws from other populations"),
    divergence=DivergenceSchema | None,
    counterfactual_from=int | None,
    stop=StopSchema | None,
    over=bool,
    scores_recorded=nullable("Scores", "null: play never began"),
    scores_decided=nullable("Scores", "null: play never began"),
)
