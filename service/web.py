"""The web process: what granian calls for."""

import logging

from service.app import create_app, services_from
from service.config import settings_from
from service.server import Server


def application() -> Server:
    """The RSGI application, configured by the environment."""
    settings = settings_from()
    if settings.redis_url is None:
        raise RuntimeError("the web server needs WINTERCOUNT_REDIS_URL")
    logging.basicConfig(level=settings.log_level.upper())
    services = services_from(settings, settings.redis_url)
    return Server(create_app(services), services.hub, settings.threads)
