"""Erasing a person: their seats are left, their key is erased, and their account ends, in this order.

The key store names the erased for ever, so that a backup brings nobody back. A person is marked before the first step
and unmarked when all were repeated half a minute later: a process that remembers a token may let it take a seat
meanwhile. A process that ends in between leaves a mark, and each step may be repeated. The mark stays as well while the
lobby lags behind the log, as it might not know yet of a table that has to be left, and while one cannot be left, as its
record is damaged: that keeps nobody from being forgotten.

Whoever is erased is noted until the store has written its file anew, however long that takes.
"""

import logging
import threading
import time
from collections.abc import Callable
from typing import Any, NamedTuple

import redis
from redis.exceptions import RedisError

from events.scripts import Client
from service.accounts.accounts import key_of, today
from service.accounts.ending import end_account
from service.accounts.keeping import keys_kept
from service.accounts.key_stores import KeysUnavailable
from service.accounts.person_keys import PersonKeys
from service.accounts.webhooks import keys_of

MARKED = key_of("erasing", "players")  # whose erasure is not finished, scored by when it began (Unix time, s)
WRITTEN = key_of("erasing", "written")  # whose account may stand in the append-only file though it has ended
REWRITTEN = key_of("erasing", "rewritten")  # there while the append-only file is not rewritten again
REMEMBERED_S = 30  # for longer than any process lets a token in that it remembers
REWRITE_S = 3600  # from one rewriting to the next: strangers may end accounts as often as they open them
LAG_S = 86_400  # tables that the lobby does not know, or that could not be left, after so long are not waited for
PAUSE_S = 60.0
AT_IT = "already in progress"  # what a server says that writes its file anew

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
        if not had_ended:
            self.client.sadd(WRITTEN, player)
            self._end(player)
        # What requests wrote that were let in before.
        self.client.delete(*keys_of(player), *keys_kept(player))
        age_s = time.time() - self._began(player)
        if (left and had_ended and age_s > REMEMBERED_S) or age_s > LAG_S:
            self.client.zrem(MARKED, player)
        self._rewrite()

    def finish(self) -> None:
        """Erases those who are marked once more, and has the file rewritten where that is due."""
        for player in filter(None, map(_named, self.client.zrange(MARKED, 0, -1))):
            self.erase(player)
        self._rewrite()

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

    def _rewrite(self) -> None:
        """Has the store write its file anew, without the accounts that have ended, where it has one and may."""
        written = self.client.smembers(WRITTEN)
        gone = [player for player in written if not self._is_there(player.decode(errors="replace"))]
        if not gone or not self.client.set(REWRITTEN, 1, nx=True, ex=REWRITE_S):
            return
        if rewrite_file(self.client):
            self.client.srem(WRITTEN, *gone)
        else:
            self.client.delete(REWRITTEN)


def _named(member: bytes) -> str | None:
    """The player of that name; None, and told, for a name that is damaged."""
    try:
        return member.decode()
    except UnicodeDecodeError:
        log.error("%r is no player to be erased, and is left: `ZREM %s` removes it", member, MARKED)
        return None


def rewrite_file(client: Client) -> bool:
    """Has each server write its append-only file anew, where it has one.

    False if one is at it, which writes what there was when it began, and has to be asked again.
    """
    clustered = isinstance(client, redis.RedisCluster)
    servers: list[dict[str, Any]] = [{"target_nodes": node} for node in client.get_nodes()] if clustered else [{}]
    begun = [_has_begun(client, server) for server in servers]  # all are asked, whatever one says
    return all(begun)


def _has_begun(client: Client, server: dict[str, Any]) -> bool:
    """Whether a server writes its file anew from now on, or never will, as it has none or refuses to."""
    try:
        if client.info("persistence", **server).get("aof_enabled"):
            client.bgrewriteaof(**server)
    except (RedisError, AttributeError) as error:  # a store in memory has no such command
        if AT_IT in str(error):
            return False
        log.warning("the append-only file holds what was deleted until it is rewritten (BGREWRITEAOF): %s", error)
    return True
