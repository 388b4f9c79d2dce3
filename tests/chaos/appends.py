"""Many write to the log while its server is killed: what was acknowledged is there, whole, once and in order."""

import contextlib
import random
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from redis.exceptions import RedisError

from events.envelopes import Recorded
from events.log import PARTITIONS, Batch, LogUnreadable, Timer
from events.store import RedisLog, connect
from tests.chaos.checks import gaps_in_feeds, torn_batches
from tests.chaos.working import Worker, working
from tests.events.batches import START, batch
from tests.servers import data_directory
from wintercount.processes import embedded

WRITERS = 8
MOST_EVENTS = 6  # of a batch
BATCHES = 40  # of a table
PAUSES_S = (0.0, 0.4)  # between two kills, at random
AGAIN_S = 0.01
WORDS = ("horses", "came", "many", "stars", "fell", "on", "the", "camp", "by", "a", "river")


@dataclass
class Written:
    """A table as far as it was acknowledged: its events, the requests of its batches, and what is due there."""

    events: list[Recorded] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)
    due: str = ""


class Report(NamedTuple):
    """What happened; `faults` is what should not have."""

    events: int
    kills: int
    faults: list[str]


class Kept(NamedTuple):
    """What the store holds of the tables that were written."""

    log: RedisLog
    tables: dict[str, tuple[Recorded, ...]]


class Writer(Worker):
    """Writes table after table until it is told to stop; a batch in doubt is written again until it is acknowledged."""

    def __init__(self, url: str, number: int) -> None:
        super().__init__(f"writer {number}")
        self.written: dict[str, Written] = {}
        self.events = 0
        self._log = RedisLog(connect(url), PARTITIONS)
        self._number, self._rng = number, random.Random(number)

    def work(self) -> None:
        """Writes until the last batch is acknowledged."""
        with contextlib.closing(self._log.client):
            while not self.stop.is_set():
                self._write(f"t_{self._number}x{len(self.written)}")

    def _write(self, table: str) -> None:
        written = self.written[table] = Written()
        head = START
        for number in range(BATCHES):
            if self.stop.is_set() and number:
                return
            follows = Timer(f"{table}|hook|1|{number}|0", number)
            done = (written.due,) if written.due else ()
            told = batch(
                head, *self._texts(), table=table, request=f"r{number}", completed_timers=done, timers=(follows,)
            )
            self._append(table, told)
            written.events += told.events
            written.requests.append(f"r{number}")
            written.due, head = follows.member, told.leads_to
            self.events += len(told.events)

    def _texts(self) -> list[str]:
        return [" ".join(self._rng.choices(WORDS, k=5)) for _ in range(self._rng.randint(1, MOST_EVENTS))]

    def _append(self, table: str, told: Batch) -> None:
        while True:
            with contextlib.suppress(RedisError):
                self._log.append(table, told)
                return
            time.sleep(AGAIN_S)


class Store:
    """A server on a directory of its own, which may be killed."""

    def __init__(self, directory: Path) -> None:
        self.directory, self.kills = directory, 0
        self._server = embedded.start(directory)

    def restart(self) -> None:
        """Kills it, and starts it again on what it has left."""
        self.close()
        self._server, self.kills = embedded.start(self.directory), self.kills + 1

    def close(self) -> None:
        """Kills it."""
        self._server.kill()
        self._server.wait()


def appends(events: int, seed: int) -> Report:
    """Lets writers write so many events under kills, and checks what is left."""
    with data_directory() as directory, contextlib.closing(Store(directory)) as store:
        writers = [Writer(embedded.url_of(directory), seed * WRITERS + number) for number in range(WRITERS)]
        with working(writers):
            _kill_until(events, writers, store, random.Random(seed))
        faults = list(_faults(directory, writers))
    written = [table for writer in writers for table in writer.written.values()]
    return Report(sum(len(table.events) for table in written), store.kills, faults)


def _kill_until(events: int, writers: list[Writer], store: Store, rng: random.Random) -> None:
    """Kills the server again and again until so many events are acknowledged."""
    while sum(writer.events for writer in writers) < events:
        time.sleep(rng.uniform(*PAUSES_S))
        store.restart()


def _faults(directory: Path, writers: list[Writer]) -> Iterator[str]:
    """All that the store holds otherwise than it was acknowledged."""
    written = {table: told for writer in writers for table, told in writer.written.items()}
    with contextlib.closing(connect(embedded.url_of(directory))) as client:
        log = RedisLog(client, PARTITIONS)
        kept = Kept(log, {table: log.read(table) for table in written})
        for table, told in written.items():
            yield from _of_table(kept, table, told)
        due = {entry.member for partition in range(PARTITIONS) for entry in log.timers(partition)}
        yield from (f"{member} is due, or is not" for member in due ^ {told.due for told in written.values()})
        yield from torn_batches(kept)
        yield from gaps_in_feeds(kept)


def _of_table(kept: Kept, table: str, told: Written) -> Iterator[str]:
    if [event.hash for event in kept.tables[table]] != [event.hash for event in told.events]:
        yield f"{table}: it has other events than were acknowledged"
    try:
        kept.log.after(table, START)
    except LogUnreadable as damage:
        yield str(damage)
    yield from (f"{table}: {name} has no answer" for name in told.requests if not kept.log.find_answer(table, name))
