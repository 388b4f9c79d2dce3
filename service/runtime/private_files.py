"""The data directory is private to the user who runs the service."""

import logging
import os
from pathlib import Path

UMASK = 0o077
DIRECTORY = 0o700

log = logging.getLogger(__name__)


def make_private(directory: Path) -> None:
    """Creates the directory if it is missing, and removes other users' permissions on it and everything in it."""
    directory.mkdir(mode=DIRECTORY, parents=True, exist_ok=True)
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


def opener(path: str, flags: int) -> int:
    """Opens a file that others may not read."""
    return os.open(path, flags, 0o600)
