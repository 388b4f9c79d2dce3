"""The web server: granian around the RSGI application, which it loads in one process or in several."""

from importlib import import_module
from typing import Any

from granian.constants import HTTPModes, Interfaces, Loops
from granian.http import HTTP1Settings
from granian.server import Server as Granian

from service.config import Settings
from service.shared_metrics import share_metrics

IDLE_MS = 30_000  # that a connection may take to send the head of its next request
HEAD_BYTES = 64 * 1024  # that a connection may hold of what was sent and not yet taken: the largest head


def serve(settings: Settings, factory: str = "wintercount.processes.web:application") -> None:
    """Serves the factory's application, in as many processes as are set, until this one is told to end."""
    share_metrics(settings)
    Granian(
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


def load(target: str) -> Any:
    """What the factory `module:name` makes; granian's own loader would look for the module in the working directory."""
    module, _, name = target.partition(":")
    return getattr(import_module(module), name)()
