"""Audits, explanations of AI moves, and tables decided again."""

from marshmallow import Schema, fields, validate

from service.api.schemas.parts import game_name, house_rules, ref_or_null
from service.api.strict import QueryWhole


class AuditQuery(Schema):
    """A receipt to be looked up, if there is one."""

    version = QueryWhole(metadata={"description": "the version of the receipt"})
    hash = fields.String(validate=validate.Regexp(r"^[0-9a-f]{64}\Z"), metadata={"description": "its hash"})


class ArchiveQuery(Schema):
    """Which part of it."""

    after = QueryWhole(load_default=0, metadata={"description": "the part behind this version"})
    until = QueryWhole(metadata={"description": "where it ends; default: the newest version"})


class ChainSchema(Schema):
    """The chain: how many events, and what does not fit."""

    events = fields.Integer(required=True)
    faults = fields.List(fields.String(), required=True)


class DivergenceSchema(Schema):
    """The first event that comes out otherwise; `recorded` or `decided` is null where there is none."""

    version = fields.Integer(required=True)
    type = fields.String(required=True)
    rules = fields.List(fields.String(), required=True)
    recorded = fields.Dict(required=True, allow_none=True)
    decided = fields.Dict(required=True, allow_none=True)


class StopSchema(Schema):
    """Where the recorded moves cannot go on, and the rule that refuses the next."""

    version = fields.Integer(required=True)
    seat = fields.Integer(required=True)
    rule = fields.String(required=True)
    detail = fields.String(required=True)


class OriginSchema(Schema):
    """Whether a branch begins where it says; its parent may not be kept here."""

    checked = fields.Boolean(required=True)
    faults = fields.List(fields.String(), required=True)


class SampleSchema(Schema):
    """AI moves computed again: of all `moves`, `gone` were made by versions of players that are no longer there."""

    moves = fields.Integer(required=True)
    gone = fields.Integer(required=True)
    checked = fields.List(fields.Integer(), required=True, metadata={"description": "the versions computed again"})
    different = fields.List(fields.Integer(), required=True, metadata={"description": "those with another outcome"})


class WeighedSchema(Schema):
    """A move that the player weighed, or an entry of the list of legal moves that stands for many."""

    move = fields.Dict(required=True)
    visits = fields.Integer(required=True, metadata={"description": "how often it was tried"})
    value = fields.Float(required=True)


class ComputedSchema(Schema):
    """What the player chooses when it is asked again, and what it weighed, the best first; 100 of them at most."""

    move = fields.Dict(required=True)
    iterations = fields.Integer(required=True)
    weighed = fields.Integer(required=True, metadata={"description": "how many moves were weighed in all"})
    candidates = fields.List(fields.Nested(WeighedSchema), required=True)


class MakerSchema(Schema):
    """The player of an AI's move. `instead_of`: players that were given up before."""

    player = fields.String(required=True)
    version = fields.Integer(required=True)
    level = fields.String(required=True)
    iterations = fields.Integer(required=True)
    budget = fields.Integer(required=True, metadata={"description": "iterations that it might take"})
    seen = fields.Integer(required=True, metadata={"description": "the version of the table that it saw"})
    instead_of = fields.List(fields.Dict())


class ExplanationSchema(Schema):
    """How an AI chose: who, at which version of the table, from which seed, and what comes of asking it again."""

    table = fields.String(required=True)
    version = fields.Integer(required=True)
    seat = fields.Integer(required=True)
    ai = fields.Nested(MakerSchema, required=True)
    seen = fields.Integer(required=True, metadata={"description": "the version of the table that the player saw"})
    seed = fields.String(required=True)
    recorded = fields.Dict(required=True, metadata={"description": "the move as it was recorded"})
    computed = fields.Nested(ComputedSchema, required=True, allow_none=True)
    same = fields.Boolean(
        required=True, allow_none=True, metadata={"description": "null: it cannot be computed again, see `detail`"}
    )
    detail = fields.String(required=True)
    meaning = fields.String(required=True, allow_none=True, metadata={"description": "what the values are"})


class AuditSchema(Schema):
    """What was checked, and whether the record holds."""

    table = fields.String(required=True)
    version = fields.Integer(required=True)
    head = fields.String(required=True)
    holds = fields.Boolean(required=True)
    chain = fields.Nested(ChainSchema, required=True)
    origin = fields.Nested(
        OriginSchema, required=True, allow_none=True, metadata={"description": "null: the table is no branch"}
    )
    commitments = fields.Integer(required=True)
    draws = fields.Integer(required=True)
    decisions = fields.Integer(required=True)
    divergence = fields.Nested(DivergenceSchema, required=True, allow_none=True)
    stop = fields.Nested(StopSchema, required=True, allow_none=True)
    receipt = fields.Boolean(required=True, allow_none=True, metadata={"description": "null: none was asked about"})
    ai_moves = fields.Nested(
        SampleSchema, required=True, allow_none=True, metadata={"description": "null: the game is not over"}
    )


class ReadjudicationRequest(Schema):
    """The house rules to decide by; those not named stay as they are at the table."""

    options = house_rules("house rules by name", required=True)


class ReadjudicationSchema(Schema):
    """What came of deciding again."""

    table = fields.String(required=True)
    game = game_name()
    options = fields.Dict(required=True)
    moves = fields.Integer(required=True, metadata={"description": "moves that could be taken"})
    events = fields.Integer(required=True)
    draws_recorded = fields.Integer(required=True, metadata={"description": "draws with the recorded outcome"})
    draws_other = fields.Integer(required=True, metadata={"description": "draws from other populations"})
    divergence = fields.Nested(DivergenceSchema, required=True, allow_none=True)
    counterfactual_from = fields.Integer(required=True, allow_none=True)
    stop = fields.Nested(StopSchema, required=True, allow_none=True)
    over = fields.Boolean(required=True)
    scores_recorded = fields.Raw(required=True, metadata=ref_or_null("Scores", "null: play never began"))
    scores_decided = fields.Raw(required=True, metadata=ref_or_null("Scores", "null: play never began"))
