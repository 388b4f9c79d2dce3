"""Appends and reads of heads from an event loop, pipelined on one connection to each server to share its disk syncs.

Replies arrive in the order of the commands, and each is consumed even if its caller has gone. redis-py's asyncio
client would need one connection per caller. Commands that block or change the connection's state are not allowed here.
"""

import asyncio
import logging
from collections import defaultdict, deque
from collections.abc import Iterator
from typing import Any

import hiredis
import redis
from redis.asyncio.connection import SSLConnection
from redis.exceptions import RedisError

from events.connections import fields_from_pairs
from events.envelopes import Head, Recorded
from events.log import Batch, Conflict, VersionRange, check_links
from events.scripts import waits_for_replica
from events.store import RedisLog, append_arguments, event_from_entry, head_from, version_range_from

MOST_IN_FLIGHT = 512
MOST_MISSED = 16  # events of a conflict that are checked here: more would block the event loop
REST_S = 1.0  # a server that did not answer is not asked again for this long
PATIENCE_S = 5.0  # if the URL sets no timeout
INCOMPLETE = object()

log = logging.getLogger(__name__)


class Unanswered(RedisError):
    """The store gave no usable answer; it may or may not have executed the command."""


class TooManyInFlight(Exception):  # becomes a 503
    """Too many commands are waiting for the store; this one was not sent."""


class Wire(asyncio.Protocol):
    """One connection, with the queue of callers that wait for replies and the time since each waits."""

    def __init__(self, timeout_s: float) -> None:
        self._loop, self._timeout_s = asyncio.get_running_loop(), timeout_s
        self._reader = hiredis.Reader(notEnoughData=INCOMPLETE)
        self._waiting: deque[tuple[asyncio.Future[Any], float]] = deque()
        self.transport: Any = None  # None before it opens and after it closes
        self.rest_until_s = 0.0  # by the loop's clock; no replacement is opened before
        self._look = self._loop.call_later(timeout_s, self._check)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Called by the loop."""
        self.transport = transport

    def data_received(self, data: bytes) -> None:
        """Resolves the oldest caller with each reply."""
        try:
            self._reader.feed(data)
            while (reply := self._reader.gets()) is not INCOMPLETE:
                _give(self._waiting.popleft()[0], reply)
        except (hiredis.ProtocolError, IndexError) as error:  # not a reply, or one too many
            log.warning("closing a connection to the store: %s", error)
            self.end()

    def connection_lost(self, _error: Exception | None) -> None:
        """Called by the loop."""
        self.end()

    def end(self) -> None:
        """Closes the connection. Commands in flight may have been executed, so their callers get `Unanswered`."""
        transport, self.transport = self.transport, None
        self._look.cancel()
        if transport:
            transport.abort()
        while self._waiting:
            _give(self._waiting.popleft()[0], Unanswered("the connection to the store broke"))

    def give_up(self) -> None:
        """Closes the connection to a server that does not answer, and lets it rest."""
        self.rest_until_s = self._loop.time() + REST_S
        self.end()

    def _check(self) -> None:
        """Closes the connection if the oldest command has waited too long."""
        if self._waiting and self._waiting[0][1] + self._timeout_s < self._loop.time():
            self.give_up()
        else:
            self._look = self._loop.call_later(self._timeout_s / 2, self._check)

    def send(self, *command: Any) -> "asyncio.Future[Any]":
        """Sends a command; the reply may be an error. Raises `TooManyInFlight`, and `Unanswered` after closing."""
        if self.transport is None:
            raise Unanswered("the connection to the store broke")
        if len(self._waiting) >= MOST_IN_FLIGHT:
            raise TooManyInFlight
        reply = self._loop.create_future()
        self._waiting.append((reply, self._loop.time()))
        self.transport.write(hiredis.pack_command(command))
        return reply


def _give(waiting: "asyncio.Future[Any]", reply: Any) -> None:
    if not waiting.done():
        waiting.set_result(reply)


class PipelinedLog:
    """The operations of a log that the event loop needs: append, head, and the few events before a head."""

    def __init__(self, store: RedisLog) -> None:
        self._store, self._script = store, store.append_script
        self.waits_for_replica = waits_for_replica(store.client)  # before a write is acknowledged
        self._clustered = isinstance(store.client, redis.RedisCluster)
        self._wires: dict[str, Wire] = {}  # the newest one to each server, open or not
        self._connecting: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)

    async def append(self, table: str, batch: Batch) -> VersionRange:
        """Appends as `RedisLog.append` does; on `Unanswered`, the caller repeats the request there.

        A conflict with more than `MOST_MISSED` events brings none of them.
        """
        keys = self._store.append_keys(table)
        arguments = (len(keys), *keys, *append_arguments(table, batch))
        answer = await self._ask(keys[0], "EVALSHA", self._script.sha, *arguments)
        if isinstance(answer, Exception) and str(answer).startswith("NOSCRIPT"):  # nothing was done
            answer = await self._ask(keys[0], "EVAL", self._script.script, *arguments)
        if _checked(answer)[0] == b"archived":
            raise Unanswered(f"{table} is in the archive")
        if answer[0] == b"conflict" and len(answer) > 1 + MOST_MISSED:
            raise Conflict(())
        return version_range_from(answer, table, batch.head)

    async def head(self, table: str) -> Head:
        """Returns the table's head in the store; raises `Unanswered` and `LogDamaged`."""
        key = self._store.append_keys(table)[1]
        return head_from(table, *_checked(await self._ask(key, "HMGET", key, "version", "hash")))

    async def between(self, table: str, known: Head, held: Head) -> tuple[Recorded, ...]:
        """Returns the few events after `known` up to `held`, the store's head; raises as `check_links` does."""
        key = self._store.append_keys(table)[0]
        entries = _checked(await self._ask(key, "XRANGE", key, known.version + 1, held.version))
        events = tuple(event_from_entry(table, entry_id, fields_from_pairs(flat)) for entry_id, flat in entries)
        return check_links(table, known, held, events)

    async def _ask(self, key: str, *command: Any) -> Any:
        """Returns the reply of the server that has the key; it may be an error."""
        name, pool = self._server(key)
        if (wire := self._wires.get(name)) is None or wire.transport is None:
            wire = await self._connected(name, pool)
        reply = await wire.send(*command)
        if isinstance(reply, Exception) and str(reply).startswith("READONLY"):
            wire.end()  # the server is a replica now; reconnecting may reach the new primary
        return reply

    def _server(self, key: str) -> tuple[str, Any]:
        """Returns the name of the server that has the key, and redis-py's pool for it, without any request."""
        client = self._store.client
        if not self._clustered:
            return "", client.connection_pool
        nodes = client.nodes_manager.slots_cache.get(client.keyslot(key))
        if not nodes or nodes[0].redis_connection is None:
            raise Unanswered("no node of the cluster is known to have the key")
        return nodes[0].name, nodes[0].redis_connection.connection_pool

    async def _connected(self, name: str, pool: Any) -> Wire:
        """Returns a connection to the server, which concurrent callers open only once; raises `Unanswered`."""
        async with self._connecting[name]:
            wire = self._wires.get(name)
            if wire and wire.transport:
                return wire
            if wire and wire.rest_until_s > asyncio.get_running_loop().time():
                raise Unanswered("the store did not answer a moment ago")
            wire = Wire(pool.connection_kwargs.get("socket_timeout") or PATIENCE_S)
            try:
                await _open(wire, pool)
            except (OSError, TimeoutError, RedisError) as error:
                wire.give_up()
                raise Unanswered(f"the store cannot be reached: {error}") from error
            except BaseException:
                wire.end()
                raise
            finally:
                self._wires[name] = wire  # only now: nobody sends before it is logged in
            return wire

    def close(self) -> None:
        """Closes the connections."""
        for wire in self._wires.values():
            wire.end()


def _checked(reply: Any) -> Any:
    """Returns a reply; raises `Unanswered` if it is an error."""
    if isinstance(reply, Exception):
        raise Unanswered(str(reply))
    return reply


async def _open(wire: Wire, pool: Any) -> None:
    """Connects with the settings of redis-py's pool, logs in and selects the database."""
    loop, settings = asyncio.get_running_loop(), pool.connection_kwargs
    tls = None
    if issubclass(pool.connection_class, redis.SSLConnection):
        secured = SSLConnection(**{name: value for name, value in settings.items() if name.startswith("ssl_")})
        tls = secured.ssl_context.get()
    async with asyncio.timeout(settings.get("socket_connect_timeout") or PATIENCE_S):
        if "path" in settings:
            await loop.create_unix_connection(lambda: wire, settings["path"])
        else:
            address = settings.get("host", "localhost"), settings.get("port", 6379)
            await loop.create_connection(lambda: wire, *address, ssl=tls)
        for reply in [wire.send(*command) for command in _login(**settings)]:
            _checked(await reply)


def _login(username: str = "", password: str = "", db: int = 0, **_: Any) -> Iterator[tuple[Any, ...]]:
    """Yields the commands that authenticate and select the database."""
    if username or password:
        yield ("AUTH", username, password) if username else ("AUTH", password)
    if db:
        yield "SELECT", db
