"""Rebuilds projections and archives tables, in several processes."""

import contextlib
import multiprocessing
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from functools import cache, partial
from typing import Any

from redis.exceptions import LockError, RedisError

from events.scripts import Client
from projections.history import TableCache
from projections.runner import Runner
from projections.store import ProjectionStore, replace_generation
from service.stores import log_at
from wintercount.processes.dispatcher_process import archiver_of
from worker.archiver import ArchivedCounts, Archiver

LOCK = "wintercount:alone:"  # and the name of the work
LOCK_MS = 10_000  # after which the lock of a killed process expires
RENEW_S = 2.0


class AlreadyLocked(Exception):
    """Another process does the same work."""


def lock_name(what: str) -> str:
    """Returns the key of the lock."""
    return LOCK + what.replace(" ", "-")


@contextlib.contextmanager
def locked(client: Client, what: str) -> Iterator[Callable[[], None]]:
    """Locks the store for one kind of work; raises `AlreadyLocked`.

    Two rebuilds of a projection would remove each other's rows. Yields a function that raises the same if another
    process has taken the lock because this one stood still for too long.
    """
    lock = client.lock(lock_name(what), timeout=LOCK_MS / 1000, blocking=False, thread_local=False)
    if not lock.acquire():
        raise AlreadyLocked(f"another {what} is running; the lock of a killed one expires in {LOCK_MS // 1000} s")
    stop = threading.Event()

    def renew() -> None:
        while not stop.wait(RENEW_S):
            with contextlib.suppress(RedisError):
                lock.reacquire()

    def check() -> None:
        if not lock.owned():
            raise AlreadyLocked(f"another {what} has started while this one stood still: start it again")

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
    """Rebuilds a projection beside the old one, then switches over; returns the number of its batches.

    `report` gets the number of batches applied. Raises `AlreadyLocked`.
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
    """Advances all partitions in processes; if one fails, all end and the old rows stay."""
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


_log = cache(log_at)  # opened once a process


def archive(url: str, after_days: float, processes: int, report: Callable[[int], object]) -> ArchivedCounts:
    """Archives tables that closed so many days ago; `report` gets the number of tables of each segment."""
    tables, own = 0, _archiver(url, after_days)  # fails before any process starts if the store does not answer
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
