"""The stores of what accounts have beside their tokens: ways to sign in, blocks and invitations."""

from events.scripts import Client
from service.accounts.accounts_and_tokens import Accounts
from service.accounts.invitations import Invitations
from service.accounts.passkeys import Passkeys
from service.accounts.personal_texts import Texts
from service.accounts.player_store import Blocks, PlayerStore
from service.accounts.sealing import Sealer
from service.accounts.signing_in import RecoveryCodes, SigningIn
from service.config import Settings


class People:
    """The stores of what accounts have beside their tokens, opened on the service's own."""

    def __init__(self, client: Client, sealer: Sealer, texts: Texts, accounts: Accounts, settings: Settings) -> None:
        self.store, self.origin = PlayerStore(client), settings.origin
        self.signing_in = SigningIn(client, sealer, accounts)
        self.recovery = RecoveryCodes(client, self.store)
        self.passkeys = Passkeys(client, self.store, texts, settings.passkeys)
        self.blocks = Blocks(client, settings.blocks)
        self.invitations = Invitations(client, sealer, texts, settings.invitations)
        kinds = ("tokens", "passkeys", "blocks", "invitations", "transcripts")
        self.most: dict[str, int] = {name: getattr(settings, name) for name in kinds}
