"""Erasing people: their seats are left, their key is erased, and their account ends, in this order.

The key store names the erased for ever, so that a backup brings nobody back. A person is marked before the first step
and unmarked when all were repeated half a minute later: a process that remembers a token may let it take a seat
meanwhile. A process that ends in between leaves a mark, and each step may be repeated. The mark stays as well while the
lobby lags behind the log, as it might not know yet of a table that has to be left, and while one cannot be left, as its
record is damaged: that keeps nobody from being forgotten.
"""

import logging
import threading
import time
from collections.abc import Callable, Iterator
from typing import NamedTuple

from redis.exceptions import RedisError

from events.scripts import Client
from events.store import RedisLog
from projections import lobby, lobby_lists
from projections.store import current
from service.accounts import webhooks
from service.accounts.accounts import key_of, today
from service.accounts.callers import Player
from service.accounts.keeping import keys_kept
from service.accounts.names import DisplayNames
from service.accounts.personal_texts import ERASED, KeysUnavailable, PersonKeys, Texts, keys_of
from service.accounts.sealing import sealer_from
from service.accounts.signing_in import NOBODY_S
from service.accounts.sweeping import end_account
from service.analyses import Analyses
from service.commands import CommandContext, CommandHandler, Request
from service.config import Settings
from service.limits import quotas
from service.stores import log_at
from service.tables.opening import depart_everywhere
from service.transcripts import TranscriptStore

MARKED = key_of("erasing", "players")  # whose erasure is not finished, scored by when it began (Unix time, s)
REMEMBERED_S = 30  # for longer than any process lets a token in that it remembers
LAG_S = 86_400  # tables that the lobby does not know, or that could not be left, after so long are not waited for
PAUSE_S = 60.0

log = logging.getLogger(__name__)


class Eraser(NamedTuple):
    """Erases people. `depart` makes a player leave every table; whether all were known, and could be left."""

    client: Client
    keys: PersonKeys
    depart: Callable[[str], bool]

    def erase(self, player: str) -> None:
        """Erases a person, for ever; a repeat goes on where this was interrupted."""
        self.client.zadd(MARKED, {player: int(time.time())}, nx=True)
        had_ended = not self._is_there(player)
        left = self.depart(player)
        self.keys.erase(player)
        self._end(player)
        # What requests wrote that were let in before.
        self.client.delete(*webhooks.keys_of(player), *keys_kept(player))
        age_s = time.time() - self._began(player)
        if (left and had_ended and age_s > REMEMBERED_S) or age_s > LAG_S:
            self.client.zrem(MARKED, player)

    def finish(self) -> None:
        """Erases those who are marked once more."""
        for player in filter(None, map(_readable, self.client.zrange(MARKED, 0, -1))):
            self.erase(player)

    def finish_until(self, stop: threading.Event) -> None:
        """Finishes erasures until `stop` is set; goes on while a store does not answer."""
        while not stop.wait(PAUSE_S):
            try:
                self.finish()
            except (RedisError, KeysUnavailable) as error:
                log.error("erasures that were interrupted are finished later: %s", error)

    def _began(self, player: str) -> float:
        return float(self.client.zscore(MARKED, player) or 0)

    def _is_there(self, player: str) -> bool:
        return bool(self.client.exists(key_of("player", player)))

    def _end(self, player: str) -> None:
        """Ends the account, however often it is used meanwhile: it cannot be used without its tokens."""
        while self._is_there(player):
            self.client.set(key_of("used", player), today(), nx=True)
            used = self.client.get(key_of("used", player))
            if used is not None:
                end_account(self.client, player, used)


def _readable(member: bytes) -> str | None:
    """The player of that name; None, and logged, for a name that is damaged."""
    try:
        return member.decode()
    except UnicodeDecodeError:
        log.error("%r is no player to be erased, and is left: `ZREM %s` removes it", member, MARKED)
        return None


def eraser_of(store: RedisLog, handler: CommandHandler, keys: PersonKeys, transcripts: TranscriptStore) -> Eraser:
    """What erases people from a store."""
    analyses = Analyses(store.client, handler.now_ms)

    def depart(player: str) -> bool:
        analyses.forget(player)
        store.unlisten(player)
        store.client.delete(*quotas.keys_of(player))
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
