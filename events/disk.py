"""Waits until files and directories are on disk."""

import os
from pathlib import Path


def to_disk(path: Path) -> None:
    """Waits until a file is on disk, or the names in a directory are."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
