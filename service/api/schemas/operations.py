"""Whether the service is well."""

from marshmallow import Schema, fields


class HealthSchema(Schema):
    """That the process lives."""

    status = fields.String(required=True)


class ReadySchema(Schema):
    """That the service can answer, and how safe what it acknowledges is."""

    status = fields.String(required=True)
    partitions = fields.Integer(required=True)
    cluster = fields.Boolean(required=True)
    durability = fields.String(required=True)
