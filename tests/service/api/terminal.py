"""Somebody at a terminal: a process at a pseudo-terminal, and what is typed there."""

import os
import pty
import random
import re
import select
import subprocess
import sys
import termios
from collections.abc import Callable, Sequence

SILENCE_S = 60  # without a word from the process: until a test gives up
LIST, ENTER = re.compile(rb"Your choice \(1-(\d+)\): $"), re.compile(rb"Press Enter: $")
CARDS = re.compile(rb"Choose (\d+) \(1-(\d+)\)[^\n]*: $")


class Terminal:
    """A command at a terminal of its own."""

    def __init__(self, *words: str, token: str | None = None) -> None:
        self._ours, theirs = pty.openpty()
        _without_echo(theirs)
        environment = os.environ | {"TERM": "xterm", "COLUMNS": "100"} | ({"WINTERCOUNT_TOKEN": token} if token else {})
        command = [sys.executable, "-m", "wintercount", *words]
        self._process = subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs, env=environment)
        os.close(theirs)
        self.heard = b""

    def __enter__(self) -> "Terminal":
        return self

    def __exit__(self, *_: object) -> None:
        if self._process.poll() is None:
            self._process.kill()
        self._process.wait()
        os.close(self._ours)

    def fileno(self) -> int:
        """What can be waited for."""
        return self._ours

    def type(self, line: str) -> None:
        """Types a line; what was heard before is not looked at again."""
        self.heard += b"\0"
        os.write(self._ours, f"{line}\n".encode())

    def listen(self) -> bool:
        """Hears what there is; whether the process is still there."""
        try:
            data = os.read(self._ours, 65536)
        except OSError:  # as Linux tells the end of a pseudo-terminal
            return False
        self.heard += data
        return bool(data)

    def until(self, sentence: str) -> str:
        """Waits for a sentence at the end of what was heard; everything since the last line typed."""
        while not self.heard.endswith(sentence.encode()):
            assert select.select([self._ours], [], [], SILENCE_S)[0], self.text
            assert self.listen(), self.text
        return self.heard.rpartition(b"\0")[2].decode().replace("\r\n", "\n")

    @property
    def text(self) -> str:
        """Everything that was said."""
        return self.heard.replace(b"\0", b"").decode().replace("\r\n", "\n")

    def status(self) -> int:
        """The exit status, once the process has ended."""
        while self.listen():
            pass
        return self._process.wait(SILENCE_S)


def _without_echo(terminal: int) -> None:
    settings = termios.tcgetattr(terminal)
    settings[3] &= ~termios.ECHO
    termios.tcsetattr(terminal, termios.TCSANOW, settings)


def answer(heard: bytes, rng: random.Random) -> str | None:
    """What somebody types who plays at random; None if nothing is asked."""
    if found := LIST.search(heard):
        return str(rng.randint(1, int(found[1])))
    if found := CARDS.search(heard):
        return " ".join(str(number) for number in rng.sample(range(1, int(found[2]) + 1), int(found[1])))
    return "" if ENTER.search(heard) else None


def play_on(terminals: Sequence[Terminal], seed: int, enough: Callable[[int], bool] = lambda _: False) -> int:
    """Answers whatever is asked, at random, until every process has ended or enough was typed; how much was."""
    rng, typed, there = random.Random(seed), 0, list(terminals)
    while there and not enough(typed):
        ready = select.select(there, [], [], SILENCE_S)[0]
        assert ready, "\n\n".join(terminal.text[-2000:] for terminal in there)
        for terminal in ready:
            if not terminal.listen():
                there.remove(terminal)
            elif (line := answer(terminal.heard, rng)) is not None:
                terminal.type(line)
                typed += 1
    return typed
