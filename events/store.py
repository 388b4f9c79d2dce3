"""The log on Redis streams: key names, scripts, and calls that are safe to repeat.

redis-py repeats a call when the reply is lost. So every write to the log is a script, and a repeat gets the answer of
the first call.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import lru_cache
from itertools import chain
from pathlib import Path
from typing import Any

import msgspec
import redis

from events.archiving.objects import Objects
from events.archiving.segments import SegmentRange, read_events
from events.connections import (
    PATIENT,
    ClusterClient,
    Patience,
    check_writes,
    durability,
    fields_from_pairs,
    read_together,
    send_together,
    thread_connections,
)
from events.envelopes import START, Head, Recorded, event_from_fields, fields_from_event
from events.log import (
    Batch,
    Conflict,
    Diverged,
    LogDamaged,
    LogUnreadable,
    RequestReused,
    VersionRange,
    check_links,
    partition_of,
)
from events.scripts import (
    LOCAL,
    Client,
    Keys,
    ReplicatedStore,
    acknowledged_answer,
    acknowledged_script,
    script,
    waits_for_replica,
)
from events.timer_store import RedisTimers


def chained_batches(head: Head, batches: Iterable[tuple[Recorded, ...]], settled: tuple[str, ...]) -> Iterator[Batch]:
    """Yields batches recorded elsewhere, each after the previous one; the first completes the `settled` timers."""
    for events in batches:
        batch = Batch(head, events, events[0].envelope.request, completed_timers=settled)
        yield batch
        head, settled = batch.leads_to, ()


def append_arguments(table: str, batch: Batch) -> list[Any]:
    """Returns the arguments of `append.lua` for a batch."""
    arguments: list[Any] = [table, batch.head.version, batch.head.hash, batch.request or "", batch.fingerprint]
    arguments += [len(batch.events), len(batch.completed_timers), len(batch.timers), batch.at_ms]
    for event in batch.events:
        fields = fields_from_event(event)
        arguments += [fields[b"e"], fields.get(b"s", b""), fields[b"h"]]
    arguments += batch.completed_timers
    for timer in batch.timers:
        arguments += [timer.at_ms, timer.member, timer.listener]
    return arguments


def version_range_from(answer: list[Any], table: str, known: Head) -> VersionRange:
    """Interprets the script's answer: returns the versions appended, now or before, or raises as `append` does."""
    match answer[0].decode():
        case "appended":
            return VersionRange(answer[1], answer[2])
        case "repeated":
            return VersionRange(answer[1], answer[2], repeated=True)
        case "conflict":
            raise conflict_with(
                table,
                known,
                tuple(event_from_entry(table, entry, fields_from_pairs(flat)) for entry, flat in answer[1:]),
            )
        case "diverged":
            raise Diverged(table, known, Head(answer[1], answer[2]))
        case "reused":
            raise RequestReused
        case other:
            raise LogDamaged(f"{other}: {answer[1:]}")


def conflict_with(table: str, known: Head, events: tuple[Recorded, ...]) -> Conflict:
    """Returns the conflict with the missed events; raises `Diverged` and `LogDamaged` as a read does."""
    if not events:
        raise LogDamaged(f"{table} lacks version {known.version + 1}")
    return Conflict(check_links(table, known, Head(events[-1].version, events[-1].hash), events))


def event_from_entry(table: str, entry_id: bytes, fields: dict[bytes, bytes]) -> Recorded:
    """Parses an entry of a table's stream; raises `LogDamaged`."""
    try:
        return event_from_fields(fields)
    except (KeyError, ValueError, msgspec.DecodeError) as error:
        version = entry_id.split(b"-")[0].decode()
        raise LogDamaged(f"{table} version {version} is not a valid event ({type(error).__name__})") from error


META = "wintercount:meta"
MOST_KEYS = 4096  # tables whose keys a process caches
ANSWERED = re.compile(rb"([ -~]*):(\d{1,15}):(\d{1,15})")  # fingerprint, first and last version of a request
PARTITIONS_KEPT = re.compile(rb"[1-9]\d{0,4}")
IMPORTED = "imported"  # the end of the key that lists a partition's imported tables

Removal = Sequence[str]  # a command, a key of the partition, and arguments


def connect(url: str, acknowledged_by: str = LOCAL, patience: Patience = PATIENT) -> Client:
    """Returns a client for the URL; `redis+cluster://` and `rediss+cluster://` name any node of a cluster.

    Acknowledged writes are on the server's own disk and, if acknowledged by a `REPLICA`, on a replica's disk too.
    """
    plain = url.replace("+cluster://", "://", 1)
    clustered = plain != url
    client: Client = (
        ClusterClient.connected(plain) if clustered else redis.Redis.from_pool(thread_connections(plain, patience))
    )
    client.acknowledged_by = acknowledged_by
    return client


@contextmanager
def _raising_damage(table: str) -> Iterator[None]:
    """Raises `LogDamaged` if the server reports that a key of the table has the wrong type."""
    try:
        yield
    except redis.ResponseError as error:
        if not is_wrong_type(error):
            raise
        raise LogDamaged(f"{table} has a key of the wrong type in the store") from error


def _value(table: str, answer: Any) -> Any:
    """Returns an answer from a pipeline, which may be an error; raises `LogDamaged` and the server's other errors."""
    with _raising_damage(table):
        if isinstance(answer, Exception):
            raise answer
    return answer


def is_wrong_type(error: redis.ResponseError) -> bool:
    """Returns whether the server reports that a key has the wrong type for a command."""
    return "WRONGTYPE" in str(error)


class RedisLog(RedisTimers):
    """The log in a Redis or Valkey server or cluster; closed tables and old parts of the feeds are in an archive.

    `notes` is a local directory for files derived from both, which can be rebuilt; without it they are in memory.
    """

    def __init__(
        self, client: Client, partitions: int, archive: Objects | None = None, notes: Path | None = None
    ) -> None:
        super().__init__(client, _partitions(client, partitions), archive)
        self.notes = notes
        self._append = acknowledged_script(client, "events", "append.lua")
        self._waits_for_replica = waits_for_replica(client)
        self.append_script = script(client, "events", "append.lua")
        self.append_keys = lru_cache(MOST_KEYS)(self._append_keys)
        self._archive_script = script(client, "events.archiving", "archive.lua")

    def partition(self, table: str) -> int:
        """Returns the partition of a table in this store."""
        return partition_of(table, self.partitions)

    def table_key(self, table: str, name: str) -> str:
        """Returns the key of something that belongs to a table."""
        return self.partition_key(self.partition(table), f"{table}:{name}")

    def append(self, table: str, batch: Batch) -> VersionRange:
        """Appends the batch, or returns the answer of its first time.

        Raises `Conflict`, `RequestReused` and `LogDamaged`.
        """
        keys, arguments = self.append_keys(table), append_arguments(table, batch)
        script = ("EVALSHA", self.append_script.sha, len(keys), *keys, *arguments)
        if self._waits_for_replica or not (answers := send_together(self.client, script)):
            with _raising_damage(table):
                answers = [self._append(keys=keys, args=arguments)]
        (answer,) = answers
        if answer[0] == b"archived":
            raise conflict_with(table, batch.head, self.after(table, batch.head))
        return version_range_from(answer, table, batch.head)

    def append_all(self, table: str, batches: Sequence[Batch]) -> None:
        """Appends consecutive batches in one transaction, all or none; a repeat adds nothing. Raises as `append`."""
        keys = self.append_keys(table)
        with _raising_damage(table), self.client.pipeline(transaction=True) as pipe:
            for batch in batches:
                pipe.execute_command(
                    "EVAL", self.append_script.script, len(keys), *keys, *append_arguments(table, batch)
                )
            answers = pipe.execute()
        if self.head(table) != batches[-1].leads_to:
            for batch, answer in zip(batches, answers, strict=True):
                version_range_from(answer, table, batch.head)
        acknowledged_answer(self.client, keys[1], "HGET", keys[1], "hash")

    def _append_keys(self, table: str) -> list[str]:
        """Returns the keys that an append may change; the table's events and head come first."""
        partition = self.partition(table)
        keys = [self.table_key(table, name) for name in ("events", "head", "requests")]
        return keys + [
            self.partition_key(partition, name) for name in ("feed", "timers", "attempts", "wake", "listeners")
        ]

    def head(self, table: str) -> Head:
        """Returns version and hash of the last event, `START` for an unknown table; raises `LogDamaged`."""
        return head_from(table, *self.client.hmget(self.table_key(table, "head"), "version", "hash"))

    def read(self, table: str, first: int = 1, last: int | None = None) -> tuple[Recorded, ...]:
        """Returns the events from version `first` to `last` (default: the newest); raises `LogDamaged`."""
        end = "+" if last is None else last
        entries = self.client.xrange(self.table_key(table, "events"), first, end)
        if not entries and (place := self._place(table)):
            return self.archived(table, place)[first - 1 : last]
        return tuple(event_from_entry(table, entry_id, fields) for entry_id, fields in entries)

    def after(self, table: str, known: Head) -> tuple[Recorded, ...]:
        """Returns the events after `known`, each linked to the previous one; raises `Diverged` and `LogDamaged`."""
        answers = read_together(self.client, self._commands_after(table, known))
        if answers == [[b"%d" % known.version, known.hash], []]:
            return ()
        found = self._linked(table, known, *answers)
        if isinstance(found, LogDamaged) and self._clustered:
            found = self._after_each({table: known})[table]
        if isinstance(found, LogUnreadable):
            raise found
        return found

    def after_each(self, known: Mapping[str, Head]) -> dict[str, tuple[Recorded, ...] | LogUnreadable]:
        """Returns for each table its events after a head, or what `after` would raise, in one round trip.

        Each head is read before the events, in the same trip, so events written in between are newer than the head.
        A script would cost the server eight times as much.

        On a cluster, redis-py repeats single commands that reached the wrong node. While a slot moves, it can so read
        the head after the events; so tables that look damaged are read again.
        """
        found = self._after_each(known)
        damaged = {table: known[table] for table, one in found.items() if isinstance(one, LogDamaged)}
        return found | self._after_each(damaged) if damaged and self._clustered else found

    def _after_each(self, known: Mapping[str, Head]) -> dict[str, tuple[Recorded, ...] | LogUnreadable]:
        commands = (self._commands_after(table, head) for table, head in known.items())
        answers = iter(read_together(self.client, chain.from_iterable(commands)))
        return {table: self._linked(table, head, next(answers), next(answers)) for table, head in known.items()}

    def _commands_after(self, table: str, known: Head) -> tuple[tuple[Any, ...], ...]:
        """Returns the commands that read the head of a table and the events after a known one."""
        events, head, *_ = self.append_keys(table)
        return ("HMGET", head, "version", "hash"), ("XRANGE", events, f"{known.version + 1}", "+")

    def _linked(self, table: str, known: Head, head: Any, entries: Any) -> tuple[Recorded, ...] | LogUnreadable:
        """Returns the events after `known`, given the store's answers; or the error that `after` raises."""
        try:
            held = head_from(table, *_value(table, head))
            events = tuple(event_from_entry(table, *entry) for entry in _value(table, entries))
            if held.version > known.version and not events and (place := self._place(table)):
                events = self.archived(table, place)[known.version :]
            events = check_links(table, known, held, events)
            # Events after the head were written since it was read; by now it must have moved on.
            if events and events[-1].version > held.version and self.head(table).version < events[-1].version:
                raise LogDamaged(f"{table} has version {events[-1].version}, but its head says {held.version}")
        except LogUnreadable as damage:
            return damage
        return events

    def places(self, tables: Sequence[str]) -> list[SegmentRange | None]:
        """Returns each table's place in the archive; None for tables in the store, and for damaged heads."""
        with self.client.pipeline(transaction=False) as pipe:
            for table in tables:
                pipe.hget(self.table_key(table, "head"), "place")
            answers = pipe.execute(raise_on_error=False)
        found: list[SegmentRange | None] = [None] * len(tables)
        for number, (table, answer) in enumerate(zip(tables, answers, strict=True)):
            with suppress(LogDamaged):
                found[number] = None if _value(table, answer) is None else SegmentRange.read(answer)
        return found

    def _place(self, table: str) -> SegmentRange | None:
        """Returns a table's place in the archive; raises `LogDamaged`."""
        with _raising_damage(table):
            place = self.client.hget(self.table_key(table, "head"), "place")
        return None if place is None else SegmentRange.read(place)

    def archived(self, table: str, place: SegmentRange) -> tuple[Recorded, ...]:
        """Returns the events of an archived table; raises `LogDamaged` and `ArchiveUnavailable`."""
        return read_events(self.archive, table, place)

    def move_to_archive(
        self, table: str, head: Head, place: SegmentRange, answer_ms: int, removed: Sequence[Removal]
    ) -> bool:
        """Replaces the events of an archived table with its place, and removes rows of its partition.

        Repeated requests are answered for another `answer_ms`. Returns False if the table has another place or head.
        """
        keys = Keys([self.table_key(table, name) for name in ("events", "head", "requests")])
        operations = [[command, keys.number(key), *rest] for command, key, *rest in removed]
        arguments: list[Any] = [head.version, head.hash, place.kept, answer_ms, msgspec.json.encode(operations)]
        return bool(self._archive_script(keys=keys.names, args=arguments) == 1)

    def find_answer(self, table: str, request: str) -> tuple[str, VersionRange] | None:
        """Returns fingerprint and versions of a request that was answered before; raises `LogDamaged`."""
        key = self.table_key(table, "requests")
        known = self.client.hget(key, request)
        if known is None:
            return None
        if waits_for_replica(self.client):
            known = ReplicatedStore(self.client).answer(key, "HGET", key, request)
        if not (found := ANSWERED.fullmatch(known)):
            raise LogDamaged(f"{table}: the stored answer to a request is unreadable")
        return found[1].decode(), VersionRange(int(found[2]), int(found[3]), repeated=True)

    def note_imported(self, table: str) -> None:
        """Marks a table as recorded elsewhere; acknowledged together with the next append."""
        self.client.hset(self.partition_key(self.partition(table), IMPORTED), table, 1)

    def is_imported(self, table: str) -> bool:
        """Returns whether a table is marked as recorded elsewhere."""
        return bool(self.client.hexists(self.partition_key(self.partition(table), IMPORTED), table))

    def durability(self) -> str:
        """Returns what the store does before it acknowledges: `fsync`, `fsync every second`, `none` or `unknown`."""
        return durability(self.client)

    def ping(self) -> dict[str, Any]:
        """Returns facts about the store; raises if a server refuses writes, tested without changing anything."""
        self.client.hsetnx(META, "partitions", self.partitions)
        if self._clustered:
            check_writes(self.client, (self.partition_key(partition, "ping") for partition in range(self.partitions)))
        return {"partitions": self.partitions, "cluster": self._clustered}


def _partitions(client: Client, wanted: int) -> int:
    """Returns the store's number of partitions, which `wanted` sets in an empty store; raises `LogDamaged`."""
    if (kept := client.hget(META, "partitions")) is None:
        client.hsetnx(META, "partitions", wanted)
        kept = client.hget(META, "partitions")
    if not PARTITIONS_KEPT.fullmatch(kept):
        remedy = f"HSET {META} partitions N, where N - 1 is the highest number in its keys {{pNN}}:feed"
        raise LogDamaged(f"the store has {kept!r} as its number of partitions; set it right: {remedy}")
    return int(kept)


def head_from(table: str, version: bytes | None, last_hash: bytes | None) -> Head:
    """Returns the head from its stored fields, `START` if they are missing; raises `LogDamaged`."""
    if version and not version.isdigit():
        raise LogDamaged(f"{table} has a head without a valid version")
    return Head(int(version), last_hash) if version and last_hash else START
