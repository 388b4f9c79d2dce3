"""Passkeys (WebAuthn): keys in a device or a password manager by which a person signs in.

The options for a browser contain a challenge for one answer within five minutes. A challenge to make a passkey is bound
to the account that asked. A passkey signs the page's origin, so its answer is worth nothing elsewhere.
"""

import hashlib
import secrets
import struct
from collections.abc import Callable
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import msgspec

from events.lifecycle import Text
from events.scripts import Client
from service.accounts.accounts_and_tokens import key_of, today, unproved
from service.accounts.callers import Caller
from service.accounts.personal_texts import ACCOUNT, Texts
from service.accounts.player_store import PlayerField, PlayerStore
from service.accounts.signing_in import Proof
from service.addresses import is_address
from service.errors import Refused

CHALLENGE_S = 300
CHALLENGE_BYTES = 32
LONGEST_PART = 8192  # characters of a part of an answer: post-quantum keys take 4000, others some hundred
SITE_NAME = "Wintercount"  # shown by the browser
TO_SIGN_IN = "sign-in"
PASSKEY = "passkey"  # the kind of record that holds a label
UNREADABLE = (
    *(ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError),
    *(struct.error, msgspec.MsgspecError),
)


class Site(NamedTuple):
    """The page that passkeys are for: its host name and its possible origins."""

    host: str
    origins: tuple[str, ...]


class Passkey(msgspec.Struct, frozen=True):
    """A stored passkey: its public key, and how often it has signed, if it counts that."""

    id: str
    host: str
    label: Text
    at: str
    public_key: bytes
    count: int
    used: int | None = None  # the day (since 1970) on which it was used last


def site_of(origin: str | None, host: str) -> Site:
    """Returns the page at the origin of the settings, or at the requested host; raises `Refused` for an address."""
    found = urlsplit(origin or f"//{host}")
    name = found.hostname or ""
    if not name or is_address(name):
        raise Refused("not_allowed", "passkeys need a host name: set WINTERCOUNT_ORIGIN")
    if origin:
        return Site(name, (origin.rstrip("/"),))
    plain = (f"http://{found.netloc}",) if name == "localhost" else ()
    return Site(name, (f"https://{found.netloc}", *plain))


class Passkeys:
    """The passkeys of players."""

    def __init__(self, client: Client, store: PlayerStore, texts: Texts, most: int) -> None:
        self._client, self._store, self._texts, self._most = client, store, texts, most

    def of(self, player: str) -> list[Passkey]:
        """Returns a player's passkeys, the oldest first."""
        kept = self._store.fields("passkeys", player).values()
        return sorted((msgspec.json.decode(one, type=Passkey) for one in kept), key=lambda one: (one.at, one.id))

    def creation_options(self, caller: Caller, site: Site) -> Any:
        """Returns the options for a browser to make a passkey for the caller."""
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

    def add(self, caller: Caller, site: Site, answer: Any, label: str, at: str) -> Passkey:
        """Stores the passkey that a browser has made; raises `Refused`."""
        (challenge, key), webauthn = _challenge_in(answer, _made_for(caller)), _webauthn()
        found = _verified(webauthn.verify_registration_response, answer, challenge, site)
        name = webauthn.helpers.bytes_to_base64url(found.credential_id)
        kept = self._texts.seal_in_record(PASSKEY, name, caller.needs().id, label)
        made = Passkey(name, site.host, kept, at, found.credential_public_key, found.sign_count)
        if not self._store.replace(caller, self._place(name), b"", msgspec.json.encode(made), key):
            raise Refused("conflict", "this passkey is stored already")
        return made

    def rename(self, caller: Caller, name: str, label: str) -> Passkey:
        """Gives a passkey another label; raises `Refused`."""
        kept = self._texts.seal_in_record(PASSKEY, name, caller.needs().id, label)
        self._store.change(caller, self._place(name), lambda was: _encoded(_decoded(was, name), label=kept))
        return _decoded(self._store.field(self._place(name), caller.needs().id), name)

    def label(self, passkey: Passkey) -> str:
        """Returns a passkey's label; empty without the person's key."""
        return self._texts.open_in_record(PASSKEY, passkey.id, passkey.label) or ""

    def remove(self, caller: Caller, name: str) -> None:
        """Removes a passkey; raises `Refused`, also if there is none."""
        if not self._store.change(caller, self._place(name), lambda _: b""):
            raise _no_such(name)

    def sign_in_options(self, site: Site) -> Any:
        """Returns the options for a browser to sign in by any passkey for this page."""
        webauthn = _webauthn()
        options = webauthn.generate_authentication_options(
            rp_id=site.host,
            challenge=self._challenge(TO_SIGN_IN),
            user_verification=webauthn.helpers.structs.UserVerificationRequirement.REQUIRED,
        )
        return msgspec.json.decode(webauthn.options_to_json(options))

    def prove(self, site: Site, answer: Any) -> Proof:
        """Returns what a browser's answer proves; raises `Refused` for one that no passkey has signed."""
        challenge, key = _challenge_in(answer, TO_SIGN_IN)
        player, name = _holder(answer), str(answer.get("id"))
        was = self._store.field(self._place(name), player)
        passkey = msgspec.json.decode(was, type=Passkey) if was else None
        if passkey is None or passkey.host != site.host:
            raise unproved()
        known = {"credential_public_key": passkey.public_key, "credential_current_sign_count": passkey.count}
        found = _verified(_webauthn().verify_authentication_response, answer, challenge, site, **known)
        becomes = _encoded(passkey, count=found.new_sign_count, used=today())
        return Proof(player, key_of("passkeys", player), name, was, becomes, key, uses_up=True)

    def _challenge(self, purpose: str) -> bytes:
        text = secrets.token_bytes(CHALLENGE_BYTES)
        self._client.set(_challenge_key(text, purpose), 1, ex=CHALLENGE_S)
        return text

    def _place(self, name: str) -> PlayerField:
        return PlayerField("passkeys", name, self._most)


def _webauthn() -> Any:
    """Imports the library late: it takes long to load, and few requests need it."""
    import webauthn

    return webauthn


def _made_for(caller: Caller) -> str:
    """Returns the purpose of a challenge to make a passkey: for this account, by this token."""
    return f"{caller.needs().id} {caller.own_token()}"


def _challenge_key(text: bytes, purpose: str) -> str:
    """Returns the key of a challenge for this purpose."""
    return key_of("challenge", hashlib.sha256(purpose.encode() + b"\0" + text).hexdigest())


def _challenge_in(answer: Any, purpose: str) -> tuple[bytes, str]:
    """Returns the challenge that an answer names, and its key in the store; raises `Refused` for a malformed answer.

    Also for one from a frame of another page, where people do not see what they sign in to. Long parts are not read:
    the time to decode CBOR numbers and texts is quadratic in their size.
    """
    webauthn = _webauthn()
    try:
        if max(len(part) for part in answer["response"].values() if isinstance(part, str)) > LONGEST_PART:
            raise unproved()
        data = msgspec.json.decode(webauthn.base64url_to_bytes(answer["response"]["clientDataJSON"]))
        text, is_framed = webauthn.base64url_to_bytes(data["challenge"]), data.get("crossOrigin", False)
    except UNREADABLE:
        raise unproved() from None
    if is_framed is not False:
        raise unproved()
    return text, _challenge_key(text, purpose)


def _holder(answer: Any) -> str:
    """Returns the player whom the answer names; the passkey is then looked up among theirs."""
    try:
        return str(_webauthn().base64url_to_bytes(answer["response"]["userHandle"]).decode())
    except UNREADABLE:
        raise unproved() from None


def _verified(verify: Callable[..., Any], answer: Any, challenge: bytes, site: Site, **known: Any) -> Any:
    """Returns the library's result; raises `Refused` if it does not verify the answer."""
    try:
        return verify(
            credential=answer,
            expected_challenge=challenge,
            expected_rp_id=site.host,
            expected_origin=list(site.origins),
            require_user_verification=True,
            **known,
        )
    except (_webauthn().helpers.exceptions.WebAuthnException, *UNREADABLE):
        raise unproved() from None


def _decoded(kept: bytes, name: str) -> Passkey:
    if not kept:
        raise _no_such(name)
    return msgspec.json.decode(kept, type=Passkey)


def _encoded(passkey: Passkey, **changed: Any) -> bytes:
    return msgspec.json.encode(msgspec.structs.replace(passkey, **changed))


def _no_such(name: str) -> Refused:
    return Refused("no_such_passkey", f"you have no passkey {name!r}")
