"""What accounts and tokens are called, as their records hold it: encrypted under the key of whoever chose it."""

import msgspec

from service.accounts.callers import Player, Token
from service.accounts.personal_texts import ACCOUNT, Texts

FIRST = "first"  # the label of the token that comes with an account, which nobody has chosen
LABEL = "label"  # the kind of record that a label stands in


class AccountTexts:
    """Writes names and labels into records, encrypted, and reads labels."""

    def __init__(self, texts: Texts) -> None:
        self._texts = texts

    def called(self, player: Player, name: str) -> Player:
        """The account under this name."""
        return msgspec.structs.replace(player, name=self._texts.kept(ACCOUNT, player.id, player.id, name))

    def labelled(self, token: Token, label: str) -> Token:
        """The token under this label."""
        return msgspec.structs.replace(token, label=self._texts.kept(LABEL, token.id, token.player, label))

    def label(self, token: Token) -> str:
        """What a token is called; nothing if the key to that is not here."""
        return self._texts.decrypted(LABEL, token.id, token.label) or ""
