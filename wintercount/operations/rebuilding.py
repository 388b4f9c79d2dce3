"""Projections made anew by as many processes as there are cores: no partition's rows depend on those of another."""

import multiprocessing
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from functools import cache, partial
from typing import Any

from events.store import RedisLog
from projections.history import Histories
from projections.runner import Runner
from projections.store import ProjectionStore, rebuilt
from service.stores import log_at
from wintercount.operations.alone import alone


def rebuild(url: str, projection: str, processes: int, report: Callable[[int], Any]) -> int:
    """Makes a projection anew beside the old one, then switches over; returns the number of batches it was made of.

    `report` is told how many batches of each partition were applied. Raises `AnotherIsAtIt`.
    """
    log = log_at(url)
    runner = Runner(log, Histories(log))
    with alone(log.client, f"rebuild of the {projection}") as check_alone:

        def fill(new: ProjectionStore) -> None:
            _fill(url, new, processes, report)
            runner.come_up(new)
            check_alone()

        rebuilt(log, projection, fill, runner.come_up)
    return sum(log.feed_ends().values())


def _fill(url: str, new: ProjectionStore, processes: int, report: Callable[[int], Any]) -> None:
    """Lets processes advance the partitions; one that fails ends all, and the old generation stays."""
    advance = partial(_advance, url, new.projection, new.generation)
    with ProcessPoolExecutor(processes, multiprocessing.get_context("spawn")) as pool:
        try:
            for done in pool.map(advance, range(new.log.partitions)):
                report(done)
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def _advance(url: str, projection: str, generation: int, partition: int) -> int:
    log = _log(url)
    runner = Runner(log, Histories(log))
    return runner.advance([ProjectionStore(log, projection, generation)], partition)


@cache
def _log(url: str) -> RedisLog:
    """The log as one process asks it."""
    return log_at(url)
