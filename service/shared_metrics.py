"""Metrics of several web processes: each counts in files of its own, and whichever is asked adds them up.

prometheus_client does both if it finds a directory in the environment when it is loaded.
"""

import os
import shutil
from pathlib import Path

from events.disk import UMASK, private_directory
from service.config import Settings

SHARED_IN = "PROMETHEUS_MULTIPROC_DIR"
OF_THE_LIVING = "gauge_live"  # files that count only while their process lives


def share_metrics(settings: Settings) -> None:
    """Names an empty directory for the web processes that are about to start."""
    directory = Path(settings.data) / f"metrics-{settings.port}"
    shutil.rmtree(directory, ignore_errors=True)
    private_directory(directory)
    os.umask(UMASK)  # in which others may not look, and each file opens as for everybody
    os.environ[SHARED_IN] = str(directory)


def forget_ended_processes() -> None:
    """Removes what an ended web process had open, such as streams; what it has counted stays."""
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
