"""Sends appends and head reads from an event loop, all on one connection to each server, so that they share its syncs.

Replies come in the order of the commands, and each is consumed even if its caller has gone. redis-py's own asyncio
client needs a connection for each caller; this one carries no command that blocks or changes the connection's state.
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

from events.log import Batch, Conflict, Span, linked
from events.recorded import Head, Recorded
from events.scripts import waits_for_replica
from events.store import RedisLog, arguments, event_of, head_told, pairs, span

MOST_IN_FLIGHT = 512
MOST_MISSED = 16  # events that others have written since: to check more would keep the loop from all others
REST_S = 1.0  # after a server did not answer: until then nobody waits for it
PATIENCE_S = 5.0  # where the URL names no other
INCOMPLETE = object()

log = logging.getLogger(__name__)


class Unanswered(RedisError):
    """The store gave no answer that can be used here; it may or may not have executed the command."""


class TooManyInFlight(Exception):  # said as 503
    """Too many commands wait for the store already; this one was not sent."""


class Wire(asyncio.Protocol):
    """One connection, with the callers that wait for its replies, each since when by the loop's clock."""

    def __init__(self, timeout_s: float) -> None:
        self._loop, self._timeout_s = asyncio.get_running_loop(), timeout_s
        self._reader = hiredis.Reader(notEnoughData=INCOMPLETE)
        self._waiting: deque[tuple[asyncio.Future[Any], float]] = deque()
        self.transport: Any = None  # None as well once it is closed
        self.rest_until_s = 0.0  # by the loop's clock; until then no other is opened in its place
        self._look = self._loop.call_later(timeout_s, self._check)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Called by the loop."""
        self.transport = transport

    def data_received(self, data: bytes) -> None:
        """Gives each reply to the caller that has waited longest."""
        try:
            self._reader.feed(data)
            while (reply := self._reader.gets()) is not INCOMPLETE:
                _give(self._waiting.popleft()[0], reply)
        except (hiredis.ProtocolError, IndexError) as error:  # no reply, or one that nobody has asked for
            log.warning("a connection to the store is closed: %s", error)
            self.end()

    def connection_lost(self, _error: Exception | None) -> None:
        """Called by the loop."""
        self.end()

    def end(self) -> None:
        """Closes the connection. Commands in flight may have been executed: their outcome is `Unanswered`, unknown."""
        transport, self.transport = self.transport, None
        self._look.cancel()
        if transport:
            transport.abort()
        while self._waiting:
            _give(self._waiting.popleft()[0], Unanswered("the connection to the store broke"))

    def give_up(self) -> None:
        """Closes the connection to a server that does not answer, which is left alone for a moment."""
        self.rest_until_s = self._loop.time() + REST_S
        self.end()

    def _check(self) -> None:
        """Closes the connection if the oldest request has waited for too long."""
        if self._waiting and self._waiting[0][1] + self._timeout_s < self._loop.time():
            self.give_up()
        else:
            self._look = self._loop.call_later(self._timeout_s / 2, self._check)

    def send(self, *command: Any) -> "asyncio.Future[Any]":
        """Sends a command; its reply may be an error. Raises `TooManyInFlight`, or `Unanswered` once it is closed."""
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
    """The appends and heads of a log, and the last events before a head, asked on one connection to each server."""

    def __init__(self, store: RedisLog) -> None:
        self._store, self._script = store, store.append_script
        self.waits_for_replica = waits_for_replica(store.client)  # before a write is acknowledged
        self._clustered = isinstance(store.client, redis.RedisCluster)
        self._wires: dict[str, Wire] = {}  # the last one to each server, open or not
        self._connecting: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)

    async def append(self, table: str, batch: Batch) -> Span:
        """As `RedisLog.append`; raises `Unanswered` where that has to find out, under the same request.

        A conflict that brings more than a few events tells none of them.
        """
        keys = self._store.append_keys(table)
        told = (len(keys), *keys, *arguments(table, batch))
        answer = await self._ask(keys[0], "EVALSHA", self._script.sha, *told)
        if isinstance(answer, Exception) and str(answer).startswith("NOSCRIPT"):  # nothing was done
            answer = await self._ask(keys[0], "EVAL", self._script.script, *told)
        if _checked(answer)[0] == b"archived":
            raise Unanswered(f"{table} is in the archive")
        if answer[0] == b"conflict" and len(answer) > 1 + MOST_MISSED:
            raise Conflict(())
        return span(answer, table, batch.head)

    async def head(self, table: str) -> Head:
        """Version and hash of the table's last event in the store; raises `Unanswered` and `LogDamaged`."""
        key = self._store.append_keys(table)[1]
        return head_told(table, *_checked(await self._ask(key, "HMGET", key, "version", "hash")))

    async def between(self, table: str, known: Head, held: Head) -> tuple[Recorded, ...]:
        """The few events after `known` up to `held`, which the store was found to have; raises what `linked` raises."""
        key = self._store.append_keys(table)[0]
        told = _checked(await self._ask(key, "XRANGE", key, known.version + 1, held.version))
        return linked(table, known, held, tuple(event_of(table, entry, pairs(flat)) for entry, flat in told))

    async def _ask(self, key: str, *command: Any) -> Any:
        """The reply of the server that has the key; it may be an error."""
        name, pool = self._server(key)
        if (wire := self._wires.get(name)) is None or wire.transport is None:
            wire = await self._connected(name, pool)
        reply = await wire.send(*command)
        if isinstance(reply, Exception) and str(reply).startswith("READONLY"):
            wire.end()  # the server is a replica now: its address may lead to the new primary
        return reply

    def _server(self, key: str) -> tuple[str, Any]:
        """The server of the key by name, and redis-py's pool for it; nothing is asked of anybody."""
        client = self._store.client
        if not self._clustered:
            return "", client.connection_pool
        nodes = client.nodes_manager.slots_cache.get(client.keyslot(key))
        if not nodes or nodes[0].redis_connection is None:
            raise Unanswered("no node of the cluster is known to have the key")
        return nodes[0].name, nodes[0].redis_connection.connection_pool

    async def _connected(self, name: str, pool: Any) -> Wire:
        """A connection to the server, made once by all who need it; raises `Unanswered`."""
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
                self._wires[name] = wire  # open and logged in, or closed: nobody sends anything before
            return wire

    def close(self) -> None:
        """Closes the connections."""
        for wire in self._wires.values():
            wire.end()


def _checked(reply: Any) -> Any:
    """A reply that is no error."""
    if isinstance(reply, Exception):
        raise Unanswered(str(reply))
    return reply


async def _open(wire: Wire, pool: Any) -> None:
    """Connects by the arguments of redis-py's own connections, logs in and selects the database."""
    loop, told = asyncio.get_running_loop(), pool.connection_kwargs
    tls = None
    if issubclass(pool.connection_class, redis.SSLConnection):
        secured = SSLConnection(**{name: value for name, value in told.items() if name.startswith("ssl_")})
        tls = secured.ssl_context.get()
    async with asyncio.timeout(told.get("socket_connect_timeout") or PATIENCE_S):
        if "path" in told:
            await loop.create_unix_connection(lambda: wire, told["path"])
        else:
            address = told.get("host", "localhost"), told.get("port", 6379)
            await loop.create_connection(lambda: wire, *address, ssl=tls)
        for reply in [wire.send(*command) for command in _greeting(**told)]:
            _checked(await reply)


def _greeting(username: str = "", password: str = "", db: int = 0, **_: Any) -> Iterator[tuple[Any, ...]]:
    """What is said first: who one is, and which database one wants."""
    if username or password:
        yield ("AUTH", username, password) if username else ("AUTH", password)
    if db:
        yield "SELECT", db
