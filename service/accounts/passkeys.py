"""Passkeys (WebAuthn): keys that a device or a password manager holds, by which a person signs in.

The options that a browser is given hold a challenge, which is good for one answer within five minutes; one to make a
passkey is bound to the account that asked. What a passkey signs names the page's origin, so it opens nothing elsewhere.
"""

import hashlib
import ipaddress
import secrets
import struct
from collections.abc import Callable
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import msgspec

from events.lifecycle import Text
from events.scripts import Client
from service.accounts.accounts import key_of, today
from service.accounts.callers import Caller
from service.accounts.keeping import Keeper, PlayerField, asking_token
from service.accounts.personal_texts import ACCOUNT, Texts
from service.accounts.signing_in import NOTHING_PROVED, Proof, nothing_proved
from service.errors import Refused

CHALLENGE_S = 300
CHALLENGE_BYTES = 32
MOST_LETTERS = 8192  # of a part of an answer: a key takes some hundred, one that quantum computers do not break 4000
SITE_NAME = "Wintercount"  # what a browser shows of whom the passkey is for
TO_SIGN_IN = "sign-in"
PASSKEY = "passkey"  # the kind of record that a label stands in
UNREADABLE = (
    *(ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError),
    *(struct.error, msgspec.MsgspecError),
)


class Site(NamedTuple):
    """The page that passkeys are for: the name of its host, and the origins that it may be at."""

    host: str
    origins: tuple[str, ...]


class Passkey(msgspec.Struct, frozen=True):
    """What is kept of a passkey: its public key, and how often it has signed, as far as it counts."""

    id: str
    host: str
    label: Text
    at: str
    public_key: bytes
    count: int
    used: int | None = None  # the day (since 1970) on which it was used last


class Challenge(NamedTuple):
    """A challenge that a browser was given: what was to be signed, and where the store has it."""

    text: bytes
    key: str


def site_of(origin: str | None, host: str) -> Site:
    """The page at the origin of the settings, or else at the host that was asked; raises `Refused` if it has none."""
    found = urlsplit(origin or f"//{host}")
    name = found.hostname or ""
    if not name or _is_address(name):
        raise Refused("not_allowed", "passkeys need the name of a host: WINTERCOUNT_ORIGIN sets it")
    if origin:
        return Site(name, (origin.rstrip("/"),))
    plain = (f"http://{found.netloc}",) if name == "localhost" else ()
    return Site(name, (f"https://{found.netloc}", *plain))


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


class Passkeys:
    """The passkeys of people."""

    def __init__(self, client: Client, keeper: Keeper, texts: Texts, most: int) -> None:
        self._client, self._keeper, self._texts, self._most = client, keeper, texts, most

    def of(self, player: str) -> list[Passkey]:
        """A player's passkeys, the oldest first."""
        kept = self._keeper.fields("passkeys", player).values()
        return sorted((msgspec.json.decode(one, type=Passkey) for one in kept), key=lambda one: (one.at, one.id))

    def to_make(self, caller: Caller, site: Site) -> Any:
        """The options by which a browser makes a passkey for the caller."""
        player, webauthn = caller.needs(), _webauthn()
        kind = webauthn.helpers.structs
        options = webauthn.generate_registration_options(
            rp_id=site.host,
            rp_name=SITE_NAME,
            user_id=player.id.encode(),
            user_name=self._texts.open_in_record(ACCOUNT, player.id, player.name) or player.id,
            challenge=self._challenge(_made_for(caller)),
            authenticator_selection=kind.AuthenticatorSelectionCriteria(
                resident_key=kind.ResidentKeyRequirement.REQUIRED,
                user_verification=kind.UserVerificationRequirement.REQUIRED,
            ),
            exclude_credentials=[
                kind.PublicKeyCredentialDescriptor(webauthn.base64url_to_bytes(one.id)) for one in self.of(player.id)
            ],
        )
        return msgspec.json.decode(webauthn.options_to_json(options))

    def make(self, caller: Caller, site: Site, answer: Any, label: str, at: str) -> Passkey:
        """Keeps the passkey that a browser has made; raises `Refused`."""
        challenge, webauthn = _challenge_in(answer, _made_for(caller)), _webauthn()
        found = _verified(
            lambda: webauthn.verify_registration_response(
                credential=answer,
                expected_challenge=challenge.text,
                expected_rp_id=site.host,
                expected_origin=list(site.origins),
                require_user_verification=True,
            )
        )
        name = webauthn.helpers.bytes_to_base64url(found.credential_id)
        kept = self._texts.seal_in_record(PASSKEY, name, caller.needs().id, label)
        made = Passkey(name, site.host, kept, at, found.credential_public_key, found.sign_count)
        if not self._keeper.replace(caller, self._place(name), b"", msgspec.json.encode(made), challenge.key):
            raise Refused("conflict", "this passkey is kept already")
        return made

    def rename(self, caller: Caller, name: str, label: str) -> Passkey:
        """Gives a passkey another label; raises `Refused`."""
        kept = self._texts.seal_in_record(PASSKEY, name, caller.needs().id, label)
        self._keeper.change(caller, self._place(name), lambda was: _encoded(_known(was, name), label=kept))
        return _known(self._keeper.field(self._place(name), caller.needs().id), name)

    def label(self, passkey: Passkey) -> str:
        """What a passkey is called; nothing if the key to that is not here."""
        return self._texts.open_in_record(PASSKEY, passkey.id, passkey.label) or ""

    def remove(self, caller: Caller, name: str) -> None:
        """Removes a passkey; raises `Refused`, also if there is none."""
        if not self._keeper.change(caller, self._place(name), lambda _: b""):
            raise _no_such(name)

    def to_sign_in(self, site: Site) -> Any:
        """The options by which a browser signs in by whichever passkey of this page its person has."""
        webauthn = _webauthn()
        options = webauthn.generate_authentication_options(
            rp_id=site.host,
            challenge=self._challenge(TO_SIGN_IN),
            user_verification=webauthn.helpers.structs.UserVerificationRequirement.REQUIRED,
        )
        return msgspec.json.decode(webauthn.options_to_json(options))

    def proof(self, site: Site, answer: Any) -> Proof:
        """What an answer proves; raises `Refused` for one that a passkey has not signed."""
        challenge, webauthn = _challenge_in(answer, TO_SIGN_IN), _webauthn()
        player, name = _holder(answer), str(answer.get("id"))
        was = self._keeper.field(self._place(name), player)
        passkey = msgspec.json.decode(was, type=Passkey) if was else None
        if passkey is None or passkey.host != site.host:
            return NOTHING_PROVED
        found = _verified(
            lambda: webauthn.verify_authentication_response(
                credential=answer,
                expected_challenge=challenge.text,
                expected_rp_id=site.host,
                expected_origin=list(site.origins),
                credential_public_key=passkey.public_key,
                credential_current_sign_count=passkey.count,
                require_user_verification=True,
            )
        )
        becomes = _encoded(passkey, count=found.new_sign_count, used=today())
        return Proof(player, key_of("passkeys", player), name, was, becomes, challenge.key, uses_up=True)

    def _challenge(self, purpose: str) -> bytes:
        text = secrets.token_bytes(CHALLENGE_BYTES)
        self._client.set(_challenge_key(text, purpose), 1, ex=CHALLENGE_S)
        return text

    def _place(self, name: str) -> PlayerField:
        return PlayerField("passkeys", name, self._most)


def _webauthn() -> Any:
    """The library: it takes long to load, and few requests need it."""
    import webauthn

    return webauthn


def _made_for(caller: Caller) -> str:
    """What a challenge to make a passkey is for: this account, by this token."""
    return f"{caller.needs().id} {asking_token(caller)}"


def _challenge_key(text: bytes, purpose: str) -> str:
    """Where a challenge is kept: one that was given for another purpose is not there."""
    return key_of("challenge", hashlib.sha256(purpose.encode() + b"\0" + text).hexdigest())


def _challenge_in(answer: Any, purpose: str) -> Challenge:
    """The challenge that an answer says it was given; raises `Refused` for an answer of no such form.

    And for one that was asked for in a frame of another page, where nobody sees what they sign in to. One that is
    longer than any browser's is not read: CBOR holds numbers and letters that take time as the square of their size.
    """
    webauthn = _webauthn()
    try:
        if max(len(part) for part in answer["response"].values() if isinstance(part, str)) > MOST_LETTERS:
            raise nothing_proved()
        told = msgspec.json.decode(webauthn.base64url_to_bytes(answer["response"]["clientDataJSON"]))
        text, is_framed = webauthn.base64url_to_bytes(told["challenge"]), told.get("crossOrigin", False)
    except UNREADABLE:
        raise nothing_proved() from None
    if is_framed is not False:
        raise nothing_proved()
    return Challenge(text, _challenge_key(text, purpose))


def _holder(answer: Any) -> str:
    """Whose passkey it is, as the answer says: the passkey itself is looked for under that name."""
    try:
        return str(_webauthn().base64url_to_bytes(answer["response"]["userHandle"]).decode())
    except UNREADABLE:
        return NOTHING_PROVED.player


def _verified(verify: Callable[[], Any]) -> Any:
    """What the library has found; raises `Refused` for what it does not verify."""
    try:
        return verify()
    except (_webauthn().helpers.exceptions.WebAuthnException, *UNREADABLE):
        raise nothing_proved() from None


def _known(kept: bytes, name: str) -> Passkey:
    if not kept:
        raise _no_such(name)
    return msgspec.json.decode(kept, type=Passkey)


def _encoded(passkey: Passkey, **changed: Any) -> bytes:
    return msgspec.json.encode(msgspec.structs.replace(passkey, **changed))


def _no_such(name: str) -> Refused:
    return Refused("no_such_passkey", f"you have no passkey {name!r}")
