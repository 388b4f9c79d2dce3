"""The stores of what accounts have beside their tokens: ways to sign in, blocks and invitations."""

from typing import NamedTuple

from events.scripts import Client
from service.accounts.accounts import Accounts
from service.accounts.invitations import Invitations
from service.accounts.passkeys import Passkeys
from service.accounts.personal_texts import Texts
from service.accounts.player_store import Blocks, PlayerStore
from service.accounts.sealing import Sealer
from service.accounts.signing_in import RecoveryCodes, SigningIn
from service.config import Settings


class People(NamedTuple):
    """The stores of what accounts have beside their tokens."""

    signing_in: SigningIn
    recovery: RecoveryCodes
    passkeys: Passkeys
    blocks: Blocks
    invitations: Invitations
    store: PlayerStore
    origin: str | None
    most: dict[str, int]


def people_of(client: Client, sealer: Sealer, texts: Texts, accounts: Accounts, settings: Settings) -> People:
    """Opens these stores on the service's own."""
    store = PlayerStore(client)
    return People(
        SigningIn(client, sealer, accounts),
        RecoveryCodes(client, store),
        Passkeys(client, store, texts, settings.passkeys),
        Blocks(client, settings.blocks),
        Invitations(client, sealer, texts, settings.invitations),
        store,
        settings.origin,
        {name: getattr(settings, name) for name in ("tokens", "passkeys", "blocks", "invitations", "transcripts")},
    )
