"""Archiving by as many processes as there are cores: each archives one segment after the other."""

import multiprocessing
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from functools import cache

from service.stores import log_at
from wintercount.processes.dispatcher import archiver_of
from worker.archiver import Archiver, Done

_made: list[Callable[[], Archiver]] = []  # how a process that archives for another makes its archiver


def archiver_at(url: str, after_days: float) -> Archiver:
    """Archives what closed so many days ago, in the store at a URL."""
    return archiver_of(log_at(url), after_days)


def archive(made: Callable[[], Archiver], processes: int, report: Callable[[int], object]) -> Done:
    """Archives what is due by processes that each make an archiver; `report` is told how many tables a segment got."""
    tables, own = 0, made()  # a store that does not answer is told here, before any process has started
    with ProcessPoolExecutor(processes, multiprocessing.get_context("spawn"), _begin, (made,)) as pool:
        running: set[Future[int]] = {pool.submit(_segment) for _ in range(processes)}
        while running:
            done, running = wait(running, return_when=FIRST_COMPLETED)
            for archived in (found for future in done if (found := future.result())):
                tables += archived
                report(archived)
                running.add(pool.submit(_segment))
    return Done(tables, own.archive_feeds())


def _begin(made: Callable[[], Archiver]) -> None:
    """Makes nothing yet: a pool whose process fails to begin does not tell why."""
    _made.append(made)


@cache
def _own() -> Archiver:
    return _made[0]()


def _segment() -> int:
    return _own().archive_segment()
