"""The data directory is private to the user who runs the service."""

import logging
from pathlib import Path

from events.disk import UMASK, private_directory

log = logging.getLogger(__name__)


def make_private(directory: Path) -> None:
    """Creates the directory if it is missing, and removes other users' permissions on it and everything in it."""
    private_directory(directory)
    for path in (directory, *directory.rglob("*")):
        _take_away(path)


def _take_away(path: Path) -> None:
    try:
        mode = path.lstat().st_mode
        if mode & UMASK and not path.is_symlink():
            path.chmod(mode & ~UMASK & 0o7777)
    except FileNotFoundError:  # the server of another process has just replaced it
        pass
    except PermissionError as error:
        log.warning("others on this machine may be able to read what is kept: %s", error)
