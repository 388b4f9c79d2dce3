"""What may happen to a table in its store, and to a store: entries lost or altered, an older copy put in its place."""

from collections.abc import Callable, Mapping

from events.scripts import Client
from events.store import RedisLog

Fields = dict[bytes, bytes]
Change = Callable[[Fields], Fields | None]  # what becomes of an entry; None: it is lost


def damage(log: RedisLog, table: str, version: int, change: Change) -> None:
    """Writes the stream of a table anew, one entry changed."""
    _write_anew(log.client, log.table_key(table, "events"), version, change)


def damage_feed(log: RedisLog, partition: int, position: int, change: Change) -> None:
    """Writes a feed anew, one entry changed."""
    _write_anew(log.client, log.partition_key(partition, "feed"), position, change)


def _write_anew(client: Client, key: str, number: int, change: Change) -> None:
    """A stream with the entry of that number changed; the others are as they were."""
    entries = client.xrange(key)
    client.delete(key)
    for entry_id, fields in entries:
        kept = change(fields) if entry_id == b"%d-0" % number else fields
        if kept is not None:
            client.xadd(key, kept, entry_id)


def lost(_: Fields) -> None:
    """The entry is gone."""


def torn(fields: Fields) -> Fields:
    """Half of the envelope is gone."""
    return fields | {b"e": fields[b"e"][: len(fields[b"e"]) // 2]}


def unsealed(fields: Fields) -> Fields:
    """The secrets of the event are gone."""
    return {name: value for name, value in fields.items() if name != b"s"}


def renamed(fields: Fields) -> Fields:
    """It became an event of a type that no table knows."""
    return fields | {b"e": fields[b"e"].replace(b'"type":"', b'"type":"Not')}


def widened(fields: Fields) -> Fields:
    """It says more than it may."""
    return fields | {b"e": b'{"and":1,' + fields[b"e"][1:]}


def copy_of(client: Client) -> dict[bytes, bytes]:
    """All that a server keeps, as a backup has it."""
    return {key: client.dump(key) for key in client.scan_iter()}


def put_back(client: Client, copy: Mapping[bytes, bytes]) -> None:
    """Lets a server keep what is in the copy and nothing else."""
    client.flushall()
    for key, kept in copy.items():
        client.restore(key, 0, kept, replace=True)  # a web server may have shared what was spent meanwhile


ALL = (lost, torn, unsealed, renamed, widened)
