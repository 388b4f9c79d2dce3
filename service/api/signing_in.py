"""One account on several devices: codes, recovery codes and passkeys."""

from typing import Any

from flask import Response, request

from service.accounts.passkeys import Passkey, Site, site_of
from service.accounts.signing_in import CODE, CODE_S, Proof, read_code
from service.api.common import managing, now, reply, services
from service.api.headers import ACCOUNT_KEY_HEADER, LOCATION
from service.api.idempotency import request_name
from service.api.players import UNKEPT, check_key, signed_up, token_request
from service.api.request_parsing import Blueprint
from service.api.schemas import players as schemas
from service.api.table_requests import day_of
from service.errors import Refused
from service.limits.rates import SIGN_INS

blueprint = Blueprint("identities", __name__, url_prefix="/v1", description="Signing in on further devices")


@blueprint.post("/players/me/sign-in-codes", answer=schemas.SignInCodeSchema, status=201)
@blueprint.contract("not_allowed", needs="account")
def create_sign_in_code() -> Response:
    """Create a sign-in code.

    Another device signs in with it once; it replaces the code before. The code expires with the token that asked for
    it, and after some wrong attempts.
    """
    return reply({"code": services().people.signing_in.code(managing()), "seconds": CODE_S}, 201, **UNKEPT)


@blueprint.post(
    "/sign-ins", body=schemas.SignInRequest, answer=schemas.CreatedPlayerSchema, status=201, headers=LOCATION
)
@blueprint.contract(
    "sign_in_refused contradictory quota_reached not_allowed", headers=(ACCOUNT_KEY_HEADER,), counts=SIGN_INS
)
def sign_in(body: dict[str, Any]) -> Response:
    """Sign in.

    Returns a new token for a device that sends a sign-in code, a recovery code or a passkey of the account. All
    failures get the same answer, whether the code is wrong, used or too old.
    """
    check_key("to sign in")
    if ("code" in body) == ("passkey" in body):
        raise Refused("contradictory", "send either a `code` or a `passkey`")
    asked = token_request(request_name(None), body["label"])
    return signed_up(*services().people.signing_in.sign_in(lambda: _proof(body), asked))


def _proof(body: dict[str, Any]) -> Proof:
    people = services().people
    if "passkey" in body:
        return people.passkeys.prove(_site(), body["passkey"])
    code = read_code(body["code"])
    if len(code) > CODE:
        return people.recovery.prove(code)
    return people.signing_in.prove_by_code(code)


def _site() -> Site:
    return site_of(services().people.origin, request.host)


@blueprint.post("/sign-ins/options", answer=schemas.OptionsSchema, status=201)
@blueprint.contract("not_allowed", counts=SIGN_INS)
def prepare_sign_in() -> Response:
    """Prepare a sign-in by passkey. Returns the options that a browser needs to sign in by a passkey of this page."""
    site = _site()
    return reply({"options": services().people.passkeys.sign_in_options(site)}, 201, **UNKEPT)


@blueprint.get("/players/me/recovery-codes", answer=schemas.RecoveryCodesSchema)
@blueprint.contract(needs="account")
def get_recovery_codes() -> Response:
    """Count recovery codes. Returns how many are left."""
    return reply(recovery_of(managing().needs().id))


@blueprint.post("/players/me/recovery-codes", answer=schemas.CreatedRecoveryCodesSchema, status=201)
@blueprint.contract("not_allowed conflict", needs="account")
def create_recovery_codes() -> Response:
    """Create recovery codes. Each signs in once; they replace the codes before. Only this response shows them."""
    at = now()
    return reply({"codes": services().people.recovery.renew(managing(), at), "at": at}, 201, **UNKEPT)


@blueprint.post("/players/me/passkeys/options", answer=schemas.OptionsSchema, status=201)
@blueprint.contract("not_allowed", needs="account")
def prepare_passkey() -> Response:
    """Prepare a passkey. Returns the options that a browser needs to create a passkey for this account."""
    return reply({"options": services().people.passkeys.creation_options(managing(), _site())}, 201, **UNKEPT)


@blueprint.post(
    "/players/me/passkeys", body=schemas.PasskeyRequest, answer=schemas.PasskeySchema, status=201, headers=LOCATION
)
@blueprint.contract("sign_in_refused not_allowed conflict quota_reached", needs="account")
def add_passkey(body: dict[str, Any]) -> Response:
    """Add a passkey. Stores the public key of a passkey that the browser has created."""
    at = now()
    made = services().people.passkeys.add(managing(), _site(), body["passkey"], body["label"], at)
    return reply(passkey_row(made), 201, Location=f"/v1/players/me/passkeys/{made.id}")


@blueprint.get("/players/me/passkeys", answer=schemas.PasskeysSchema)
@blueprint.contract(needs="account")
def list_passkeys() -> Response:
    """List passkeys. Returns all passkeys of the account."""
    return reply({"passkeys": passkeys_of(managing().needs().id)})


@blueprint.put("/players/me/passkeys/<passkey>", body=schemas.LabelRequest, answer=schemas.PasskeySchema)
@blueprint.contract("no_such_passkey not_allowed conflict", needs="account")
def rename_passkey(body: dict[str, Any], passkey: str) -> Response:
    """Rename a passkey. Gives it another label."""
    return reply(passkey_row(services().people.passkeys.rename(managing(), passkey, body["label"])))


@blueprint.delete("/players/me/passkeys/<passkey>", status=204, description="the passkey is ended")
@blueprint.contract("no_such_passkey not_allowed conflict", needs="account")
def remove_passkey(passkey: str) -> None:
    """Remove a passkey. It no longer signs in; devices that signed in with it keep their tokens."""
    services().people.passkeys.remove(managing(), passkey)


def recovery_of(player: str) -> dict[str, Any]:
    """Returns how many recovery codes a player has left."""
    found = services().people.recovery.of(player)
    return {"left": len(found.left), "at": found.at or None}


def passkeys_of(player: str) -> list[dict[str, Any]]:
    """Returns the passkeys of a player without their keys."""
    return [passkey_row(one) for one in services().people.passkeys.of(player)]


def passkey_row(passkey: Passkey) -> dict[str, Any]:
    """Returns a passkey without its key."""
    label = services().people.passkeys.label(passkey)
    told = {"id": passkey.id, "host": passkey.host, "label": label, "at": passkey.at}
    return told | {"used_on": day_of(passkey.used)}
