"""The data directory: private, and with room."""

import shutil
from collections.abc import Iterator
from pathlib import Path

from events.disk import UMASK
from service.config import Settings
from service.runtime import embedded
from service.runtime.doctor.findings import Finding, fault, good, warning

LITTLE_BYTES = 1 << 30


def checked(settings: Settings) -> Iterator[Finding]:
    """Whether others may read it, and how much is free; a service whose store and keys lie elsewhere needs none."""
    data = Path(settings.data).absolute()
    if not data.is_dir():
        if not (settings.redis_url and settings.secret and settings.keys_url):
            yield warning("data", f"there is no directory {data}", "set WINTERCOUNT_DATA as the processes have it")
        return
    yield from _appendonly(data)
    free = shutil.disk_usage(data).free
    if data.stat().st_mode & UMASK:
        yield fault("data", f"others on this machine may read {data}", f"chmod 700 {data}")
    if free < LITTLE_BYTES:
        advice = "make room: a store whose disk is full ends or refuses writes"
        yield warning("data", f"{free >> 20} MiB are free at {data}", advice)
    else:
        yield good("data", f"{free >> 30} GiB are free at {data}")


def _appendonly(data: Path) -> Iterator[Finding]:
    """Whether the embedded server refused what it has on disk."""
    if told := embedded.refused(data):
        words, _, advice = told.partition(". ")
        yield fault("append-only", words, advice)
