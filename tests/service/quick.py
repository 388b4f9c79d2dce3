"""The web server with streams that show a sign of life twice a second instead of every fifteen seconds."""

from service.config import settings_from
from service.server import Server
from service.streams import hub
from wintercount.processes.serving import serve
from wintercount.processes.web import application as usual

KEEP_ALIVE_S = 0.5


def application() -> Server:
    """What granian calls for."""
    hub.LOOK_S = KEEP_ALIVE_S
    return usual()


if __name__ == "__main__":
    serve(settings_from(), "tests.service.quick:application")
