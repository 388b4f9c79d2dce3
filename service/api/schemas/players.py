"""Accounts, tokens and webhooks."""

from collections.abc import Callable
from typing import Any

from marshmallow import Schema, fields, validate

from service.accounts.allowed_names import LABEL, NAME, checked_name, checked_text
from service.accounts.callers import OWN_SCOPES
from service.api.schemas.parts import StrictText, a_day, moment, one_of
from service.api.strict import Truth
from service.moderation.records import REASONS, SANCTIONS


def a_label(**field: Any) -> Any:
    """What somebody calls a device, a program or a passkey."""
    checks: list[Callable[[Any], Any]] = [validate.Length(0, 40), checked_text]
    return StrictText(validate=checks, metadata={"pattern": LABEL, "example": "Ann's telephone"}, **field)


class PlayerRequest(Schema):
    """A new account."""

    name = StrictText(
        required=True, validate=[validate.Length(1, 40), checked_name], metadata={"example": "Ann", "pattern": NAME}
    )
    bot = Truth(load_default=False, metadata={"description": "whether a program plays"})
    guest = Truth(load_default=False, metadata={"description": "whether the name is anybody's, chosen by the program"})


class NoticeSchema(Schema):
    """What an operator did about an account, and why."""

    action = fields.Integer(required=True, metadata={"description": "its number, to refer to it"})
    type = one_of(SANCTIONS)
    at = moment()
    reason = one_of(REASONS)
    text = fields.String(required=True, allow_none=True, metadata={"description": "the operator's own words"})


class PlayerSchema(Schema):
    """An account."""

    player = fields.String(required=True)
    name = fields.String(required=True)
    bot = fields.Boolean(required=True)
    guest = fields.Boolean(
        required=True, metadata={"description": "whether its person has chosen no name, and no way back to it"}
    )
    scopes = fields.List(fields.String(), required=True, metadata={"description": "what the token sent may do"})
    notices = fields.List(fields.Nested(NoticeSchema), required=True)


class NameRequest(Schema):
    """Another name."""

    name = StrictText(
        required=True, validate=[validate.Length(1, 40), checked_name], metadata={"example": "Ann", "pattern": NAME}
    )


class NamedSchema(Schema):
    """An account and its name."""

    player = fields.String(required=True)
    name = fields.String(required=True)


class TokenRequest(Schema):
    """A further token."""

    scopes = fields.List(
        StrictText(validate=validate.OneOf(OWN_SCOPES)),
        required=True,
        validate=validate.Length(1, len(OWN_SCOPES)),
        metadata={"description": "what the token may be used for"},
    )
    label = a_label(load_default="")


class LabelRequest(Schema):
    """What somebody calls a device, a program or a passkey."""

    label = a_label(required=True)


class TokenSchema(Schema):
    """A token; its text (`secret`) is only told when it is made."""

    token = fields.String(required=True, metadata={"description": "the token's id"})
    scopes = fields.List(fields.String(), required=True)
    label = fields.String(required=True)
    at = moment()


class NewTokenSchema(TokenSchema):
    """A token with its text, which is not told again."""

    secret = fields.String(required=True, metadata={"description": "send as Authorization: Bearer …"})


class NewPlayerSchema(Schema):
    """An account with its first token."""

    player = fields.String(required=True)
    name = fields.String(required=True)
    bot = fields.Boolean(required=True)
    token = fields.Nested(NewTokenSchema, required=True)


class WebhookRequest(Schema):
    """Where to send."""

    url = StrictText(required=True, validate=validate.Length(1, 1000), metadata={"description": "https://host/path"})


class AttemptSchema(Schema):
    """What came of sending last."""

    delivery = fields.String(required=True, metadata={"description": "the same at every attempt"})
    at = moment()
    status = fields.Integer(required=True, allow_none=True, metadata={"description": "null: there was no answer"})
    detail = fields.String(required=True)


class WebhookSchema(Schema):
    """Where a bot is told that it is its turn."""

    webhook = fields.String(required=True)
    url = fields.String(required=True)
    at = moment()
    last = fields.Nested(AttemptSchema, required=True, allow_none=True)


class NewWebhookSchema(Schema):
    """A new webhook with its secret, which is told only once."""

    webhook = fields.String(required=True)
    url = fields.String(required=True)
    at = moment()
    secret = fields.String(required=True, metadata={"description": "whsec_ and the key in Base64"})


class UsedTokenSchema(TokenSchema):
    """A token, and the day (UTC) on which it was used last: null if it never was."""

    used_on = a_day()


class TokensSchema(Schema):
    """All tokens of an account."""

    tokens = fields.List(fields.Nested(UsedTokenSchema), required=True)
