"""Runs AI players in a separate process, which is killed when a player takes too long."""

import logging
import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from importlib import import_module
from multiprocessing.connection import Connection, Pipe
from typing import Any, NamedTuple

from events.failures import place_of
from games import GAMES
from service.config import SHARED_METRICS
from service.levels import LEVELS
from worker.players import Chosen, choose, iterations

LIMIT_S = 20.0  # for one choice
BEAT_S = 1.0  # interval of `beat` while waiting
SPARE_S = 2  # after the limit, the process ends itself if nobody has killed it
START_S = 60.0  # for a process to start
NICE = 5  # web processes have priority
MOST_BYTES = 2 << 30  # of memory

log = logging.getLogger(__name__)


def efforts(game: str) -> dict[str, int]:
    """Returns the levels that play the game, the weakest first, with their iterations for a move."""
    found = {name: iterations(level.player, name, game) for name, level in LEVELS.items()}
    return {name: count for name, count in found.items() if count is not None}


def budget(level: str, game: str) -> int:
    """Returns the iterations of a level at a game; 0 if its player does not search or does not play the game."""
    return iterations(LEVELS[level].player, level, game) or 0


class CutOff(Exception):
    """There was no valid answer: the process `crashed`, `failed` with an error, took `overtime` or gave `nonsense`."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


class FunctionProcess:
    """Calls a function (`module:name`) in another process, which is started when needed.

    `beat` is called every second while waiting for an answer. For use by one thread at a time.
    """

    def __init__(self, function: str, limit_s: float, beat: Callable[[], Any] = lambda: None) -> None:
        self._function, self._limit_s, self.beat = function, limit_s, beat
        self._process: subprocess.Popen[bytes] | None = None
        self._connection: Connection | None = None

    def ask(self, question: Any) -> Any:
        """Returns the function's answer; raises `CutOff` after ending the process."""
        try:
            connection = self._connection or self._start()
            connection.send(question)
            return self._answer(connection)
        except (EOFError, ConnectionError):
            self.close()
            raise CutOff("crashed") from None
        except BaseException:  # a late answer must not be taken for the next one
            self.close()
            raise

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
            words = [str(theirs.fileno()), self._function, str(int(self._limit_s) + SPARE_S)]
            command = [sys.executable, "-P", "-c", "from worker.ai_process import main; main()", *words]
            self._process = subprocess.Popen(  # noqa: S603 - our own
                command, pass_fds=[theirs.fileno()], stdin=subprocess.DEVNULL, env=_environment()
            )
        if not self._connection.poll(START_S):
            raise EOFError
        self._connection.recv()
        return self._connection

    def close(self) -> None:
        """Kills the process."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
        if self._connection is not None:
            self._connection.close()
        self._process = self._connection = None


def _environment() -> dict[str, str]:
    """Returns our environment without the directory for shared metrics: nobody reads this process's metrics."""
    return {name: value for name, value in os.environ.items() if name != SHARED_METRICS}


def main() -> None:
    """Runs the process's main loop: answers questions until the pipe closes."""
    descriptor, function, limit_s = sys.argv[1:]
    os.nice(NICE)
    resource.setrlimit(resource.RLIMIT_AS, (MOST_BYTES, MOST_BYTES))
    module, _, name = function.partition(":")
    asking, answer = Connection(int(descriptor)), getattr(import_module(module), name)
    asking.send("ready")
    while True:
        try:
            question = asking.recv()
        except EOFError:
            return
        signal.alarm(int(limit_s))  # ends this process even if its parent is gone
        asking.send(answer(question))
        signal.alarm(0)


class Question(NamedTuple):
    """The input of a player: its name and version, the game, its seat's view and feed, a seed and a budget."""

    player: tuple[str, int]
    game: str
    view: Any
    feed: Sequence[Any]
    seed: str
    budget: int


def think_here(asked: Question) -> Chosen:
    """Returns the player's choice, computed in this process; raises `CutOff` if the player fails."""
    try:
        return choose(asked.player, GAMES[asked.game], *asked[2:])
    except Exception as error:  # noqa: BLE001 - players may raise anything
        log.error("player %s failed: %s", asked.player, place_of(error))
        raise CutOff("failed") from None


class Thinker(FunctionProcess):
    """Runs players in another process and kills it when a player takes too long.

    `think` is the module whose `think_or_cut_off` is called.
    """

    def __init__(
        self, limit_s: float = LIMIT_S, beat: Callable[[], Any] = lambda: None, think: str = "worker.ai_process"
    ) -> None:
        super().__init__(f"{think}:think_or_cut_off", limit_s, beat)

    def __call__(self, asked: Question) -> Chosen:
        """Returns the player's choice; raises `CutOff`."""
        answer = self.ask(asked)
        if isinstance(answer, CutOff):
            raise answer
        if not isinstance(answer, Chosen):
            raise CutOff("nonsense")
        return answer


def think_or_cut_off(asked: Question) -> Chosen | CutOff:
    """Returns the player's choice, or the `CutOff` in place of one."""
    try:
        return think_here(asked)
    except CutOff as cut_off:
        return cut_off
