"""The end of an account: whatever the store holds of it beside the log goes in one step."""

from collections.abc import Iterator

from events.scripts import Client, script
from service.accounts import blocks, recovery
from service.accounts.accounts import key_of
from service.accounts.invitations import keys_of_invitations
from service.accounts.keeping import keys_kept
from service.accounts.webhooks import keys_of
from service.accounts.whence import keys_of_days

COUNTED = ("tokens", "blocks", "blockers")  # what may grow meanwhile


def end_account(client: Client, player: str, used: bytes | int) -> bool:
    """Ends an account, unless it was used since `used` was read or grew meanwhile; whether it has."""
    counted = {kind: client.hgetall(key_of(kind, player)) for kind in COUNTED}
    records = list(_records(client, player, [digest.decode() for digest in counted["tokens"].values()]))
    others = [*blocks.elsewhere(counted["blocks"], counted["blockers"]), *keys_of_days()]
    keys = [key_of("used", player), *(key_of(kind, player) for kind in COUNTED), *records, *others]
    told = [used, *map(len, counted.values()), player, len(records)]
    return bool(script(client, "service.accounts", "end.lua")(keys=keys, args=told))


def _records(client: Client, player: str, digests: list[str]) -> Iterator[str]:
    """All that is kept of an account and does not count how often it was changed."""
    yield from (key_of(kind, player) for kind in ("player", "seen", "signing"))
    yield from (*keys_of(player), *keys_kept(player))
    yield from (key_of("token", digest) for digest in digests)
    yield from recovery.leading_keys(client.hget(key_of("about", player), recovery.PLACE.field) or b"")
    yield from keys_of_invitations(client, player)
    if code := client.get(key_of("signing", player)):
        yield code.decode()


def can_return(client: Client, player: str) -> bool:
    """Whether a person has a way back to the account without a token: a passkey, or a recovery code."""
    if client.exists(key_of("passkeys", player)):
        return True
    return bool(recovery.leading_keys(client.hget(key_of("about", player), recovery.PLACE.field) or b""))
