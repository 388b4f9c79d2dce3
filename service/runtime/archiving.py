"""Archiving by as many processes as there are cores: each archives one segment after the other."""

import multiprocessing
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from functools import cache, partial

from service.runtime.processes import archiver_of
from service.stores import log_at
from worker.archiver import Archiver, Done


def archive(url: str, after_days: float, processes: int, report: Callable[[int], object]) -> Done:
    """Archives what closed so many days ago; `report` is told how many tables each segment got."""
    tables, segment = 0, partial(_segment, url, after_days)
    with ProcessPoolExecutor(processes, multiprocessing.get_context("spawn")) as pool:
        running: set[Future[int]] = {pool.submit(segment) for _ in range(processes)}
        while running:
            done, running = wait(running, return_when=FIRST_COMPLETED)
            for archived in (found for future in done if (found := future.result())):
                tables += archived
                report(archived)
                running.add(pool.submit(segment))
    return Done(tables, _archiver(url, after_days).archive_feeds())


def _segment(url: str, after_days: float) -> int:
    return _archiver(url, after_days).archive_segment()


@cache
def _archiver(url: str, after_days: float) -> Archiver:
    """The archiver of one process."""
    return archiver_of(log_at(url), after_days)
