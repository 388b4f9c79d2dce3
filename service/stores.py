"""The log as the settings say: its store, and the archive in which closed tables lie."""

import tempfile
from pathlib import Path

from events.archiving.objects import Objects
from events.log import PARTITIONS
from events.scripts import Client
from events.store import RedisLog, connect
from service.config import Settings, settings_from

CATALOGUE = "catalogue.sqlite"


def log_at(url: str, settings: Settings | None = None) -> RedisLog:
    """The log in the store at a URL; without settings by those of the environment."""
    found = settings or settings_from()
    return log_of(connect(url, found.ack), found)


def log_of(client: Client, settings: Settings) -> RedisLog:
    """The log in a store."""
    return RedisLog(client, PARTITIONS, archive_of(settings))


def archive_of(settings: Settings) -> Objects | None:
    """Where closed tables lie: as set, else beside the embedded server; None for another server without a setting."""
    where = archive_url(settings)
    return Objects(where, _catalogue(Path(settings.data))) if where else None


def archive_url(settings: Settings) -> str | None:
    """The directory or URL of the archive."""
    beside = str(Path(settings.data).resolve() / "archive")
    return settings.archive or (None if settings.redis_url else beside)


def _catalogue(data: Path) -> Path:
    """The file of what is archived: a copy, which lies with temporary files where there is no data directory."""
    return (data if data.is_dir() else Path(tempfile.gettempdir())) / CATALOGUE
