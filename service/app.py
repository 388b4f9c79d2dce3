"""The Flask app: the resources, the page and the documentation."""

from collections.abc import Callable
from importlib import import_module

from flask import Flask

from service.api.admission import Admission, install_admission
from service.api.common import Services
from service.api.documentation import blueprint as documentation
from service.api.request_parsing import PathWhole
from service.error_handlers import handle_errors
from service.http import HttpApp
from service.limits.bodies import LARGEST_BODY
from service.page import blueprint as page

NAMES = (  # of the modules of `service.api` with the resources, in the order of the API document
    *("games", "players", "signing_in", "tables", "lessons", "moves", "events", "feed", "rulings", "time_travel"),
    *("analyses", "audits", "disputes", "offers", "forks", "transcripts", "inbox", "personal_data", "profiles"),
    *("blocks", "invitations", "moderation", "health", "finished_games", "dumps"),
)
RESOURCES = [import_module(f"service.api.{name}") for name in NAMES]


def flask_app(services: Services | None, efforts: Callable[[str], dict[str, int]]) -> Flask:
    """Returns the app of these services; without them it answers only what needs no store.

    `efforts` returns the AI levels that play a game, with their iterations.
    """
    app = empty_app()
    app.extensions["wintercount"], app.extensions["efforts"] = services, efforts
    for blueprint in (*(resource.blueprint for resource in RESOURCES), documentation, page):
        app.register_blueprint(blueprint)
    handle_errors(app)
    install_admission(app, services and Admission(app, services.accounts, services.rates, services.proxies))
    return app


def empty_app() -> Flask:
    """Returns an app without resources, with the settings that they need."""
    app = HttpApp("service", static_folder=None)
    app.config.update(MAX_CONTENT_LENGTH=LARGEST_BODY)
    app.json.sort_keys = False  # type: ignore[attr-defined] # Flask's default provider has it
    app.url_map.merge_slashes = False  # a path with two slashes in a row does not exist
    app.url_map.converters["int"] = PathWhole
    return app
