"""Rebuilding projections and archiving, each shared by as many processes as there are cores."""

import contextlib
import multiprocessing
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from functools import cache, partial
from typing import Any

from redis.exceptions import LockError, RedisError

from events.scripts import Client
from events.store import RedisLog
from projections.history import TableCache
from projections.runner import Runner
from projections.store import ProjectionStore, replace_generation
from service.stores import log_at
from wintercount.processes.dispatcher import archiver_of
from worker.archiver import ArchivedCounts, Archiver

LOCK = "wintercount:alone:"  # and what is done
LOCK_MS = 10_000  # for which one that was killed is waited for
RENEW_S = 2.0


class AlreadyLocked(Exception):
    """Somebody else does the same, and what to do."""


def lock_name(what: str) -> str:
    """The key that says who does it."""
    return LOCK + what.replace(" ", "-")


@contextlib.contextmanager
def locked(client: Client, what: str) -> Iterator[Callable[[], None]]:
    """Lets nobody else do the same at the store meanwhile; raises `AlreadyLocked`.

    Of two rebuilds of a projection, each would remove rows that the other has made. Gives what raises the same at the
    end, if another has begun because this process stood still for too long.
    """
    lock = client.lock(lock_name(what), timeout=LOCK_MS / 1000, blocking=False, thread_local=False)
    if not lock.acquire():
        raise AlreadyLocked(
            f"another {what} is at it; one that was killed holds the store for {LOCK_MS // 1000} s more"
        )
    stop = threading.Event()

    def renew() -> None:
        while not stop.wait(RENEW_S):
            with contextlib.suppress(RedisError):
                lock.reacquire()

    def check() -> None:
        if not lock.owned():
            raise AlreadyLocked(f"another {what} has begun while this one stood still: begin it again")

    renewing = threading.Thread(target=renew, daemon=True)
    renewing.start()
    try:
        yield check
    finally:
        stop.set()
        renewing.join()
        with contextlib.suppress(LockError):  # another has begun
            lock.release()


def rebuild(url: str, projection: str, processes: int, report: Callable[[int], Any]) -> int:
    """Makes a projection anew beside the old one, then switches over; returns the number of batches it was made of.

    `report` is told how many batches of each partition were applied. Raises `AlreadyLocked`.
    """
    log = log_at(url)
    runner = Runner(log, TableCache(log))
    with locked(log.client, f"rebuild of the {projection}") as check:

        def fill(new: ProjectionStore) -> None:
            _fill(url, new, processes, report)
            runner.catch_up_new(new)
            check()

        replace_generation(log, projection, fill, runner.catch_up_new)
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
    runner = Runner(log, TableCache(log))
    return runner.advance([ProjectionStore(log, projection, generation)], partition)


@cache
def _log(url: str) -> RedisLog:
    """The log as one process asks it."""
    return log_at(url)


def archive(url: str, after_days: float, processes: int, report: Callable[[int], object]) -> ArchivedCounts:
    """Archives what closed so many days ago; `report` is told how many tables a segment got."""
    tables, own = 0, _archiver(url, after_days)  # a store that does not answer is told before any process starts
    segment = partial(_segment, url, after_days)
    with ProcessPoolExecutor(processes, multiprocessing.get_context("spawn")) as pool:
        running: set[Future[int]] = {pool.submit(segment) for _ in range(processes)}
        while running:
            done, running = wait(running, return_when=FIRST_COMPLETED)
            for archived in (found for future in done if (found := future.result())):
                tables += archived
                report(archived)
                running.add(pool.submit(segment))
    return ArchivedCounts(tables, own.archive_feeds())


@cache
def _archiver(url: str, after_days: float) -> Archiver:
    return archiver_of(log_at(url), after_days)


def _segment(url: str, after_days: float) -> int:
    return _archiver(url, after_days).archive_segment()
