"""Accounts: tokens, webhooks, devices that sign in, and blocks."""

from collections.abc import Callable
from typing import Any

from marshmallow import Schema, fields, validate

from service.accounts.allowed_names import LABEL, NAME, checked_name, checked_text
from service.accounts.callers import OWN_SCOPES
from service.accounts.passkeys import CHALLENGE_S
from service.accounts.recovery import CODES
from service.api.schemas.parts import StrictText, a_day, moment, one_of
from service.api.strict import Truth
from service.moderation.sanctions import REASONS, SANCTIONS


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


OPTIONS = "options of WebAuthn for `navigator.credentials`, as JSON"
CREDENTIAL = "what the browser made of the options: the `toJSON()` of its `PublicKeyCredential`"


def webauthn(description: str, **field: Any) -> Any:
    """An object whose form WebAuthn specifies."""
    values = fields.Raw(allow_none=True)
    return fields.Dict(keys=StrictText(), values=values, metadata={"description": description}, **field)


class SignInCodeSchema(Schema):
    """A code by which another device signs in, once."""

    code = fields.String(required=True, metadata={"description": "type it there, or open the page at `#/sign-in/CODE`"})
    seconds = fields.Integer(required=True, metadata={"description": "how long it is good"})


class SignInRequest(Schema):
    """A code, a recovery code or a passkey, and what the device that signs in is called."""

    code = StrictText(validate=validate.Length(1, 60), metadata={"example": "7K2M-Q9XR"})
    passkey = webauthn(CREDENTIAL)
    label = a_label(load_default="")


class OptionsSchema(Schema):
    """What a browser needs to ask for a passkey."""

    options = webauthn(f"{OPTIONS}; good for one answer within {CHALLENGE_S} seconds", required=True)


class RecoveryCodesSchema(Schema):
    """How many recovery codes are left, and when they were made: null if there never were any."""

    left = fields.Integer(required=True)
    at = moment(allow_none=True)


class NewRecoveryCodesSchema(Schema):
    """Recovery codes, which are not told again."""

    codes = fields.List(fields.String(), required=True, metadata={"minItems": CODES, "maxItems": CODES})
    at = moment()


class PasskeyRequest(Schema):
    """A passkey that the browser has made."""

    passkey = webauthn(CREDENTIAL, required=True)
    label = a_label(load_default="")


class PasskeySchema(Schema):
    """A passkey, and the day (UTC) on which it was used last: null if it never was."""

    passkey = fields.String(required=True, metadata={"description": "its id, as WebAuthn names it"})
    host = fields.String(required=True, metadata={"description": "the page that it is for"})
    label = fields.String(required=True)
    at = moment()
    used_on = a_day()


class PasskeysSchema(Schema):
    """All passkeys of an account."""

    passkeys = fields.List(fields.Nested(PasskeySchema), required=True)


class BlockSchema(Schema):
    """Somebody who is blocked."""

    player = fields.String(required=True)
    name = fields.String(required=True, allow_none=True)
    at = moment()


class BlocksSchema(Schema):
    """Everybody who is blocked, the first one first."""

    blocks = fields.List(fields.Nested(BlockSchema), required=True)
