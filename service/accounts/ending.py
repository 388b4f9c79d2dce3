"""The end of an account: whatever the store holds of it beside the log goes in one step."""

from collections.abc import Iterator

from events.scripts import Client, script
from service.accounts import blocks, recovery
from service.accounts.accounts import key_of
from service.accounts.keeping import keys_kept
from service.accounts.webhooks import keys_of

COUNTED = ("tokens", "blocks", "blockers", "invitations")  # what may grow meanwhile


def end_account(client: Client, player: str, used: bytes | int) -> bool:
    """Ends an account, unless it was used since `used` was read or grew meanwhile; whether it has."""
    counted = {kind: client.hgetall(key_of(kind, player)) for kind in COUNTED}
    codes = client.hget(key_of("about", player), recovery.PLACE.field) or b""
    code = client.get(key_of("signing", player)) or b""
    records = [*_records(player), *(key_of("token", digest.decode()) for digest in counted["tokens"].values())]
    records += [key_of("invitation", name.decode()) for name in counted["invitations"]]
    records += [*recovery.leading_keys(codes), *([code.decode()] if code else [])]
    others = blocks.elsewhere(counted["blocks"], counted["blockers"])
    watched = [key_of(kind, player) for kind in ("used", *COUNTED, "about", "signing")]
    told = [used, *map(len, counted.values()), codes, code, player, len(records)]
    return bool(script(client, "service.accounts", "end.lua")(keys=[*watched, *records, *others], args=told))


def _records(player: str) -> Iterator[str]:
    """What is kept of an account under its own name and does not tell what else there is."""
    yield from (key_of(kind, player) for kind in ("player", "seen"))
    yield from (*keys_of(player), *keys_kept(player))


def can_return(client: Client, player: str) -> bool:
    """Whether a person has a way back to the account without a token: a passkey, or a recovery code."""
    if client.exists(key_of("passkeys", player)):
        return True
    return bool(recovery.leading_keys(client.hget(key_of("about", player), recovery.PLACE.field) or b""))
