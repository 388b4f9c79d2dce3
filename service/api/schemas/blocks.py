"""Whom a player does not want to be seated with."""

from marshmallow import Schema, fields

from service.api.schemas.parts import moment


class BlockSchema(Schema):
    """Somebody who is blocked."""

    player = fields.String(required=True)
    name = fields.String(required=True, allow_none=True)
    at = moment()


class BlocksSchema(Schema):
    """Everybody who is blocked, the first one first."""

    blocks = fields.List(fields.Nested(BlockSchema), required=True)
