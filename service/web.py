"""The web process: what granian calls for."""

import gc
import logging
import threading

from events.store import connect
from service.api.common import Services
from service.app import create_app, services_from
from service.bodies import Bodies
from service.config import Settings, settings_from
from service.connections import Watch, open_many
from service.memory import keep_little
from service.server import Server

COLLECTED_AFTER = 20_000  # objects made and not yet freed


def application() -> Server:
    """The RSGI application, configured by the environment."""
    settings = settings_from()
    if settings.redis_url is None:
        raise RuntimeError("the web server needs WINTERCOUNT_REDIS_URL")
    logging.basicConfig(level=settings.log_level.upper())
    keep_little()
    services = services_from(settings, settings.redis_url)
    share(services, settings)
    open_many(settings.connections + settings.threads)
    server = Server(
        create_app(services), services.hub, settings.threads, Bodies(settings.bodies_mb << 20, settings.body_s)
    )
    Watch(settings.port, settings.connections_per_address, settings.proxies).start()
    spare_what_stays()
    return server


def share(services: Services, settings: Settings) -> None:
    """Tells the other web processes by way of rq's Redis what is spent here, in a thread that ends with the process."""
    client = connect(settings.queue_url or str(settings.redis_url))
    threading.Thread(
        target=services.limits.share_until, args=(threading.Event(), client), name="budgets", daemon=True
    ).start()


def spare_what_stays() -> None:
    """Keeps the garbage collector from looking again and again at what lives long: hardly anything here has cycles."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(COLLECTED_AFTER)
