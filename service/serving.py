"""The web server as a process: granian around the RSGI application."""

from granian.constants import Interfaces, Loops
from granian.server import Server as Granian

from service.config import Settings


def serve(settings: Settings, factory: str = "service.web:application") -> None:
    """Serves what the factory makes until the process is told to end."""
    Granian(
        factory,
        factory=True,
        address=settings.host,
        port=settings.port,
        interface=Interfaces.RSGI,
        loop=Loops.auto,
        websockets=False,
        log_enabled=False,
        respawn_failed_workers=True,
        workers_kill_timeout=5,
    ).serve()
