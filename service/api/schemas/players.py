"""Accounts: tokens, webhooks, devices that sign in, and blocks."""

from collections.abc import Callable
from typing import Any

from marshmallow import Schema, fields, validate

from service.accounts.allowed_names import checked_name, checked_text
from service.accounts.callers import OWN_SCOPES
from service.accounts.passkeys import CHALLENGE_S
from service.accounts.signing_in import CODES
from service.api.request_parsing import Truth
from service.api.schemas.parts import Name, Text, choice, moment, one_of, schema
from service.moderation.actions import REASONS, SANCTIONS


def a_label(**field: Any) -> Any:
    """The owner's name for a device, a program or a passkey."""
    checks: list[Callable[[Any], Any]] = [validate.Length(0, 40), checked_text]
    return Name(validate=checks, metadata={"example": "Ann's telephone"}, **field)


PlayerRequest = schema("PlayerRequest", "A new account.")(
    name=Name(required=True, validate=[validate.Length(1, 40), checked_name], metadata={"example": "Ann"}),
    bot=Truth("whether a program plays", load_default=False),
    guest=Truth("whether the account is a guest: the program chose its name", load_default=False),
)

NoticeSchema = schema("Notice", "What an operator did about an account, and why.", "at")(
    action=(int, "its number, to refer to it"),
    type=one_of(SANCTIONS),
    reason=one_of(REASONS),
    text=(str | None, "the operator's own words"),
)

PlayerSchema = schema("Player", "An account.")(
    id=(str, "the id of the player"),
    name=(str, "the display name"),
    bot=(bool, "whether a program plays for it"),
    guest=(bool, "whether it has neither a chosen name nor a way to sign in again"),
    scopes=([str], "the scopes of the token"),
    notices=([NoticeSchema], "messages from operators"),
)

NameRequest = schema("NameRequest", "Another name.")(
    name=Name(required=True, validate=[validate.Length(1, 40), checked_name], metadata={"example": "Ann"})
)

TokenRequest = schema("TokenRequest", "A further token.")(
    scopes=fields.List(
        choice(OWN_SCOPES),
        required=True,
        validate=validate.Length(1, len(OWN_SCOPES)),
        metadata={"description": "what the token may be used for"},
    ),
    label=a_label(load_default=""),
)

LabelRequest = schema("LabelRequest", "The owner's name for a device, a program or a passkey.")(
    label=a_label(required=True)
)

TokenSchema = schema("Token", "A token; its `secret` is returned only when it is created.", "id label at")(scopes=[str])

CreatedTokenSchema = schema("CreatedToken", "A token with its secret, which is not shown again.", TokenSchema)(
    secret=(str, "send as Authorization: Bearer …")
)

StreamTokenSchema = schema("StreamToken", "A token that opens one stream.")(secret=str, expires_at=moment())

CreatedPlayerSchema = schema("CreatedPlayer", "An account with its first token.", "id name bot")(
    token=CreatedTokenSchema
)
WebhookRequest = schema("WebhookRequest", "Where to send.")(
    url=Text("https://host/path", required=True, validate=validate.Length(1, 1000))
)

AttemptSchema = schema("Attempt", "What came of sending last.", "at detail")(
    delivery=(str, "the same at every attempt"),
    status=(int | None, "null: there was no answer"),
)

WebhookSchema = schema("Webhook", "The address that is notified when a bot has to decide.", "id url at")(
    last=AttemptSchema | None
)

CreatedWebhookSchema = schema("CreatedWebhook", "A webhook with its secret, which is shown only once.", "id url at")(
    secret=(str, "whsec_ and the key in Base64")
)

UsedTokenSchema = schema(
    "UsedToken", "A token, and the day (UTC) on which it was used last: null if it never was.", TokenSchema, "used_on?"
)()

TokensSchema = schema("Tokens", "All tokens of an account.")(tokens=[UsedTokenSchema])


OPTIONS = "options of WebAuthn for `navigator.credentials`, as JSON"
CREDENTIAL = "the browser's answer to the options: the `toJSON()` of its `PublicKeyCredential`"


def webauthn(description: str, **field: Any) -> Any:
    """An object whose form WebAuthn specifies."""
    values = fields.Raw(allow_none=True)
    return fields.Dict(keys=Text(), values=values, metadata={"description": description}, **field)


SignInCodeSchema = schema("SignInCode", "A code by which another device signs in, once.")(
    code=(str, "type it there, or open the page at `#/sign-in/CODE`"),
    seconds=(int, "how long it is good"),
)

SignInRequest = schema(
    "SignInRequest", "A code, a recovery code or a passkey, and what the device that signs in is called."
)(
    code=Text(validate=validate.Length(1, 60), metadata={"example": "7K2M-Q9XR"}),
    passkey=webauthn(CREDENTIAL),
    label=a_label(load_default=""),
)

OptionsSchema = schema("Options", "What a browser needs to ask for a passkey.")(
    options=webauthn(f"{OPTIONS}; good for one answer within {CHALLENGE_S} seconds", required=True)
)

RecoveryCodesSchema = schema(
    "RecoveryCodes", "How many recovery codes are left, and when they were made: null if there never were any."
)(left=int, at=moment(allow_none=True))


class CreatedRecoveryCodesSchema(Schema):
    """Recovery codes, which are not shown again."""

    codes = fields.List(fields.String(), required=True, metadata={"minItems": CODES, "maxItems": CODES})
    at: str = moment()


PasskeyRequest = schema("PasskeyRequest", "A passkey that the browser has made.")(
    passkey=webauthn(CREDENTIAL, required=True), label=a_label(load_default="")
)

PasskeySchema = schema(
    "Passkey", "A passkey, and the day (UTC) on which it was used last: null if it never was.", "label at used_on?"
)(id=(str, "as WebAuthn names it"), host=(str, "the page that it is for"))

PasskeysSchema = schema("Passkeys", "All passkeys of an account.")(passkeys=[PasskeySchema])
BlockSchema = schema("Block", "Somebody who is blocked.", "player name? at")()
BlocksSchema = schema("Blocks", "Everybody who is blocked, the first one first.")(blocks=[BlockSchema])
