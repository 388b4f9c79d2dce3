"""The log on Redis streams: key names, the two scripts, and only calls that are safe to repeat.

The client repeats a call by itself when the answer is lost; every write here is a script that answers a repeat with
what the first call did.
"""

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any

import msgspec
import redis
from redis.commands.core import Script

from events.acknowledging import OnReplica, ScriptOnReplica
from events.cluster_feeds import ClusterFeeds
from events.clusters import ClusterClient
from events.connections import own_connections
from events.log import (
    Batch,
    Conflict,
    Diverged,
    Due,
    LogDamaged,
    Pointer,
    RequestReused,
    Span,
    linked,
    partition_of,
)
from events.recorded import START, Head, Recorded, fields_of, from_fields

META = "wintercount:meta"
LOCAL, REPLICA = "local", "replica"  # who has a write on disk before it is acknowledged

Client = Any  # redis.Redis and redis.RedisCluster share commands but no type


def connect(url: str, acknowledged_by: str = LOCAL) -> Client:
    """A client for the URL; `redis+cluster://` and `rediss+cluster://` name any node of a cluster.

    What is written through it for people is acknowledged when it is on the server's own disk, or on a `REPLICA`'s too.
    """
    plain = url.replace("+cluster://", "://", 1)
    clustered = plain != url
    client: Client = ClusterClient.connected(plain) if clustered else redis.Redis.from_pool(own_connections(plain))
    client.acknowledged_by = acknowledged_by
    return client


class RedisLog:
    """The log in a Redis or Valkey server or cluster."""

    def __init__(self, client: Client, partitions: int) -> None:
        self.client, self.partitions = client, _partitions(client, partitions)
        self._clustered = isinstance(client, redis.RedisCluster)
        self._own = threading.local()  # of each thread that follows the feeds of a cluster
        self._append = promising_script(client, "events", "append.lua")
        self._lease = script(client, "events", "lease.lua")

    def _tag(self, partition: int) -> str:
        return f"{{p{partition:02d}}}"

    def partition(self, table: str) -> int:
        """The partition that a table belongs to here."""
        return partition_of(table, self.partitions)

    def table_key(self, table: str, name: str) -> str:
        """The key of something that belongs to a table."""
        return f"{self._tag(self.partition(table))}:{table}:{name}"

    def partition_key(self, partition: int, name: str) -> str:
        """The key of something that belongs to a partition as a whole."""
        return f"{self._tag(partition)}:{name}"

    def append(self, table: str, batch: Batch) -> Span:
        """Adds the batch, or gives the answer of its first time; raises `Conflict`, `RequestReused`, `LogDamaged`."""
        partition = self.partition(table)
        keys = [self.table_key(table, name) for name in ("events", "head", "requests")]
        keys += [self.partition_key(partition, name) for name in ("feed", "due", "attempts")]
        return _span(self._append(keys=keys, args=_arguments(table, batch)), table, batch.head)

    def head(self, table: str) -> Head:
        """Version and hash of the last event; version 0 for a table that is not there."""
        return _head(*self.client.hmget(self.table_key(table, "head"), "version", "hash"))

    def read(self, table: str, first: int = 1, last: int | None = None) -> tuple[Recorded, ...]:
        """The events from version `first` to `last` (to the newest without it); raises `LogDamaged`."""
        end = "+" if last is None else last
        entries = self.client.xrange(self.table_key(table, "events"), first, end)
        return tuple(_event(table, entry_id, fields) for entry_id, fields in entries)

    def behind(self, table: str, known: Head) -> tuple[Recorded, ...]:
        """The events behind `known`, each linked to the one before; raises `Diverged` and `LogDamaged`.

        The head comes in the same trip, before the events: what is known is compared with the store on each call, and
        what is written meanwhile lies behind the head. A script would take the server eight times as long.
        """
        with self.client.pipeline(transaction=False) as pipe:
            pipe.hmget(self.table_key(table, "head"), "version", "hash")
            pipe.xrange(self.table_key(table, "events"), known.version + 1, "+")
            head, entries = pipe.execute()
        return linked(table, known, _head(*head), tuple(_event(table, *entry) for entry in entries))

    def answered(self, table: str, request: str) -> tuple[str, Span] | None:
        """Fingerprint and span of a request that was answered before."""
        key = self.table_key(table, "requests")
        known = self.client.hget(key, request)
        if known is None:
            return None
        if _waits_for_replica(self.client):
            known = OnReplica(self.client).answer(key, "HGET", key, request)
        fingerprint, first, last = known.decode().rsplit(":", 2)
        return fingerprint, Span(int(first), int(last), repeated=True)

    def feed(self, partition: int, after: int, count: int = 1000) -> Sequence[Pointer]:
        """The pointers behind position `after`."""
        entries = self.client.xrange(self.partition_key(partition, "feed"), after + 1, "+", count)
        return [_pointer(entry_id, fields) for entry_id, fields in entries]

    def follow(self, after: dict[int, int], wait_s: float) -> Iterator[tuple[int, Pointer]]:
        """What the feeds tell behind the positions `after`, waiting up to `wait_s` for the first of it."""
        return self._hear(after, wait_s) if self._clustered else self._wait(after, wait_s)

    def _wait(self, after: dict[int, int], wait_s: float) -> Iterator[tuple[int, Pointer]]:
        names = {self.partition_key(partition, "feed"): partition for partition in after}
        streams = {name: f"{after[partition]}-0" for name, partition in names.items()}
        for name, entries in self.client.xread(streams, count=1000, block=max(1, int(wait_s * 1000))) or ():
            for entry_id, fields in entries:
                yield names[name.decode()], _pointer(entry_id, fields)

    def _hear(self, after: dict[int, int], wait_s: float) -> Iterator[tuple[int, Pointer]]:
        if not hasattr(self._own, "feeds"):
            keys = {partition: self.partition_key(partition, "feed") for partition in range(self.partitions)}
            self._own.feeds = ClusterFeeds(self.client, keys)
        for partition, entry in self._own.feeds.behind(after, wait_s):
            yield partition, _pointer(*entry)

    def feed_ends(self) -> dict[int, int]:
        """The position of the last pointer of each partition's feed."""
        with self.client.pipeline(transaction=False) as pipe:
            for partition in range(self.partitions):
                pipe.xrevrange(self.partition_key(partition, "feed"), "+", "-", 1)
            found = enumerate(pipe.execute())
        return {partition: _position(newest[0][0]) if newest else 0 for partition, newest in found}

    def pointers(self, positions: Mapping[int, int]) -> dict[int, Pointer]:
        """The pointers at these positions of the partitions, as far as there are any."""
        with self.client.pipeline(transaction=False) as pipe:
            for partition, position in positions.items():
                pipe.xrange(self.partition_key(partition, "feed"), position, position)
            found = zip(positions, pipe.execute(), strict=True)
        return {partition: _pointer(*entries[0]) for partition, entries in found if entries}

    def partitions_due(self, now_ms: int) -> list[int]:
        """The partitions in which something is due."""
        with self.client.pipeline(transaction=False) as pipe:
            for partition in range(self.partitions):
                pipe.zrange(self.partition_key(partition, "due"), "-inf", now_ms, byscore=True, offset=0, num=1)
            return [partition for partition, first in enumerate(pipe.execute()) if first]

    def lease(self, partition: int, now_ms: int, lease_ms: int, most: int) -> list[tuple[str, int]]:
        """Takes up to `most` entries that are due, each with the number of this attempt."""
        keys = [self.partition_key(partition, name) for name in ("due", "attempts")]
        found = self._lease(keys=keys, args=[now_ms, lease_ms, 12 * lease_ms, most])
        return [(found[i].decode(), int(found[i + 1])) for i in range(0, len(found), 2)]

    def settle(self, table: str, member: str) -> None:
        """Removes an entry that turned out to be settled already."""
        partition = self.partition(table)
        self.client.zrem(self.partition_key(partition, "due"), member)
        self.client.hdel(self.partition_key(partition, "attempts"), member)

    def hasten(self, due: Due) -> None:
        """Lets an entry be due earlier than it is; one that is not there, or is due before, stays so."""
        partition = self.partition(due.member.partition("|")[0])
        self.client.zadd(self.partition_key(partition, "due"), {due.member: due.at_ms}, xx=True, lt=True)

    def due(self, partition: int) -> list[Due]:
        """All entries of a partition, the earliest first."""
        entries = self.client.zrange(self.partition_key(partition, "due"), 0, -1, withscores=True)
        return [Due(member.decode(), int(score)) for member, score in entries]

    def durability(self) -> str:
        """The server's durability before it acknowledges: `fsync`, `fsync every second`, `none` or `unknown`."""
        try:
            found = self.client.config_get("append*", **self._anywhere())
        except redis.ResponseError:  # managed servers keep their configuration to themselves
            return "unknown"
        if found.get("appendonly", b"no") in ("no", b"no"):
            return "none"
        return {"always": "fsync", "everysec": "fsync every second"}.get(str(found.get("appendfsync")), "none")

    def _anywhere(self) -> dict[str, Any]:
        return {"target_nodes": redis.RedisCluster.RANDOM} if self._clustered else {}

    def ping(self) -> dict[str, Any]:
        """The kind of server; raises if it refuses writes, which it tests with one that changes nothing."""
        self.client.hsetnx(META, "partitions", self.partitions)
        return {"partitions": self.partitions, "cluster": self._clustered}


def _event(table: str, entry_id: bytes, fields: dict[bytes, bytes]) -> Recorded:
    try:
        return from_fields(fields)
    except (KeyError, ValueError, msgspec.DecodeError) as error:
        version = entry_id.split(b"-")[0].decode()
        raise LogDamaged(f"{table} version {version} is no event ({type(error).__name__})") from error


def _partitions(client: Client, wanted: int) -> int:
    """How many a store has; as many as are wanted if nothing has been written there yet."""
    if (kept := client.hget(META, "partitions")) is None:
        client.hsetnx(META, "partitions", wanted)
        kept = client.hget(META, "partitions")
    return int(kept)


def script(client: Client, package: str, name: str) -> Script:
    """A script that lies beside the modules of a package; the text of a script is read once."""
    found: Script = client.register_script(_text(package, name))
    return found


def promising_script(client: Client, package: str, name: str) -> Callable[..., Any]:
    """A script whose answer is a promise to people: it holds where the client's writes are acknowledged."""
    found = script(client, package, name)
    return ScriptOnReplica(found, client) if _waits_for_replica(client) else found


def _waits_for_replica(client: Client) -> bool:
    return getattr(client, "acknowledged_by", LOCAL) == REPLICA


@cache
def _text(package: str, name: str) -> str:
    return files(package).joinpath(name).read_text()


def _arguments(table: str, batch: Batch) -> list[Any]:
    arguments: list[Any] = [table, batch.head.version, batch.head.hash, batch.request or "", batch.fingerprint]
    arguments += [len(batch.events), len(batch.completed_timers), len(batch.due)]
    for event in batch.events:
        fields = fields_of(event)
        arguments += [fields[b"e"], fields.get(b"s", b""), fields[b"h"]]
    arguments += batch.completed_timers
    for due in batch.due:
        arguments += [due.at_ms, due.member]
    return arguments


def _head(version: bytes | None, last_hash: bytes | None) -> Head:
    return Head(int(version), last_hash) if version and last_hash else START


def _missed(table: str, known: Head, events: tuple[Recorded, ...]) -> Conflict:
    """The conflict that brings the events missed; raises `Diverged` and `LogDamaged` as a read does."""
    if not events:
        raise LogDamaged(f"{table} lacks version {known.version + 1}")
    return Conflict(linked(table, known, Head(events[-1].version, events[-1].hash), events))


def _span(answer: list[Any], table: str, known: Head) -> Span:
    match answer[0].decode():
        case "appended":
            return Span(answer[1], answer[2])
        case "repeated":
            return Span(answer[1], answer[2], repeated=True)
        case "conflict":
            raise _missed(table, known, tuple(_event(table, entry, _pairs(flat)) for entry, flat in answer[1:]))
        case "diverged":
            raise Diverged(table, known, Head(answer[1], answer[2]))
        case "reused":
            raise RequestReused
        case other:
            raise LogDamaged(f"{other}: {answer[1:]}")


def _pairs(flat: list[bytes]) -> dict[bytes, bytes]:
    return dict(zip(flat[::2], flat[1::2], strict=True))


def _position(entry_id: bytes) -> int:
    return int(entry_id.split(b"-")[0])


def _pointer(entry_id: bytes, fields: dict[bytes, bytes]) -> Pointer:
    first, last = int(fields[b"f"]), int(fields[b"l"])
    return Pointer(_position(entry_id), fields[b"t"].decode(), first, last, fields.get(b"h", b""))
