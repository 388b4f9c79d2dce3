"""The Flask app: resources, the page, and the OpenAPI document."""

from collections.abc import Callable
from functools import partial
from typing import Any

from flask import Flask
from flask_smorest import Api

from service.api.admission import Admission, let_in
from service.api.common import Services
from service.api.document.openapi import SPEC_OPTIONS, complete
from service.api.strict import PathWhole
from service.http import HttpApp
from service.levels import Effort
from service.limits.bodies import LARGEST_BODY
from service.page import blueprint as page
from service.problems import handle_errors
from service.resources import DOCUMENTATION, RESOURCES

MADE: dict[str, Any] = {}  # by name, of the code alone: what is told of the API is the same in every app


def flask_app(services: Services | None, efforts: Callable[[str], dict[str, Effort]]) -> Flask:
    """The app that serves these services; without them it answers only what needs no store.

    `efforts` returns the AI levels that play a game.
    """
    app = _empty_app()
    app.extensions["wintercount"], app.extensions["efforts"] = services, efforts
    app.extensions["once"] = MADE
    app.extensions["openapi"] = partial(_document_in, MADE)
    for resource in (*RESOURCES, DOCUMENTATION):
        app.register_blueprint(resource.blueprint)
    app.register_blueprint(page)
    handle_errors(app)
    let_in(app, services and Admission(app, services.accounts, services.rates, services.proxies))
    return app


def _empty_app() -> Flask:
    app = HttpApp("service", static_folder=None)
    app.config.update(MAX_CONTENT_LENGTH=LARGEST_BODY, **SPEC_OPTIONS)
    app.json.sort_keys = False  # type: ignore[attr-defined] # Flask's default provider has it
    app.url_map.merge_slashes = False  # a path is right as it stands, or nothing is there
    app.url_map.converters["int"] = PathWhole
    return app


def _document_in(made: dict[str, Any]) -> dict[str, Any]:
    """The document among what was made, made when somebody first asks for it."""
    if "document" not in made:
        made["document"] = document()
    found: dict[str, Any] = made["document"]
    return found


def document() -> dict[str, Any]:
    """The OpenAPI document. An app makes it when it is first asked for: it takes longer than all of `create_app`."""
    api = Api(_empty_app())
    for resource in RESOURCES:
        api.register_blueprint(resource.blueprint)
    return complete(api.spec.to_dict())
