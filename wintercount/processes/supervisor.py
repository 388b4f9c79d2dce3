"""Runs everything on one machine: embedded store, web server, dispatcher and workers as child processes."""

import contextlib
import errno
import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import requests

from events.waiting_for_store import Waits, until_it_answers
from service.config import Settings
from service.stores import archive_url
from wintercount.processes import embedded
from wintercount.processes.lifeline import PATIENCE_S, Lifeline

LOOK_S = 10.0  # for an answer of the web server on whether it is ready
PAUSE_S = 1.0  # before a child that ended is started again
ADVICE = {
    errno.EADDRINUSE: "stop what listens there, or set WINTERCOUNT_PORT (and WINTERCOUNT_DATA) to other values",
    errno.EADDRNOTAVAIL: "set WINTERCOUNT_HOST to an address of this machine, or to 0.0.0.0 for all of them",
    errno.EACCES: "set WINTERCOUNT_PORT to a port that this user may open, such as 8000",
}


class Supervisor:
    """Starts the children, restarts those that end, and stops them all, the store last.

    While it waits for them to be ready it calls `check` repeatedly; an exception from it ends the wait.
    """

    def __init__(self, settings: Settings, check: Callable[[], None] = lambda: None) -> None:
        self.settings, self._check = settings, check
        self.url = settings.redis_url or embedded.url_of(Path(settings.data))
        self._children: dict[str, subprocess.Popen[bytes]] = {}
        self._starts: dict[str, Callable[[], subprocess.Popen[bytes]]] = {}
        self._held = contextlib.ExitStack()
        self._lifeline = self._held.enter_context(contextlib.closing(Lifeline()))
        self._is_ready = self._replaces_web = False
        self._ending, self._ended = threading.Event(), threading.Event()
        self._starting = threading.Lock()

    def start(self, show: Callable[[str], Any] = lambda _: None) -> None:
        """Starts everything and waits until the service is ready; raises `AlreadyRunning` or `DoesNotStart`.

        `show` gets a sentence on what is being waited for.
        """
        self._held.enter_context(_taken_port(self.settings.host, self.settings.port))
        directory = Path(self.settings.data)
        lock = self._held.enter_context(embedded.hold(directory))
        if self.settings.redis_url is None:
            self._add("store", lambda: embedded.launch(directory, lock))
        self._add("web", lambda: self._spawn("serve"))
        self._add("dispatcher", lambda: self._spawn("dispatch"))
        for number in range(1, self.settings.workers + 1):
            self._add(f"worker {number}", lambda: self._spawn("worker"))
        self._wait_until_ready(show)
        self._is_ready = True
        if self._replaces_web:
            self.replace_web()

    def _add(self, name: str, start: Callable[[], subprocess.Popen[bytes]]) -> None:
        self._starts[name] = start
        self._children[name] = start()

    def _spawn(self, command: str) -> subprocess.Popen[bytes]:
        queue = self.settings.queue_url or self.url
        urls = {"WINTERCOUNT_REDIS_URL": self.url, "WINTERCOUNT_QUEUE_URL": queue}
        archive = {"WINTERCOUNT_ARCHIVE": archive_url(self.settings) or ""}
        environment = {"MALLOC_ARENA_MAX": "2"} | os.environ | urls | archive | self._lifeline.environment
        return subprocess.Popen(  # noqa: S603 - our own commands
            [sys.executable, "-P", "-m", "wintercount", command],
            env=environment,
            process_group=0,
            pass_fds=[self._lifeline.theirs],
        )

    def _wait_until_ready(self, show: Callable[[str], Any]) -> None:
        """Waits as long as it takes; raises `DoesNotStart` if a process has ended."""
        for waits in until_it_answers(self._waits_for, lambda _: None):
            show(f"Starting Wintercount: {waits.detail} …")
            self._check()
            if "store" in self._children:
                self._check_store()
            if self._children["web"].poll() is not None:
                raise embedded.DoesNotStart("the web server ended; its messages above say why")

    def _check_store(self) -> None:
        """Starts the store again if it refused a torn batch, which is then cut off; raises `DoesNotStart`."""
        directory = Path(self.settings.data)
        if self._children["store"].poll() is not None and embedded.torn_bytes(directory):
            self._children["store"] = self._starts["store"]()
        embedded.check_lives(self._children["store"], directory)

    def _waits_for(self) -> Waits | None:
        try:
            answer = requests.get(f"{self.address}/readyz", timeout=LOOK_S)
            if answer.ok:
                return None
            problem = answer.json()
            starts = problem["code"] == "store_unavailable"  # as it is while the embedded store starts
            return Waits(problem["code"], "the store" if starts else problem["detail"])
        except (requests.RequestException, KeyError):
            return Waits("store_unavailable", "the web server")

    @property
    def address(self) -> str:
        """The address of the service."""
        return self.settings.address

    def replace_web(self) -> None:
        """Replaces the web processes one at a time, once they are ready; no request fails."""
        if self._is_ready:
            self._children["web"].send_signal(signal.SIGHUP)
        self._replaces_web = not self._is_ready

    def watch(self) -> None:
        """Restarts children that end, until `end` is called, and stays until all have ended.

        A store that this thread has started again ends with it (`ask_to_end_with`), and the others need that store.
        """
        while not self._ending.wait(PAUSE_S):
            for name, child in list(self._children.items()):
                if child.poll() is not None:
                    self._start_again(name, child)
        self._ended.wait()

    def _start_again(self, name: str, child: subprocess.Popen[bytes]) -> None:
        with self._starting:
            if self._ending.is_set():
                return
            try:
                _say(self._why(name) or f"the {name} ended with {child.returncode}; it is started again")
                self._children[name] = self._starts[name]()
            except embedded.DoesNotStart as error:  # it is tried again
                _say(error)
            except OSError as error:  # such as a lack of memory
                _say(f"the {name} cannot be started now: {error}")

    def _why(self, name: str) -> str | None:
        """Returns why the embedded server has ended, as far as its disk shows."""
        directory = Path(self.settings.data)
        return (embedded.refused(directory) or embedded.lacks_room(directory)) if name == "store" else None

    def end(self) -> None:
        """Stops the children, the store last, as the others need it."""
        self._ending.set()
        with self._starting:  # a child that is just being started is ended too
            store = self._children.pop("store", None)
        _end(list(self._children.values()))
        _end([store] if store else [])
        self._held.close()
        self._ended.set()


def _taken_port(host: str, port: int) -> socket.socket:
    """Reserves a port; raises `DoesNotStart` if another process has it, as web servers would share it.

    Of two that start at once neither listens yet, so the port stays reserved, which only Linux can do.
    """
    family, *_, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    try:
        taken = socket.create_server(address[:2], family=family)
        if sys.platform == "linux":
            taken.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 0)  # no other socket can bind there alone,
            taken.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)  # and web servers do, as they share the port
            taken.shutdown(socket.SHUT_RD)  # it no longer listens
        else:
            taken.close()
        return taken
    except OSError as error:
        number = error.errno or errno.EADDRINUSE
        advice = ADVICE.get(number, "set WINTERCOUNT_HOST and WINTERCOUNT_PORT to other values")
        raise embedded.DoesNotStart(f"{host}:{port} cannot be used ({os.strerror(number)}): {advice}") from None


def _say(what: object) -> None:
    with contextlib.suppress(OSError):  # nobody may read it any more
        print(what, file=sys.stderr)  # noqa: T201 - for the operator


def _end(children: list[subprocess.Popen[bytes]]) -> None:
    for child in children:
        child.terminate()
    for child in children:
        try:
            child.wait(PATIENCE_S)
        except subprocess.TimeoutExpired:
            child.kill()
            child.wait()
