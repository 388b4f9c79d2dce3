"""The web process: the application that granian loads."""

import gc
import logging
import os
import resource
import threading
import time
from collections.abc import Callable, Iterable

from flask import Flask, Response

from events.pipelined import PipelinedLog
from events.store import RedisLog
from events.waiting_for_store import Waits, wait_for, why_not
from games.msgspec_threads import learn_structs
from service.config import Settings, settings_from
from service.error_handlers import answer
from service.errors import Refused
from service.hot_lane import HotLane
from service.http import HttpApp
from service.logs import set_up
from service.page import ASSETS, FOLDER, warn_of_old_bundle
from service.server import Server
from wintercount.processes.background_threads import Part
from wintercount.processes.lifeline import end_with_parent
from wintercount.processes.services import create_app, services_from
from wintercount.processes.telemetry import set_up as set_up_traces

SPARE = 256  # open files of a process besides the connections of its clients
METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")
log = logging.getLogger(__name__)
LOOKED_S = 0.5  # between two checks of a store that does not answer yet


def application() -> Server:
    """Returns the RSGI application, configured by the environment."""
    end_with_parent()
    settings = settings_from()
    if settings.redis_url is None:
        raise RuntimeError("the web server needs WINTERCOUNT_REDIS_URL")
    set_up(settings.log_level, settings.log_format)
    set_up_traces("web")
    warn_of_old_bundle(FOLDER, ASSETS)
    open_many(settings.connections + settings.threads)
    stores = needed(settings, settings.redis_url)
    server = Server(starting_app(stores), None, settings.threads)
    if all(why_not(url) is None for url in stores):
        _open(server, settings, settings.redis_url)
    else:
        threading.Thread(target=_open_later, args=(server, settings, settings.redis_url), daemon=True).start()
    return server


def open_many(connections: int) -> None:
    """Raises the limit of open files of the process, as far as the system allows."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = connections + SPARE
    if soft != resource.RLIM_INFINITY and soft < wanted:
        most = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))


def needed(settings: Settings, url: str) -> tuple[str, ...]:
    """Returns the stores that the service needs: the log's, and the key store if it is not a file."""
    return (url, settings.keys_url) if settings.keys_url else (url,)


def _open(server: Server, settings: Settings, url: str) -> None:
    learn_structs()
    services = services_from(settings, url, apart=True)
    never = threading.Event()
    Part(never, "erasures", services.eraser.finish_until, never, daemon=True).start()
    app, store = create_app(services), services.handler.log
    hot = HotLane(app, services.handler, PipelinedLog(store)) if isinstance(store, RedisLog) else None
    server.go_over_to(app, services.hub, hot)
    spare_what_stays()


def _open_later(server: Server, settings: Settings, url: str) -> None:
    """Opens the service when its stores answer; ends the process if that fails."""
    try:
        for store in needed(settings, url):
            wait_for(store)
        _open(server, settings, url)
    except BaseException:
        log.critical("the web server cannot start", exc_info=True)
        os._exit(1)


def starting_app(stores: Iterable[str]) -> Flask:
    """Returns the app that answers until the stores do, with what it waits for."""
    app = HttpApp("starting", static_folder=None)
    look = _lately(lambda: next((waits for url in stores if (waits := why_not(url))), None))
    app.register_error_handler(Refused, answer)

    @app.route("/", defaults={"path": ""}, methods=METHODS)
    @app.route("/<path:path>", methods=METHODS)
    def wait(path: str) -> Response:
        if path == "healthz":
            return Response(b'{"status":"alive"}', mimetype="application/json")
        waits = look() or Waits("store_loading", "the service opens")
        return answer(Refused(waits.code, waits.detail, **waits.figures))

    return app


def _lately(look: Callable[[], Waits | None]) -> Callable[[], Waits | None]:
    """Limits how often the store is checked, as each check opens a connection to a busy store."""
    seen: list[tuple[float, Waits | None]] = []

    def found() -> Waits | None:
        now = time.monotonic()
        if not seen or now >= seen[-1][0] + LOOKED_S:
            seen[:] = [(now, look())]
        return seen[-1][1]

    return found


def spare_what_stays() -> None:
    """Excludes long-lived objects from garbage collection: hardly anything here has cycles."""
    gc.collect()
    gc.freeze()
