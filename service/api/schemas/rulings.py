"""The rulings of a table."""

from marshmallow import Schema, fields

from service.api.schemas.parts import any_json, moment


class RuleOptionSchema(Schema):
    """A house rule that a ruling allows: what is in force, and what a table may choose."""

    option = fields.String(required=True)
    in_force = any_json()
    values = fields.List(any_json(), required=True)


class AppliedRuleSchema(Schema):
    """A rule that was applied."""

    id = fields.String(required=True)
    title = fields.String(required=True)
    text = fields.String(required=True, metadata={"description": "Markdown"})
    options = fields.List(fields.Nested(RuleOptionSchema), required=True)


class RulingSchema(Schema):
    """A ruling: its figures, its reason in words, its rules."""

    version = fields.Integer(required=True)
    type = fields.String(required=True)
    at = moment()
    figures = fields.Dict(required=True, metadata={"description": "the event's payload"})
    words = fields.String(required=True)
    rules = fields.List(fields.Nested(AppliedRuleSchema), required=True)


class RulingsSchema(Schema):
    """The rulings of a table, in order."""

    version = fields.Integer(required=True)
    rulings = fields.List(fields.Nested(RulingSchema), required=True)
