"""Files and directories that nobody else on this machine may look into, and waiting until they are on disk."""

import os
from pathlib import Path

DIRECTORY, FILE = 0o700, 0o600
UMASK = 0o077


def private_directory(path: Path) -> None:
    """Makes a directory if it is missing, and what is missing of those that lead to it."""
    if not path.is_dir():
        private_directory(path.parent)
        path.mkdir(mode=DIRECTORY, exist_ok=True)


def opener(path: str, flags: int) -> int:
    """Opens a file that others may not read."""
    return os.open(path, flags, FILE)


def to_disk(path: Path) -> None:
    """Waits until a file is on disk, or the names in a directory are."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
