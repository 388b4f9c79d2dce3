"""Erases a person on request, and ends accounts.

An erasure leaves the person's seats, erases their key, and ends the account, in this order. The key store names the
erased for ever, so that a restored backup brings nobody back. The person is marked before the first step. The steps are
repeated, and the mark removed half a minute later: until then a process may remember a token and let it take a seat.
The mark also stays while the lobby lags behind the log, and while a seat cannot be left because its table is damaged.
"""

import logging
import threading
import time
from collections.abc import Callable, Iterator
from typing import NamedTuple

from redis.exceptions import RedisError

from events.scripts import Client, script
from events.store import RedisLog
from projections import lobby_queries, lobby_rows
from projections.store import current
from service.accounts import player_store, webhooks
from service.accounts.accounts_and_tokens import key_of, today
from service.accounts.callers import Player
from service.accounts.key_store import ERASED, KeysUnavailable, PersonKeys, keys_of
from service.accounts.personal_texts import Texts
from service.accounts.player_store import blocks_elsewhere
from service.accounts.sealing import sealer_from
from service.accounts.shown_names import DisplayNames
from service.accounts.signing_in import RECOVERY, recovery_keys
from service.analyses import Analyses
from service.command_handler import CommandContext, CommandHandler, Request
from service.config import Settings
from service.limits import quotas
from service.stores import log_at
from service.tables.opening import depart_everywhere
from service.transcripts import TranscriptStore

MARKED = key_of("erasing", "players")  # whose erasure is not finished, scored by when it began (Unix time, s)
REMEMBERED_S = 30  # longer than any process remembers a token
LAG_S = 86_400  # tables that the lobby does not know, or that cannot be left, are not waited for any longer
PAUSE_S = 60.0
GROWING = ("tokens", "blocks", "blockers", "invitations")  # hashes that may grow while an account ends

log = logging.getLogger(__name__)


class Eraser(NamedTuple):
    """Erases people.

    `depart` removes what a player has outside the account, and leaves their seats; it returns whether all tables were
    known and could be left.
    """

    client: Client
    keys: PersonKeys
    depart: Callable[[str], bool]

    def erase(self, player: str) -> None:
        """Erases a person for ever; a repeat goes on where an erasure was interrupted."""
        self.client.zadd(MARKED, {player: int(time.time())}, nx=True)
        had_ended = not self._has_account(player)
        has_left = self.depart(player)
        self.keys.erase(player)
        self._end(player)
        # Requests that were admitted before may have written these.
        self.client.delete(*webhooks.keys_of(player), *player_store.keys_of(player))
        age_s = time.time() - float(self.client.zscore(MARKED, player) or 0)
        if (has_left and had_ended and age_s > REMEMBERED_S) or age_s > LAG_S:
            self.client.zrem(MARKED, player)

    def finish(self) -> None:
        """Repeats the erasures of marked persons."""
        for member in self.client.zrange(MARKED, 0, -1):
            try:
                self.erase(member.decode())
            except UnicodeDecodeError:
                log.error("%r is not a player to erase and is skipped: `ZREM %s` removes it", member, MARKED)

    def finish_until(self, stop: threading.Event) -> None:
        """Finishes erasures until `stop` is set; goes on while a store does not answer."""
        while not stop.wait(PAUSE_S):
            try:
                self.finish()
            except (RedisError, KeysUnavailable) as error:
                log.error("interrupted erasures are finished later: %s", error)

    def _end(self, player: str) -> None:
        """Ends the account, however often it is used meanwhile: it cannot be used without its tokens."""
        while self._has_account(player):
            self.client.set(key_of("used", player), today(), nx=True)
            if (used := self.client.get(key_of("used", player))) is not None:
                end_account(self.client, player, used)

    def _has_account(self, player: str) -> bool:
        return bool(self.client.exists(key_of("player", player)))


def eraser_of(store: RedisLog, handler: CommandHandler, keys: PersonKeys, transcripts: TranscriptStore) -> Eraser:
    """Returns the eraser of a store."""
    analyses = Analyses(store.client, handler.now_ms)

    def depart(player: str) -> bool:
        analyses.forget(player)
        store.unlisten(player)
        store.client.delete(*quotas.keys_of(player))
        for row in transcripts.of_player(player):
            transcripts.drop(row)
        rows = current(store, lobby_rows.NAME)
        knows_all, anybody = rows.is_complete(), Player(player, "", bot=False, at="")
        return depart_everywhere(handler, rows, CommandContext(anybody, Request(f"erasure|{player}"))) and knows_all

    return Eraser(store.client, keys, depart)


class Erasure:
    """Erases people by a command.

    The keys need not open what the store has sealed: a restored store may be from before they were rotated.
    """

    def __init__(self, settings: Settings, url: str) -> None:
        self._store = log_at(url, settings)
        self._keys = keys_of(self._store.client, settings, sealer_from(settings, may_create=False))
        texts = Texts(self._keys)
        transcripts = TranscriptStore(self._store.client, texts, settings.transcripts)
        handler = CommandHandler(self._store, names=DisplayNames(None, texts))
        self.erase = eraser_of(self._store, handler, self._keys, transcripts).erase

    def erased(self) -> Iterator[str]:
        """Yields everyone who was erased before, according to the key store."""
        return (person for person, key in self._keys.store.everyone() if key == ERASED)

    def knows(self, player: str) -> bool:
        """Whether there is an account, a key (or an erased one) or a table of the player."""
        if self._store.client.exists(key_of("player", player)) or self._keys.store.read([player]):
            return True
        return lobby_queries.concerns(current(self._store, lobby_rows.NAME), player)


def end_account(client: Client, player: str, used: bytes | int) -> bool:
    """Ends an account, unless it was used since `used` was read or grew meanwhile; returns whether it ended."""
    hashes = {kind: client.hgetall(key_of(kind, player)) for kind in GROWING}
    codes = client.hget(key_of("about", player), RECOVERY.field) or b""
    code = client.get(key_of("signing", player)) or b""
    records = [
        *(key_of("player", player), key_of("seen", player), *webhooks.keys_of(player), *player_store.keys_of(player)),
        *(key_of("token", digest.decode()) for digest in hashes["tokens"].values()),
        *(key_of("invitation", name.decode()) for name in hashes["invitations"]),
        *recovery_keys(codes),
        *([code.decode()] if code else []),
    ]
    others = blocks_elsewhere(hashes["blocks"], hashes["blockers"])
    watched = [key_of(kind, player) for kind in ("used", *GROWING, "about", "signing")]
    args = [used, *map(len, hashes.values()), codes, code, player, len(records)]
    return bool(script(client, "service.accounts", "end_account.lua")(keys=[*watched, *records, *others], args=args))
