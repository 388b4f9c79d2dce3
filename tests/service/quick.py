"""The web server with streams that show a sign of life twice a second instead of every fifteen seconds."""

from service.config import settings_from
from service.runtime.server import Server
from service.runtime.serving import serve
from service.runtime.web import application as usual
from service.streams import feed, hub

KEEP_ALIVE_S = 0.5


def application() -> Server:
    """What granian calls for."""
    hub.LOOK_S = feed.TELL_S = KEEP_ALIVE_S
    return usual()


if __name__ == "__main__":
    serve(settings_from(), "tests.service.quick:application")
