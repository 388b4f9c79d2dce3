"""What accounts and tokens are called, as their records hold it: encrypted under the key of whoever chose it."""

import contextlib
from typing import TypeGuard

import msgspec
from redis.exceptions import RedisError

from events.lifecycle import Text
from events.scripts import Client
from service.accounts.callers import Player, Token
from service.accounts.personal_texts import ACCOUNT, Texts

FIRST = "first"  # the label of the token that comes with an account, which nobody has chosen
LABEL = "label"  # the kind of record that a label stands in
ENCRYPTED = "{accounts}:encrypted:everything"  # there for a while after a look at all records found nothing in plain


def is_plain(text: Text, says_nothing: str = "") -> TypeGuard[str]:
    """Whether a record holds what somebody chose as earlier releases wrote it; `says_nothing` is what nobody chose."""
    return isinstance(text, str) and text not in ("", says_nothing)


def look_again_if_plain(client: Client, player: Player, token: Token) -> None:
    """Has the next server that starts look at all records if one of these is in plain: an older server has written."""
    if is_plain(player.name) or is_plain(token.label, FIRST):
        look_again(client)


def look_again(client: Client) -> None:
    """Has the next server that starts look at all records; what is in plain is met again if the store fails."""
    with contextlib.suppress(RedisError):
        client.delete(ENCRYPTED)


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
