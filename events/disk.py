"""Private files and directories, and waiting until they are on disk."""

import os
from pathlib import Path

DIRECTORY, FILE = 0o700, 0o600
UMASK = 0o077


def private_directory(path: Path) -> None:
    """Creates a directory and its missing parents, accessible to this user only."""
    if not path.is_dir():
        private_directory(path.parent)
        path.mkdir(mode=DIRECTORY, exist_ok=True)


def opener(path: str, flags: int) -> int:
    """Opens a file, creating it readable for this user only; for `open(opener=…)`."""
    return os.open(path, flags, FILE)


def to_disk(path: Path) -> None:
    """Waits until a file, or the entries of a directory, are on disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
