"""What accounts have beside their tokens, put together: ways to sign in, and what concerns other people."""

from typing import NamedTuple

from events.scripts import Client
from service.accounts.accounts import Accounts
from service.accounts.invitations import Invitations
from service.accounts.keeping import Blocks, Keeper
from service.accounts.passkeys import Passkeys
from service.accounts.personal_texts import Texts
from service.accounts.sealing import Sealer
from service.accounts.signing_in import RecoveryCodes, SigningIn
from service.config import Settings


class People(NamedTuple):
    """The stores of what is kept of people."""

    signing_in: SigningIn
    recovery: RecoveryCodes
    passkeys: Passkeys
    blocks: Blocks
    invitations: Invitations
    keeper: Keeper
    origin: str | None
    most: dict[str, int]


def people_of(client: Client, sealer: Sealer, texts: Texts, accounts: Accounts, settings: Settings) -> People:
    """The stores on the service's own."""
    keeper = Keeper(client)
    return People(
        SigningIn(client, sealer, accounts),
        RecoveryCodes(client, keeper),
        Passkeys(client, keeper, texts, settings.passkeys),
        Blocks(client, settings.blocks),
        Invitations(client, sealer, texts, settings.invitations),
        keeper,
        settings.origin,
        {name: getattr(settings, name) for name in ("tokens", "passkeys", "blocks", "invitations", "transcripts")},
    )
