"""Shares metrics among web processes: each writes its own files, and any of them can sum them up.

prometheus_client does so if the environment names a directory when it is imported.
"""

import os
import shutil
from pathlib import Path

from events.disk import UMASK, private_directory
from service.config import Settings

SHARED_IN = "PROMETHEUS_MULTIPROC_DIR"
OF_THE_LIVING = "gauge_live"  # prefix of files that count only while their process lives


def share_metrics(settings: Settings) -> None:
    """Creates an empty directory for the web processes that are about to start."""
    directory = Path(settings.data) / f"metrics-{settings.port}"
    shutil.rmtree(directory, ignore_errors=True)
    private_directory(directory)
    os.umask(UMASK)  # prometheus_client creates its files readable by everybody
    os.environ[SHARED_IN] = str(directory)


def forget_ended_processes() -> None:
    """Removes the gauges of ended processes, such as open streams; their counters stay."""
    directory = os.environ.get(SHARED_IN)
    for file in Path(directory).glob(f"{OF_THE_LIVING}*.db") if directory else ():
        if not _lives(int(file.stem.rpartition("_")[2])):
            file.unlink(missing_ok=True)


def _lives(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True
