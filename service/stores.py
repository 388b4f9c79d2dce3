"""The log that the settings describe: its store, and the archive that holds closed tables."""

from pathlib import Path

from events.archiving.objects import Objects
from events.log import PARTITIONS
from events.scripts import Client
from events.store import RedisLog, connect
from service.config import Settings, settings_from

CATALOGUE = "catalogue.sqlite"


def log_at(url: str, settings: Settings | None = None) -> RedisLog:
    """The log in the store at a URL; without `settings`, the environment's apply."""
    found = settings or settings_from()
    return log_of(connect(url, found.ack), found)


def log_of(client: Client, settings: Settings) -> RedisLog:
    """The log in a store."""
    return RedisLog(client, PARTITIONS, archive_of(settings), _notes(settings))


def archive_of(settings: Settings) -> Objects | None:
    """The archive: as set, else beside the embedded server; None for another server without a setting."""
    where = archive_url(settings)
    return Objects(where, _catalogue(settings), max(1, settings.threads // 2)) if where else None


def dumps_in(settings: Settings) -> Objects | None:
    """Where dumps are kept: as set, else where the archive is. Who takes one away keeps nobody from the archive.

    Fewer threads wait for it than for that: what hangs may be the storage of both, and some have to be left.
    """
    where = settings.dumps or archive_url(settings)
    return Objects(where, at_once=max(1, settings.threads // 4)) if where else None


def archive_url(settings: Settings) -> str | None:
    """The directory or URL of the archive."""
    beside = str(Path(settings.data).resolve() / "archive")
    return settings.archive or (None if settings.redis_url else beside)


def _catalogue(settings: Settings) -> Path | None:
    notes = _notes(settings)
    return notes / CATALOGUE if notes else None


def _notes(settings: Settings) -> Path | None:
    """Where it is noted what store and archive hold: the data directory; None, for memory, where there is none.

    Among the temporary files anybody on the machine could put one that lists what never was.
    """
    data = Path(settings.data)
    return data if data.is_dir() else None
