"""Signing in on further devices: codes, recovery codes and passkeys."""

from typing import Any

from marshmallow import Schema, fields, validate

from service.accounts.passkeys import CHALLENGE_S
from service.accounts.recovery import CODES
from service.api.schemas.parts import StrictText, a_day, moment
from service.api.schemas.players import a_label

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
