"""The log on Redis streams: key names, the scripts, and only calls that are safe to repeat.

The client repeats a call by itself when the answer is lost; every write here is a script that answers a repeat with
what the first call did.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import lru_cache
from pathlib import Path
from typing import Any

import msgspec
import redis

from events.archiving.objects import Objects
from events.archiving.segments import SegmentRange, events_at
from events.connections import PATIENT, ClusterClient, Patience, at_once, check_writes, durability, own_connections
from events.log import Batch, Conflict, Diverged, LogDamaged, LogUnreadable, RequestReused, Span, linked, partition_of
from events.recorded import START, Head, Recorded, fields_of, from_fields
from events.scripts import LOCAL, Client, Keys, OnReplica, promised, promising_script, script, waits_for_replica
from events.timers import RedisTimers


def in_succession(head: Head, batches: Iterable[tuple[Recorded, ...]], settled: tuple[str, ...]) -> Iterator[Batch]:
    """Batches that were recorded elsewhere, each behind the one before; the first settles what was due here."""
    for events in batches:
        batch = Batch(head, events, events[0].envelope.request, completed_timers=settled)
        yield batch
        head, settled = batch.leads_to, ()


def arguments(table: str, batch: Batch) -> list[Any]:
    """The arguments of `append.lua` for a batch."""
    told: list[Any] = [table, batch.head.version, batch.head.hash, batch.request or "", batch.fingerprint]
    told += [len(batch.events), len(batch.completed_timers), len(batch.timers), batch.at_ms]
    for event in batch.events:
        fields = fields_of(event)
        told += [fields[b"e"], fields.get(b"s", b""), fields[b"h"]]
    told += batch.completed_timers
    for timer in batch.timers:
        told += [timer.at_ms, timer.member, timer.listener]
    return told


def span(answer: list[Any], table: str, known: Head) -> Span:
    """What it answered: the span of what it added or had added; raises `Conflict`, `RequestReused`, `LogDamaged`."""
    match answer[0].decode():
        case "appended":
            return Span(answer[1], answer[2])
        case "repeated":
            return Span(answer[1], answer[2], repeated=True)
        case "conflict":
            raise missed(table, known, tuple(event_of(table, entry, pairs(flat)) for entry, flat in answer[1:]))
        case "diverged":
            raise Diverged(table, known, Head(answer[1], answer[2]))
        case "reused":
            raise RequestReused
        case other:
            raise LogDamaged(f"{other}: {answer[1:]}")


def missed(table: str, known: Head, events: tuple[Recorded, ...]) -> Conflict:
    """The conflict that brings the events missed; raises `Diverged` and `LogDamaged` as a read does."""
    if not events:
        raise LogDamaged(f"{table} lacks version {known.version + 1}")
    return Conflict(linked(table, known, Head(events[-1].version, events[-1].hash), events))


def event_of(table: str, entry_id: bytes, fields: dict[bytes, bytes]) -> Recorded:
    """An entry of a table's stream; raises `LogDamaged` for one that is no event."""
    try:
        return from_fields(fields)
    except (KeyError, ValueError, msgspec.DecodeError) as error:
        version = entry_id.split(b"-")[0].decode()
        raise LogDamaged(f"{table} version {version} is no event ({type(error).__name__})") from error


def pairs(flat: list[bytes]) -> dict[bytes, bytes]:
    """The fields of an entry, which the store tells one after the other."""
    return dict(zip(flat[::2], flat[1::2], strict=True))


META = "wintercount:meta"
MOST_KEYS = 4096  # tables whose keys a process remembers
ANSWERED = re.compile(rb"([ -~]*):(\d{1,15}):(\d{1,15})")  # what is kept of a request: fingerprint, first, last version
PARTITIONS_KEPT = re.compile(rb"[1-9]\d{0,4}")
IMPORTED = "imported"  # the end of the key that names a partition's tables that were recorded elsewhere

Removal = Sequence[str]  # a command, a key of the partition, and arguments


def connect(url: str, acknowledged_by: str = LOCAL, patience: Patience = PATIENT) -> Client:
    """A client for the URL; `redis+cluster://` and `rediss+cluster://` name any node of a cluster.

    What is written through it for people is acknowledged when it is on the server's own disk, or on a `REPLICA`'s too.
    """
    plain = url.replace("+cluster://", "://", 1)
    clustered = plain != url
    client: Client = (
        ClusterClient.connected(plain) if clustered else redis.Redis.from_pool(own_connections(plain, patience))
    )
    client.acknowledged_by = acknowledged_by
    return client


@contextmanager
def _damage_of(table: str) -> Iterator[None]:
    """Tells an error of the server as what it means for a table: damage, where a key is of another kind."""
    try:
        yield
    except redis.ResponseError as error:
        if not is_of_another_kind(error):
            raise
        raise _of_another_kind(table) from error


def _of_another_kind(table: str) -> LogDamaged:
    return LogDamaged(f"{table} has a key of another kind in the store")


def _place_named(table: str, answer: Any) -> SegmentRange | None:
    """The place that a head names, by the store's answer; raises `LogDamaged`."""
    with _damage_of(table):
        if isinstance(answer, Exception):
            raise answer
    return None if answer is None else SegmentRange.read(answer)


def _place_if_whole(table: str, answer: Any) -> SegmentRange | None:
    with suppress(LogDamaged):
        return _place_named(table, answer)
    return None


def is_of_another_kind(error: redis.ResponseError) -> bool:
    """Whether a key holds another kind of value than was asked for."""
    return "WRONGTYPE" in str(error)


class RedisLog(RedisTimers):
    """The log in a Redis or Valkey server or cluster; closed tables and old parts of the feeds are in an archive.

    `notes` is the directory on this machine for what is made of both and can be made again; without one it is made in
    memory.
    """

    def __init__(
        self, client: Client, partitions: int, archive: Objects | None = None, notes: Path | None = None
    ) -> None:
        super().__init__(client, _partitions(client, partitions), archive)
        self.notes = notes
        self._append = promising_script(client, "events", "append.lua")
        self._promises = waits_for_replica(client)
        self.append_script = script(client, "events", "append.lua")
        self.append_keys = lru_cache(MOST_KEYS)(self._append_keys)
        self._archive_script = script(client, "events.archiving", "archive.lua")

    def partition(self, table: str) -> int:
        """The partition that a table belongs to here."""
        return partition_of(table, self.partitions)

    def table_key(self, table: str, name: str) -> str:
        """The key of something that belongs to a table."""
        return self.partition_key(self.partition(table), f"{table}:{name}")

    def append(self, table: str, batch: Batch) -> Span:
        """Adds the batch, or gives the answer of its first time; raises `Conflict`, `RequestReused`, `LogDamaged`."""
        keys, told = self.append_keys(table), arguments(table, batch)
        script = ("EVALSHA", self.append_script.sha, len(keys), *keys, *told)
        if self._promises or not (answers := at_once(self.client, script)):
            with _damage_of(table):
                answers = [self._append(keys=keys, args=told)]
        (answer,) = answers
        if answer[0] == b"archived":
            raise missed(table, batch.head, self.after(table, batch.head))
        return span(answer, table, batch.head)

    def append_all(self, table: str, batches: Sequence[Batch]) -> None:
        """Adds batches that follow on one another, all at once; a repeat adds nothing. Raises as `append` does.

        One transaction calls the script for each: nobody sees a part of them, and whoever is killed leaves none.
        """
        keys = self.append_keys(table)
        with _damage_of(table), self.client.pipeline(transaction=True) as pipe:
            for batch in batches:
                pipe.execute_command("EVAL", self.append_script.script, len(keys), *keys, *arguments(table, batch))
            answers = pipe.execute()
        if self.head(table) != batches[-1].leads_to:
            for batch, answer in zip(batches, answers, strict=True):
                span(answer, table, batch.head)
        promised(self.client, keys[1], "HGET", keys[1], "hash")

    def _append_keys(self, table: str) -> list[str]:
        """The keys that an append may change: first the table's events and its head."""
        partition = self.partition(table)
        keys = [self.table_key(table, name) for name in ("events", "head", "requests")]
        return keys + [
            self.partition_key(partition, name) for name in ("feed", "timers", "attempts", "wake", "listeners")
        ]

    def head(self, table: str) -> Head:
        """Version and hash of the last event; version 0 for a table that is not there. Raises `LogDamaged`."""
        return head_told(table, *self.client.hmget(self.table_key(table, "head"), "version", "hash"))

    def read(self, table: str, first: int = 1, last: int | None = None) -> tuple[Recorded, ...]:
        """The events from version `first` to `last` (to the newest without it); raises `LogDamaged`."""
        end = "+" if last is None else last
        entries = self.client.xrange(self.table_key(table, "events"), first, end)
        if not entries and (place := self._place(table)):
            return self.archived(table, place)[first - 1 : last]
        return tuple(event_of(table, entry_id, fields) for entry_id, fields in entries)

    def after(self, table: str, known: Head) -> tuple[Recorded, ...]:
        """The events after `known`, each linked to the one before; raises `Diverged` and `LogDamaged`."""
        events, head, *_ = self.append_keys(table)
        asked = ("HMGET", head, "version", "hash"), ("XRANGE", events, f"{known.version + 1}", "+")
        told = at_once(self.client, *asked)
        if told is None:
            found = self.after_each({table: known})[table]
        elif told == [[b"%d" % known.version, known.hash], []]:
            return ()
        else:
            found = self._linked(table, known, told[0], [(name, pairs(flat)) for name, flat in told[1]])
        if isinstance(found, LogUnreadable):
            raise found
        return found

    def after_each(self, known: Mapping[str, Head]) -> dict[str, tuple[Recorded, ...] | LogUnreadable]:
        """As `after`, of many tables in one trip: of each its events, or what `after` would raise.

        The head comes in the same trip, before the events: what is known is compared with the store on each call, and
        what is written meanwhile comes after the head. A script would take the server eight times as long.

        On a cluster, redis-py asks once more for what it asked the wrong node: for the head after the events, where
        the key of the one has moved and that of the others not yet. So what looks damaged is looked at again.
        """
        found = self._after_each(known)
        damaged = {table: known[table] for table, one in found.items() if isinstance(one, LogDamaged)}
        return found | self._after_each(damaged) if damaged and self._clustered else found

    def _after_each(self, known: Mapping[str, Head]) -> dict[str, tuple[Recorded, ...] | LogUnreadable]:
        with self.client.pipeline(transaction=False) as pipe:
            for table, head in known.items():
                pipe.hmget(self.table_key(table, "head"), "version", "hash")
                pipe.xrange(self.table_key(table, "events"), head.version + 1, "+")
            try:
                answers = iter(pipe.execute())
            except redis.ResponseError as error:
                if not is_of_another_kind(error):
                    raise
                return self._one_by_one(known)
        return {table: self._linked(table, head, next(answers), next(answers)) for table, head in known.items()}

    def _one_by_one(self, known: Mapping[str, Head]) -> dict[str, tuple[Recorded, ...] | LogUnreadable]:
        """What is behind each head where a key of some table is of another kind, damage of that table alone."""
        if len(known) == 1:
            return {table: _of_another_kind(table) for table in known}
        return {table: self._after_each({table: head})[table] for table, head in known.items()}

    def _linked(
        self, table: str, known: Head, head: Sequence[bytes | None], entries: Sequence[Any]
    ) -> tuple[Recorded, ...] | LogUnreadable:
        """The events after `known`, from what the store answered; or what is wrong with them."""
        try:
            held, events = head_told(table, *head), tuple(event_of(table, *entry) for entry in entries)
            if held.version > known.version and not events and (place := self._place(table)):
                events = self.archived(table, place)[known.version :]
            return self._headed(table, held, linked(table, known, held, events))
        except LogUnreadable as damage:
            return damage

    def _headed(self, table: str, held: Head, events: tuple[Recorded, ...]) -> tuple[Recorded, ...]:
        """The events, if the head that was read before them is behind none; raises `LogDamaged`.

        It is behind those that were written meanwhile, and has moved on with them by now.
        """
        if events and events[-1].version > held.version and self.head(table).version < events[-1].version:
            raise LogDamaged(f"{table} has version {events[-1].version}, and a head that tells of {held.version}")
        return events

    def places(self, tables: Sequence[str]) -> list[SegmentRange | None]:
        """Where each table is in the archive; None for tables in the store, and for one whose head is no head.

        That one is damaged, which whoever reads it is told; it keeps nobody from the others.
        """
        return [_place_if_whole(*both) for both in zip(tables, self._places_told(tables), strict=True)]

    def _place(self, table: str) -> SegmentRange | None:
        """Where a table is in the archive; raises `LogDamaged`."""
        return _place_named(table, *self._places_told([table]))

    def _places_told(self, tables: Sequence[str]) -> list[Any]:
        """What the store answers to where tables are, errors included."""
        with self.client.pipeline(transaction=False) as pipe:
            for table in tables:
                pipe.hget(self.table_key(table, "head"), "place")
            return list(pipe.execute(raise_on_error=False))

    def archived(self, table: str, place: SegmentRange) -> tuple[Recorded, ...]:
        """The events of an archived table; raises `LogDamaged` and `ArchiveUnavailable`."""
        return events_at(self.archive, table, place)

    def move_to_archive(
        self, table: str, head: Head, place: SegmentRange, answer_ms: int, removed: Sequence[Removal]
    ) -> bool:
        """Replaces the events of an archived table with its place, and removes rows of its partition.

        Repeats of its requests are answered for another `answer_ms`. False if the table has another place or head.
        """
        keys = Keys([self.table_key(table, name) for name in ("events", "head", "requests")])
        told = [[command, keys.number(key), *arguments] for command, key, *arguments in removed]
        arguments: list[Any] = [head.version, head.hash, place.kept, answer_ms, msgspec.json.encode(told)]
        return bool(self._archive_script(keys=keys.names, args=arguments) == 1)

    def answered(self, table: str, request: str) -> tuple[str, Span] | None:
        """Fingerprint and span of a request that was answered before; raises `LogDamaged`."""
        key = self.table_key(table, "requests")
        known = self.client.hget(key, request)
        if known is None:
            return None
        if waits_for_replica(self.client):
            known = OnReplica(self.client).answer(key, "HGET", key, request)
        if not (found := ANSWERED.fullmatch(known)):
            raise LogDamaged(f"{table}: the answer that is kept of a request cannot be read")
        return found[1].decode(), Span(int(found[2]), int(found[3]), repeated=True)

    def note_imported(self, table: str) -> None:
        """Notes that what is written to a table was recorded elsewhere; acknowledged with what is written next."""
        self.client.hset(self.partition_key(self.partition(table), IMPORTED), table, 1)

    def is_imported(self, table: str) -> bool:
        """Whether that was noted."""
        return bool(self.client.hexists(self.partition_key(self.partition(table), IMPORTED), table))

    def durability(self) -> str:
        """What the store does before it acknowledges: `fsync`, `fsync every second`, `none` or `unknown`."""
        return durability(self.client)

    def ping(self) -> dict[str, Any]:
        """The kind of store; raises if one of its servers refuses writes, tested with some that change nothing."""
        self.client.hsetnx(META, "partitions", self.partitions)
        if self._clustered:
            check_writes(self.client, (self.partition_key(partition, "ping") for partition in range(self.partitions)))
        return {"partitions": self.partitions, "cluster": self._clustered}


def _partitions(client: Client, wanted: int) -> int:
    """How many a store has; as many as are wanted if nothing has been written there yet. Raises `LogDamaged`."""
    if (kept := client.hget(META, "partitions")) is None:
        client.hsetnx(META, "partitions", wanted)
        kept = client.hget(META, "partitions")
    if not PARTITIONS_KEPT.fullmatch(kept):
        told = f"HSET {META} partitions N, where N - 1 is the highest number in its keys {{pNN}}:feed"
        raise LogDamaged(f"the store names {kept!r} as its number of partitions; set it right: {told}")
    return int(kept)


def head_told(table: str, version: bytes | None, last_hash: bytes | None) -> Head:
    """The head by what the store keeps of it; `START` if that is nothing. Raises `LogDamaged`."""
    if version and not version.isdigit():
        raise LogDamaged(f"{table} has a head that tells no version")
    return Head(int(version), last_hash) if version and last_hash else START
