"""What may happen to a table in its store: entries lost, altered, or written by another."""

from collections.abc import Callable

from events.store import RedisLog

Fields = dict[bytes, bytes]
Change = Callable[[Fields], Fields | None]  # what becomes of an entry; None: it is lost


def damage(log: RedisLog, table: str, version: int, change: Change) -> None:
    """Writes the stream of a table anew, one entry changed."""
    key = log.table_key(table, "events")
    entries = log.client.xrange(key)
    log.client.delete(key)
    for entry_id, fields in entries:
        kept = change(fields) if entry_id == b"%d-0" % version else fields
        if kept is not None:
            log.client.xadd(key, kept, entry_id)


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


ALL = (lost, torn, unsealed, renamed, widened)
