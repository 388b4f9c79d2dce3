"""The log, the archive of closed tables and the storage of dumps that the settings name."""

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
    return RedisLog(client, PARTITIONS, archive_of(settings), _index_directory(settings))


def archive_of(settings: Settings) -> Objects | None:
    """Returns the archive; None beside a store that is not embedded, unless it is set."""
    url, directory = archive_url(settings), _index_directory(settings)
    return Objects(url, directory and directory / CATALOGUE, max(1, settings.threads // 2)) if url else None


def dumps_in(settings: Settings) -> Objects | None:
    """Returns the storage of dumps, by default the archive's. It uses few threads and leaves the rest to reads."""
    url = settings.dumps or archive_url(settings)
    return Objects(url, at_once=max(1, settings.threads // 4)) if url else None


def archive_url(settings: Settings) -> str | None:
    """Returns the directory or URL of the archive; beside the embedded server, by default in the data directory."""
    in_data = str(Path(settings.data).resolve() / "archive")
    return settings.archive or (None if settings.redis_url else in_data)


def _index_directory(settings: Settings) -> Path | None:
    """Returns the data directory; None if it does not exist, and indexes stay in memory.

    In a temporary directory, other users of this machine could plant a forged index.
    """
    data = Path(settings.data)
    return data if data.is_dir() else None
