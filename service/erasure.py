"""Erasing people, put together from what the service has."""

from collections.abc import Iterator

from events.store import RedisLog
from projections import lobby, lobby_lists
from projections.store import current
from service.accounts.accounts import key_of
from service.accounts.callers import Player
from service.accounts.erasing import Eraser
from service.accounts.key_stores import ERASED
from service.accounts.names import DisplayNames
from service.accounts.person_keys import PersonKeys, keys_of
from service.accounts.personal_texts import Texts
from service.accounts.sealing import sealer_from
from service.accounts.signing_in import NOBODY_S
from service.analyses.keeping import Analyses
from service.commands import CommandContext, CommandHandler, Request
from service.config import Settings
from service.limits import quota_claims
from service.stores import log_at
from service.tables.departing import depart_everywhere
from service.transcripts.store import TranscriptStore


def eraser_of(store: RedisLog, handler: CommandHandler, keys: PersonKeys, transcripts: TranscriptStore) -> Eraser:
    """What erases people from a store."""
    analyses = Analyses(store.client, handler.now_ms)

    def depart(player: str) -> bool:
        analyses.forget(player)
        store.unlisten(player)
        store.client.delete(*quota_claims.keys_of(player))
        for row in transcripts.of_player(player):
            transcripts.drop(row)
        rows = current(store, lobby.NAME)
        knows_all = rows.is_complete()
        left = depart_everywhere(handler, rows, CommandContext(_named(player), Request(f"erasure|{player}")))
        return left and knows_all

    return Eraser(store.client, keys, depart)


def _named(player: str) -> Player:
    """A player of whom no more is known than the id."""
    return Player(player, "", bot=False, at="")


class Erasure:
    """Erasing people by a command.

    The keys need not open what the store has sealed: a restored one may be from before they were rotated.
    """

    def __init__(self, settings: Settings, url: str) -> None:
        self._store = log_at(url, settings)
        self._keys = keys_of(self._store.client, settings, sealer_from(settings, may_create=False))
        texts = Texts(self._keys)
        kept = TranscriptStore(self._store.client, texts, settings.transcripts)
        self.erase = eraser_of(
            self._store, CommandHandler(self._store, names=DisplayNames(None, texts)), self._keys, kept
        ).erase

    def erased(self) -> Iterator[str]:
        """Whoever was erased before, as the key store says."""
        return (person for person, key in self._keys.store.everyone() if key == ERASED)

    def knows(self, player: str) -> bool:
        """Whether there is an account, a key (or one that was erased) or a table of that player."""
        if player == NOBODY_S:  # for whom keys are made, but who is nobody
            return False
        if self._store.client.exists(key_of("player", player)) or self._keys.store.read([player]):
            return True
        first = lobby_lists.LobbyPage(None, 1)
        return bool(lobby_lists.of_player(current(self._store, lobby.NAME), player, first)[0])
