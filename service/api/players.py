"""Accounts and tokens."""

from collections.abc import Mapping
from typing import Any

import msgspec
from flask import Response, request

from events.times import stamp
from service.accounts.accounts_and_tokens import STREAM_TOKEN_S, TokenRequest
from service.accounts.callers import Player, Token
from service.accounts.signing_in import can_return
from service.accounts.webhooks import Webhook
from service.api.common import (
    caller,
    handler,
    in_good_standing,
    managing,
    now,
    presenter,
    redis_log,
    replayed,
    reply,
    services,
)
from service.api.headers import ACCOUNT_KEY_HEADER, KEY_HEADER, LEAST_KEY, LOCATION
from service.api.idempotency import key_in, request_name
from service.api.request_parsing import Blueprint
from service.api.schemas import players as schemas
from service.api.table_requests import day_of
from service.command_handler import Request
from service.errors import Refused
from service.limits.rates import ACCOUNTS
from service.tables.webhook_timers import begin_to_notify

UNKEPT = {"Cache_Control": "no-store"}  # of an answer that holds the text of a secret: it is not compressed either

blueprint = Blueprint("players", __name__, url_prefix="/v1", description="Accounts and their tokens")


@blueprint.post(
    "/players", body=schemas.PlayerRequest, answer=schemas.CreatedPlayerSchema, status=201, headers=LOCATION
)
@blueprint.contract("account_suspended", may="", headers=(ACCOUNT_KEY_HEADER,), counts=ACCOUNTS)
def create_player(body: dict[str, Any]) -> Response:
    """Create a player.

    Returns an account with its first token (scopes `play`, `watch` and `account`), whose text only this response shows.
    No token is needed; a token of a suspended account is refused. For 24 hours a repeat with the same Idempotency-Key
    shows the token again, so keep the key as secret as the token.
    """
    in_good_standing()
    check_key("for a new account")
    asked = token_request(request_name(None))
    return signed_up(*services().accounts.create(body["name"], asked, bot=body["bot"], guest=body["guest"]))


def check_key(what: str) -> None:
    """Raises `Refused` for an Idempotency-Key that somebody could guess, and so get the token of an account."""
    key = key_in(request.environ)
    if key is not None and len(key) < LEAST_KEY:
        raise Refused("malformed", f"{what} an Idempotency-Key needs {LEAST_KEY} characters: use a UUID")


def token_request(named: Request, label: str = "") -> TokenRequest:
    """Returns the request for a token with this label."""
    return TokenRequest(label, now(), str(named.key), named.fingerprint)


def signed_up(player: Player, token: Token, secret: str, repeated: bool) -> Response:
    """Returns an account with a token, whose text nobody can read again."""
    told = account_row(player) | {"token": token_row(token) | {"secret": secret}}
    return reply(told, 201, Location="/v1/players/me", **UNKEPT, **replayed(repeated))


@blueprint.get("/players/me", answer=schemas.PlayerSchema)
@blueprint.contract(needs="")
def get_me() -> Response:
    """Get my account. Returns the account of the token, its scopes, and notices from operators."""
    return reply(_whole_account(caller().needs()))


@blueprint.put("/players/me/name", body=schemas.NameRequest, answer=schemas.PlayerSchema)
@blueprint.contract("not_allowed", needs="account")
def take_name(body: dict[str, Any]) -> Response:
    """Change my name. It is shown from now on, at past tables too; a guest who chooses a name is no longer a guest."""
    asking = managing()
    asking.own_token()
    player = services().accounts.take_name(asking.needs().id, body["name"])
    handler().names.drop()
    return reply(_whole_account(player))


@blueprint.get("/players/me/tokens", answer=schemas.TokensSchema)
@blueprint.contract(needs="account")
def list_tokens() -> Response:
    """List tokens. Returns all tokens of the account, without their texts."""
    return reply({"tokens": tokens_of(managing().needs().id)})


@blueprint.post(
    "/players/me/tokens", body=schemas.TokenRequest, answer=schemas.CreatedTokenSchema, status=201, headers=LOCATION
)
@blueprint.contract("not_allowed quota_reached", needs="account", headers=(KEY_HEADER,))
def create_token(body: dict[str, Any]) -> Response:
    """Create a token. Takes any of a player's scopes: give each program only those it needs."""
    asking = caller()
    named = request_name(asking.needs("account").id)
    asking.own_token()
    scopes, asked = tuple(sorted(set(body["scopes"]))), token_request(named, body["label"])
    token, secret, repeated = services().accounts.add_token(asking, scopes, asked)
    headers = {"Location": f"/v1/players/me/tokens/{token.id}"} | UNKEPT | replayed(repeated)
    return reply(token_row(token) | {"secret": secret}, 201, **headers)


@blueprint.put("/players/me/tokens/<token>", body=schemas.LabelRequest, answer=schemas.UsedTokenSchema)
@blueprint.contract("no_such_token", needs="account")
def rename_token(body: dict[str, Any], token: str) -> Response:
    """Rename a token. Gives it another label, for the device or program that uses it."""
    player, accounts = managing().needs().id, services().accounts
    return reply(_used_row(accounts.rename(player, token, body["label"]), accounts.last_used(player)))


@blueprint.delete("/players/me/tokens/<token>", status=204, description="the token is ended")
@blueprint.contract("no_such_token", needs="account")
def revoke_token(token: str) -> None:
    """Revoke a token. Other processes may accept it for another five seconds, except to manage the account."""
    services().accounts.revoke(managing().needs().id, token)


@blueprint.post("/stream-tokens", answer=schemas.StreamTokenSchema, status=201)
@blueprint.contract("not_allowed", needs="watch")
def create_stream_token() -> Response:
    """Create a stream token.

    For a browser's `EventSource`, which sends no headers: within a minute, the query `stream_token` opens one stream.
    """
    expires_at = stamp(handler().now_ms() + STREAM_TOKEN_S * 1000)
    secret = services().accounts.stream_token(caller())
    return reply({"secret": secret, "expires_at": expires_at}, 201, **UNKEPT)


@blueprint.put("/players/me/webhook", body=schemas.WebhookRequest, answer=schemas.CreatedWebhookSchema)
@blueprint.contract("not_allowed webhook_refused", needs="account")
def set_webhook(body: dict[str, Any]) -> Response:
    """Set the webhook.

    The service sends a bot's turns to this address, and no longer to the one before. Only this response shows the
    secret that signs the messages; each call makes a new one.
    """
    player = managing().needs()
    if not player.bot:
        raise Refused("not_allowed", "webhooks are for bots: take an account with `bot`")
    webhook, secret = services().webhooks.put(player.id, body["url"], now())
    begin_to_notify(handler(), redis_log(), webhook)
    return reply(webhook_row(webhook) | {"secret": secret}, 200, **UNKEPT)


@blueprint.get("/players/me/webhook", answer=schemas.WebhookSchema)
@blueprint.contract("no_such_webhook", needs="account")
def get_webhook() -> Response:
    """Get the webhook. Returns its address, which may hold a secret of the bot, and the last delivery."""
    player = managing().needs()
    webhook = services().webhooks.of(player.id)
    if webhook is None:
        raise Refused("no_such_webhook", "PUT one here")
    return reply(webhook_row(webhook) | {"last": msgspec.to_builtins(services().webhooks.last(player.id))})


@blueprint.delete("/players/me/webhook", status=204, description="the webhook is ended")
@blueprint.contract("no_such_webhook", needs="account")
def delete_webhook() -> None:
    """Delete the webhook. A message that is being sent may still arrive."""
    player = managing().needs().id
    ended = services().webhooks.remove(player)
    if ended is None:
        raise Refused("no_such_webhook", "there is none to end")
    handler().log.unlisten(player, ended)


def tokens_of(player: str) -> list[dict[str, Any]]:
    """Returns the tokens of a player without their secrets, with the day of last use."""
    accounts = services().accounts
    used = accounts.last_used(player)
    return [_used_row(token, used) for token in accounts.tokens(player)]


def notices_of(player: str) -> list[dict[str, Any]]:
    """Returns the moderation actions against an account, oldest first, without who asked for them."""
    actions = services().reports.actions
    return [
        {"action": one.number, "type": one.type, "at": one.at, "reason": one.reason} | {"text": actions.text(one)}
        for one in actions.current().against(player)
    ]


def account_row(player: Player) -> dict[str, Any]:
    """Returns an account as its owner sees it."""
    return {"id": player.id, "name": presenter().own(player), "bot": player.bot}


def _whole_account(player: Player) -> dict[str, Any]:
    guest = player.guest and not can_return(redis_log().client, player.id)
    notices = notices_of(player.id)
    return account_row(player) | {"guest": guest, "scopes": list(caller().scopes), "notices": notices}


def webhook_row(webhook: Webhook) -> dict[str, Any]:
    """Returns a webhook without its secret."""
    return {"id": webhook.id, "url": services().webhooks.url_of(webhook), "at": webhook.at}


def token_row(token: Token) -> dict[str, Any]:
    """Returns a token without its secret."""
    return {"id": token.id, "scopes": list(token.scopes), "label": services().accounts.label(token), "at": token.at}


def _used_row(token: Token, used: Mapping[str, int]) -> dict[str, Any]:
    return token_row(token) | {"used_on": day_of(used.get(token.id))}
