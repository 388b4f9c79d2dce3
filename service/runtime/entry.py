"""Admits requests: the server asks before it reads a body, the app for requests that came another way."""

from flask import Flask, Request, Response, request

from service.api.admission import ASKING, REFUSED, Admission
from service.api.common import Services, admission
from service.api.strict import check_unread


def let_in(app: Flask, services: Services | None) -> None:
    """Lets the server check who sends a body before it reads it; the app answers what the server refused."""
    if services is not None:
        app.extensions["admission"] = Admission(app, services.accounts, services.limits, services.proxies)

    @app.before_request
    def _let_in() -> None:
        if REFUSED in request.environ:
            raise request.environ[REFUSED]
        if services is not None:
            _admit(request)
        if request.endpoint and request.method != "OPTIONS":
            check_unread(app.view_functions[request.endpoint])

    @app.after_request
    def _tell(response: Response) -> Response:
        if ASKING in request.environ:
            response.headers.update(admission().fields(request.environ[ASKING]))
        return response


def _admit(asked: Request) -> None:
    """Finds out who asks, if the server has not; what is at no path is charged to the address."""
    if asked.url_rule is None:
        admission().pass_by(asked.environ)
    elif ASKING not in asked.environ and asked.method != "OPTIONS":
        found = admission().operation_of(asked.method, asked.url_rule, asked.view_args or {})
        admission().admit(found, asked.environ)
