"""A helper process that answers questions, one after the other, and is killed when it takes too long."""

import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from importlib import import_module
from multiprocessing.connection import Connection, Pipe
from typing import Any

from service.shared_metrics import SHARED_IN

BEAT_S = 1.0  # how often the waiting side shows that it is alive
SPARE_S = 2  # after which a process ends itself that its asker has not ended
START_S = 60.0  # for a process to start
NICE = 5  # it leaves the processor to those who answer people
MOST_BYTES = 2 << 30  # of memory


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
            command = [sys.executable, "-P", "-c", "from worker.helper_process import main; main()", *words]
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
