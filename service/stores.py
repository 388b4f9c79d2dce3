"""The log, the archive of closed tables and the storage of dumps, as the settings say."""

from pathlib import Path

from events.archiving.objects import Objects
from events.log import PARTITIONS
from events.scripts import Client
from events.store import RedisLog, connect
from service.config import Settings, settings_from

CATALOGUE = "catalogue.sqlite"


def log_at(url: str, settings: Settings | None = None) -> RedisLog:
    """Returns the log in the store at a URL, by default with the settings of the environment."""
    found = settings or settings_from()
    return log_of(connect(url, found.ack), found)


def log_of(client: Client, settings: Settings) -> RedisLog:
    """Returns the log in a store."""
    return RedisLog(client, PARTITIONS, archive_of(settings), _notes(settings))


def archive_of(settings: Settings) -> Objects | None:
    """Returns the archive: as set, else in the data directory; None for another server without a setting."""
    where = archive_url(settings)
    return Objects(where, _catalogue(settings), max(1, settings.threads // 2)) if where else None


def dumps_in(settings: Settings) -> Objects | None:
    """Returns the storage of dumps: as set, else the archive's; few threads, so that reads have some."""
    where = settings.dumps or archive_url(settings)
    return Objects(where, at_once=max(1, settings.threads // 4)) if where else None


def archive_url(settings: Settings) -> str | None:
    """Returns the directory or URL of the archive."""
    beside = str(Path(settings.data).resolve() / "archive")
    return settings.archive or (None if settings.redis_url else beside)


def _catalogue(settings: Settings) -> Path | None:
    notes = _notes(settings)
    return notes / CATALOGUE if notes else None


def _notes(settings: Settings) -> Path | None:
    """Returns the directory of local indexes: the data directory; None, for memory, if it does not exist.

    A temporary directory would let others on this machine plant a forged index.
    """
    data = Path(settings.data)
    return data if data.is_dir() else None
