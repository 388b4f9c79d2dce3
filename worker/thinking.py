"""AI players think in a process of their own, which is killed when a player takes too long or crashes."""

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
from service.levels import LEVELS, Effort
from service.shared_metrics import SHARED_IN
from worker.players import Chosen, choose, iterations

LIMIT_S = 20.0  # for one choice
BEAT_S = 1.0  # how often the waiting side shows that it is alive
SPARE_S = 2  # after which a process ends itself that its asker has not ended
START_S = 60.0  # for a process to start
NICE = 5  # it leaves the processor to those who answer people
MOST_BYTES = 2 << 30  # of memory

log = logging.getLogger(__name__)


def efforts(game: str) -> dict[str, Effort]:
    """The levels at which somebody plays the game, and what they take; the weakest first."""
    found = {name: iterations(level.player, name, game) for name, level in LEVELS.items()}
    return {name: Effort(count) for name, count in found.items() if count is not None}


def budget(level: str, game: str) -> int:
    """The iterations of a level at a game; 0 for a player that does not search, or where nobody plays at it."""
    return iterations(LEVELS[level].player, level, game) or 0


class Lost(Exception):
    """A question without an answer: the process `crashed` or took `overtime`."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


class Aside:
    """Calls a function (`module:name`) in a process that starts with the first call, and again after it has ended.

    `beat` is called every second while an answer is waited for. For one thread at a time.
    """

    def __init__(self, function: str, limit_s: float, beat: Callable[[], Any] = lambda: None) -> None:
        self._function, self._limit_s, self.beat = function, limit_s, beat
        self._process: subprocess.Popen[bytes] | None = None
        self._connection: Connection | None = None

    def ask(self, question: Any) -> Any:
        """The function's answer; raises `Lost`, and then the process has ended."""
        try:
            connection = self._connection or self._start()
            connection.send(question)
            return self._answer(connection)
        except (EOFError, ConnectionError):
            self.close()
            raise Lost("crashed") from None
        except BaseException:  # the answer to this question must not be taken for the next one's
            self.close()
            raise

    def _answer(self, connection: Connection) -> Any:
        end = time.monotonic() + self._limit_s
        while not connection.poll(max(0.0, min(BEAT_S, end - time.monotonic()))):
            if time.monotonic() >= end:
                raise Lost("overtime")
            self.beat()
        return connection.recv()

    def _start(self) -> Connection:
        self._connection, theirs = Pipe()
        with theirs:
            words = [str(theirs.fileno()), self._function, str(int(self._limit_s) + SPARE_S)]
            command = [sys.executable, "-P", "-c", "from worker.thinking import main; main()", *words]
            self._process = subprocess.Popen(  # noqa: S603 - our own
                command, pass_fds=[theirs.fileno()], stdin=subprocess.DEVNULL, env=_environment()
            )
        if not self._connection.poll(START_S):
            raise EOFError
        self._connection.recv()
        return self._connection

    def close(self) -> None:
        """Kills the process, whatever it is doing."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
        if self._connection is not None:
            self._connection.close()
        self._process = self._connection = None


def _environment() -> dict[str, str]:
    """Ours, but for where web processes count together: nobody asks this one for figures."""
    return {name: value for name, value in os.environ.items() if name != SHARED_IN}


def main() -> None:
    """The process's main loop: answers one question after the other until the pipe closes."""
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
        signal.alarm(int(limit_s))  # the end of this process too if nobody is left to end it
        asking.send(answer(question))
        signal.alarm(0)


class Question(NamedTuple):
    """All that a player gets: its name and version, the game, its seat's view and feed, a seed and a budget."""

    player: tuple[str, int]
    game: str
    view: Any
    feed: Sequence[Any]
    seed: str
    budget: int


class CutOff(Exception):
    """A player was replaced: it `crashed`, `failed` with an error, took `overtime` or chose `nonsense`."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


def think_here(asked: Question) -> Chosen:
    """The player's choice, computed in this process; raises `CutOff` for a player that fails."""
    try:
        chosen = choose(asked.player, GAMES[asked.game], *asked[2:])
    except Exception as error:  # noqa: BLE001 - whatever a player raises
        log.error("player %s failed: %s", asked.player, place_of(error))
        raise CutOff("failed") from None
    return chosen


class Thinker(Aside):
    """Asks players in a process of its own and kills it with a player that takes too long.

    `think` is the module whose `thought` thinks.
    """

    def __init__(
        self, limit_s: float = LIMIT_S, beat: Callable[[], Any] = lambda: None, think: str = "worker.thinking"
    ) -> None:
        super().__init__(f"{think}:thought", limit_s, beat)

    def __call__(self, asked: Question) -> Chosen:
        """The player's choice; raises `CutOff`, and then its process has ended."""
        try:
            answer = self.ask(asked)
        except Lost as lost:
            raise CutOff(lost.why) from None
        if isinstance(answer, CutOff):
            raise answer
        if not isinstance(answer, Chosen):
            raise CutOff("nonsense")
        return answer


def thought(asked: Question) -> Chosen | CutOff:
    """The player's choice, or why there is none."""
    try:
        return think_here(asked)
    except CutOff as cut_off:
        return cut_off
