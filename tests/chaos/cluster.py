"""Processes that play on a cluster while its nodes fail, and what must hold of the log and of what they were told."""

import contextlib
import random
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple, TypeVar

from redis.exceptions import RedisError

from events.log import PARTITIONS, LogDamaged
from events.scripts import LOCAL
from events.store import RedisLog, connect
from projections.lobby_rows import NAME
from projections.store import ProjectionStore, current
from projections.table import Table
from service.accounts.callers import Player
from service.command_handler import CommandHandler, Outcome, Request
from service.errors import Refused
from service.tables.opening import Sitting, take_seat
from service.tables.playing import Play
from tests.chaos.checks import Kept, answered_twice, broken_chains, gaps_in_feeds, lost_events, torn_batches
from tests.chaos.client import Sent
from tests.chaos.cluster_faults import FAULTS
from tests.chaos.working import Worker, working
from tests.tables import ANN, BEN, Visit
from tools.cluster import Cluster, running
from wintercount.processes.dispatcher_process import project_until
from wintercount.testing.random_games import random_move
from worker.dispatcher import Dispatcher

Answer = TypeVar("Answer")

WRITERS = 4
NODE_TIMEOUT_MS = 2_000
PAUSES_S = (0.3, 1.0)  # between two faults, at random
AGAIN_S = 0.05
HASTE_S = 0.03  # between two moves: projections are to follow
STANDSTILL_S = 60.0
CHECKS = (broken_chains, torn_batches, gaps_in_feeds, answered_twice)


class Writer(Worker):
    """A process that plays at its tables, repeats what was not answered, and notes what it was told."""

    def __init__(self, url: str, acknowledged_by: str, number: int) -> None:
        super().__init__(f"writer {number}")
        self.log = RedisLog(connect(url, acknowledged_by), PARTITIONS)
        self.sent: list[Sent] = []
        self.told: set[str] = set()  # the tables of which it was told that the store has lost something
        self._visit, self._number = Visit(self.log), number
        self._rng = random.Random(number)

    def knows_of_loss(self, table: str) -> bool:
        """Whether the process was told that the store lost what it knew of a table, now at the latest."""
        try:
            self._visit.history(table)
        except LogDamaged:
            self.told.add(table)
        except Refused:  # it is gone, and was dropped when that was told
            pass
        return table in self.told

    def work(self) -> None:
        """Plays until the last request is answered."""
        table = None
        while not self.stop.is_set():
            table = self._opened() if table is None else self._played(table)
            self.stop.wait(HASTE_S)

    def _opened(self) -> str | None:
        request = self._visit.request()
        opened = self._answered(lambda: self._visit.opened("tomahawk", "ann open", request=request))
        if opened is None:
            return None
        self._note("/v1/tables", request, opened)
        table, sitting = opened.table.id, self._visit.sent(BEN)
        try:
            self._answered(lambda: take_seat(self._visit.handler, table, sitting, 2, Sitting(None, None)))
        except LogDamaged:
            self.told.add(table)
        except Refused:
            return None
        return table

    def _played(self, table: str) -> str | None:
        """The table after a move; None if it is over, or lost."""
        try:
            now = self._answered(lambda: self._visit.table(table))
            if now is None or not now.decisions:
                return None
            player, asked, request = *self._chosen(now), self._visit.request()
            moved = self._answered(lambda: self._visit.play_move(table, player, asked, request))
            if moved is not None:
                self._note(f"/v1/tables/{table}/moves", request, moved)
        except LogDamaged:
            self.told.add(table)
        except Refused:
            return None
        return table

    def _chosen(self, now: Table) -> tuple[Player, Play]:
        """A move of the seat to act; a repeat sends the same move."""
        decision = now.decisions[0]
        move = random_move(now.game, now.state, decision.seat, random.Random(self._rng.randrange(1000)))
        return (ANN, BEN)[decision.seat - 1], Play(decision.seat, move, decision.recorded_id)

    def _answered(self, ask: Callable[[], Answer]) -> Answer | None:
        """The answer, asked for until the store gives one; None if there is none and it is time to end."""
        while not self.stop.is_set():
            with contextlib.suppress(RedisError):
                return ask()
            time.sleep(AGAIN_S)
        return None

    def _note(self, path: str, request: Request, outcome: Outcome) -> None:
        table, version = outcome.table.id, outcome.span.last
        head = {"version": version, "hash": outcome.history.events[version - 1].hash.hex()}
        answer = {"id": table, **head} if path == "/v1/tables" else {"receipt": {"table": table, **head}}
        self.sent.append(Sent("", path, {}, str(request.key), 1, answer))


class Report(NamedTuple):
    """What happened; `faults` is what should not have."""

    acknowledged: int
    tables: int
    lost: int
    faults: list[str]


def chaos(befalling: Sequence[str], seed: int, acknowledged_by: str = LOCAL) -> Report:
    """Plays while a cluster is befallen by these faults, one after the other, and checks what is left."""
    rng = random.Random(seed)
    with running(NODE_TIMEOUT_MS) as cluster, following(cluster) as followers:
        writers = [Writer(cluster.url, acknowledged_by, seed * WRITERS + number) for number in range(WRITERS)]
        with working(writers):
            for name in befalling:
                time.sleep(rng.uniform(*PAUSES_S))
                FAULTS[name](cluster, rng)
            time.sleep(PAUSES_S[1])
        with contextlib.closing(Kept(cluster.url, [sent for writer in writers for sent in writer.sent])) as kept:
            lost = {fault.partition(":")[0] for fault in lost_events(kept)}
            faults = [fault for check in CHECKS for fault in check(_left(kept))]
            faults += _lost_unawares(writers, lost) if acknowledged_by == LOCAL else [f"{one}: lost" for one in lost]
            faults += [f"{thread.name} has ended" for thread in followers if not thread.is_alive()]
            _let_catch_up(current(kept.log, NAME))
            acknowledged, tables = len(kept.sent), len(kept.tables)
        for writer in writers:
            writer.log.client.close()
    return Report(acknowledged, tables, len(lost), faults)


def _let_catch_up(projection: ProjectionStore) -> None:
    """Waits until a projection has come to the end of the feeds, for as long as it comes nearer."""
    least, since = projection.behind(), time.monotonic()
    while least:
        time.sleep(AGAIN_S)
        if (now := projection.behind()) < least:
            least, since = now, time.monotonic()
        assert time.monotonic() < since + STANDSTILL_S, f"the projection has stood still, {least} batches behind"


def _left(kept: Kept) -> Kept:
    """What is kept, without the tables that are gone from their first event on."""
    kept.tables = {table: events for table, events in kept.tables.items() if events}
    return kept


def _lost_unawares(writers: Sequence[Writer], lost: set[str]) -> Iterator[str]:
    """The tables that lost what was acknowledged to a process which was not told so."""
    for writer in writers:
        mine = {sent.answer["id"] for sent in writer.sent if sent.path == "/v1/tables"}
        yield from (f"{table}: lost, and nobody was told" for table in mine & lost if not writer.knows_of_loss(table))


@contextlib.contextmanager
def following(cluster: Cluster) -> Iterator[list[threading.Thread]]:
    """A dispatcher and what keeps the projections up to date, as long as the block lasts."""
    stop, store = threading.Event(), RedisLog(connect(cluster.url), PARTITIONS)
    handler = CommandHandler(store)
    dispatcher = Dispatcher(handler, lambda *_: None)
    threads = [
        threading.Thread(target=dispatcher.run, args=(stop,), name="dispatcher"),
        threading.Thread(target=project_until, args=(stop, store, handler.cache), name="projections"),
    ]
    for thread in threads:
        thread.start()
    try:
        yield threads
    finally:
        stop.set()
        for thread in threads:
            thread.join()
        store.client.close()
