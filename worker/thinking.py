"""Where AI players think: in a process of their own, which is ended when a player takes too long or falls over."""

import logging
import os
import resource
import signal
import subprocess
import sys
import time
import traceback
from collections.abc import Callable, Sequence
from importlib import import_module
from multiprocessing.connection import Connection, Pipe
from typing import Any, NamedTuple

from games import GAMES
from worker.players import choose
from worker.players.chosen import Chosen

LIMIT_S = 20.0  # for one choice
BEAT_S = 1.0  # how often the waiting side shows that it is alive
SPARE_S = 2  # after which a process ends itself that its asker has not ended
START_S = 60.0  # for a process of players to start
NICE = 5  # those who think leave the processor to those who answer people
MOST_BYTES = 2 << 30  # of memory

log = logging.getLogger(__name__)


class Asked(NamedTuple):
    """All that a player is given: its name and version, the game, its seat's view and feed, a seed and a budget."""

    player: tuple[str, int]
    game: str
    view: Any
    feed: Sequence[Any]
    seed: str
    budget: int


class CutOff(Exception):
    """A player was given up: it `crashed`, `failed` with an error of its own, took `overtime` or chose `nonsense`."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


def think_here(asked: Asked) -> Chosen:
    """The player's choice, found in this process; raises `CutOff` for a player that fails."""
    try:
        chosen = choose(asked.player, GAMES[asked.game], *asked[2:])
    except Exception as error:  # noqa: BLE001 - whatever a player raises
        log.error("player %s failed: %s", asked.player, place_of(error))
        raise CutOff("failed") from None
    return chosen


def place_of(error: BaseException) -> str:
    """The kind of an error and where it arose: its text may hold secrets of the table."""
    last = traceback.extract_tb(error.__traceback__)[-1]
    return f"{type(error).__name__} at {last.filename}:{last.lineno}"


class Thinker:
    """Asks players in a process of its own, which it starts when it is first asked and again when it has ended it.

    `beat` is called every second while a player thinks; `think` is the module whose `think_here` thinks.
    """

    def __init__(
        self, limit_s: float = LIMIT_S, beat: Callable[[], Any] = lambda: None, think: str = "worker.thinking"
    ) -> None:
        self._limit_s, self.beat, self._think = limit_s, beat, think
        self._process: subprocess.Popen[bytes] | None = None
        self._connection: Connection | None = None

    def __call__(self, asked: Asked) -> Chosen:
        """The player's choice; raises `CutOff`, and then its process is at an end."""
        try:
            connection = self._connection or self._start()
            connection.send(asked)
            answer = self._answer(connection)
        except (EOFError, ConnectionError):
            self.close()
            raise CutOff("crashed") from None
        except BaseException:  # the answer to this question must not be taken for the next one's
            self.close()
            raise
        if isinstance(answer, CutOff):
            raise answer
        if not isinstance(answer, Chosen):
            raise CutOff("nonsense")
        return answer

    def _answer(self, connection: Connection) -> Any:
        end = time.monotonic() + self._limit_s
        while not connection.poll(max(0.0, min(BEAT_S, end - time.monotonic()))):
            if time.monotonic() >= end:
                raise CutOff("overtime")
            self.beat()
        return connection.recv()

    def _start(self) -> Connection:
        self._connection, theirs = Pipe()
        with theirs:
            words = [str(theirs.fileno()), self._think, str(int(self._limit_s) + SPARE_S)]
            command = [sys.executable, "-c", "from worker.thinking import main; main()", *words]
            self._process = subprocess.Popen(command, pass_fds=[theirs.fileno()], stdin=subprocess.DEVNULL)  # noqa: S603 - our own
        if not self._connection.poll(START_S):
            raise EOFError
        self._connection.recv()
        return self._connection

    def close(self) -> None:
        """Ends the process, whatever it does."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
        if self._connection is not None:
            self._connection.close()
        self._process = self._connection = None


def main() -> None:
    """The process: answers one question after the other until nobody asks any more."""
    descriptor, think, limit_s = sys.argv[1:]
    os.nice(NICE)
    resource.setrlimit(resource.RLIMIT_AS, (MOST_BYTES, MOST_BYTES))
    asking, thinking = Connection(int(descriptor)), import_module(think).think_here
    asking.send("ready")
    while True:
        try:
            asked = asking.recv()
        except EOFError:
            return
        signal.alarm(int(limit_s))  # the end of this process too if nobody is left to end it
        asking.send(_thought(thinking, asked))
        signal.alarm(0)


def _thought(thinking: Callable[[Asked], Any], asked: Asked) -> Any:
    try:
        return thinking(asked)
    except CutOff as cut_off:
        return cut_off
