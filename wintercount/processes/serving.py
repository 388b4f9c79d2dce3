"""The web server: granian with the RSGI application, in one process or several."""

import logging
import multiprocessing
import os
import shutil
import signal
import socket
from functools import partial
from importlib import import_module
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from granian._granian import ListenerSpec
from granian.constants import HTTPModes, Interfaces, Loops
from granian.http import HTTP1Settings
from granian.server.mp import MPServer

from events.disk import UMASK, private_directory
from service.config import SHARED_METRICS, Settings

IDLE_MS = 30_000  # for a connection to send the head of its next request
HEAD_BYTES = 64 * 1024  # of a connection's buffer, and so of the largest head
RETIRE_S = 30.0  # for a replaced process to finish its requests: longer than any may take
LOOK_S = 0.1

log = logging.getLogger(__name__)


class WebProcesses(MPServer):
    """granian's main process, which replaces the web processes one at a time on SIGHUP.

    It also holds the listening socket of each, so that a successor takes over the connections that wait there.
    """

    def _init_shared_socket(self) -> None:
        spec = ListenerSpec(self.bind_addr, self.bind_port, self.backlog)
        self._holders = [spec.build() for _ in range(self.workers)]
        self._sockets = [socket.socket(fileno=holder.get_fd()) for holder in self._holders]

    def _drop_shared_socket(self) -> None:
        for one in self._sockets:
            one.close()

    def _spawn_worker(self, idx: int, target: Any, callback_loader: Any) -> Any:  # type: ignore[override]
        callback_loader = partial(_listening, callback_loader, self._sockets[idx].fileno())
        self._ssp, self._shd, self._sso = None, self._holders[idx], self._sockets[idx]  # type: ignore[assignment]
        return super()._spawn_worker(idx, target, callback_loader)

    def _reload(self, spawn_target: Any, target_loader: Any) -> None:
        self.reload_signal = False
        self.main_loop_interrupt.clear()
        for number in range(self.workers):
            if not self._replace(number, spawn_target, target_loader):
                return

    def _replace(self, number: int, spawn_target: Any, target_loader: Any) -> bool:
        """Starts a process, and ends the old one when it is ready; returns whether it became ready."""
        ready, sender = multiprocessing.Pipe(duplex=False)
        old: Any = self.wrks[number]
        new = self._spawn_worker(number, spawn_target, partial(_loaded, target_loader, sender))
        new.interrupt_by_parent = True  # if it fails, the old one continues
        new.start()
        sender.close()
        while not ready.poll(LOOK_S):
            if self.interrupt_signal:
                new.terminate()
                return False
        try:
            ready.recv()
        except EOFError:
            log.error("web process %d was not replaced: the new one failed to start", number + 1)
            return False
        new.interrupt_by_parent, old.interrupt_by_parent = False, True
        self.wrks[number] = new
        self._retire(old)
        return True

    def _retire(self, old: Any) -> None:
        """Lets a process finish its requests and end."""
        if old.is_alive():
            os.kill(old.inner.pid, signal.SIGHUP)
        for _ in range(int(RETIRE_S / LOOK_S)):
            old.join(LOOK_S)
            if self.interrupt_signal or not old.is_alive():
                break
        if old.is_alive():
            old.kill()


def serve(settings: Settings, factory: str = "wintercount.processes.web:application") -> None:
    """Serves the factory's application in the configured number of processes, until a signal ends it."""
    _share_metrics(settings)
    multiprocessing.set_start_method("spawn")  # a new process loads the code that is installed then
    WebProcesses(
        factory,
        factory=True,
        address=settings.host,
        port=settings.port,
        workers=settings.web_processes,
        interface=Interfaces.RSGI,
        loop=Loops.auto,
        http=HTTPModes.http1,
        http1_settings=HTTP1Settings(header_read_timeout=IDLE_MS, max_buffer_size=HEAD_BYTES, keep_alive=True),
        websockets=False,
        backlog=settings.connections,
        backpressure=settings.connections,
        log_enabled=False,
        respawn_failed_workers=True,
        workers_kill_timeout=5,
    ).serve(target_loader=load)


def _share_metrics(settings: Settings) -> None:
    """Creates an empty directory for the metrics of the web processes that are about to start."""
    directory = Path(settings.data) / f"metrics-{settings.port}"
    shutil.rmtree(directory, ignore_errors=True)
    private_directory(directory)
    os.umask(UMASK)  # prometheus_client creates its files readable by everybody
    os.environ[SHARED_METRICS] = str(directory)


def load(target: str) -> Any:
    """Calls the factory `module:name`; granian's own loader would search the working directory for the module."""
    module, _, name = target.partition(":")
    return getattr(import_module(module), name)()


def _listening(loader: Any, descriptor: int) -> Any:
    """Calls the loader, and gives the application its listening socket."""
    made = loader()
    made.listens_at = descriptor
    return made


def _loaded(loader: Any, sender: Connection) -> Any:
    """Calls the loader, and reports when it has returned."""
    with sender:
        made = loader()
        sender.send(None)
    return made
