"""What fails outside the app, before or behind it: told to the operator, and not to the client."""

import asyncio
import json
import logging
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest
from flask import Response, request

from service.api.admission import REFUSED
from service.error_handlers import handle_errors
from service.http import HttpApp
from service.server import Server
from tests.service.rsgi import scope

SECRET = "a hidden hand"  # in what fails
NAME = "the-clients-own-name"
Answered = list[tuple[int, dict[str, str], Any]]


def failing(*_: Any) -> Any:
    raise ZeroDivisionError(SECRET)


class Planted:
    """A web server whose app says good day; `given_up` are the streams that were."""

    def __init__(self) -> None:
        self.app, self.given_up = HttpApp("planted"), list[Any]()
        self.app.add_url_rule("/hello", view_func=lambda: "good day")
        handle_errors(self.app)

        @self.app.before_request
        def refuse() -> None:
            if REFUSED in request.environ:
                raise request.environ[REFUSED]

        hub: Any = SimpleNamespace(dismiss=self.given_up.append)
        self.server = Server(self.app, hub, 1)

    def ask(self, path: str = "/hello", method: str = "GET") -> tuple[int, dict[str, str], Any]:
        """Status, headers and document of the one answer."""
        told: Answered = []

        def take(status: int, headers: list[tuple[str, str]], body: bytes) -> None:
            told.append((status, {name.lower(): value for name, value in headers}, json.loads(body)))

        asked = scope(path, method, **{"x-request-id": NAME})
        asyncio.run(
            self.server.__rsgi__(asked, SimpleNamespace(response_bytes=take, client_disconnect=asyncio.Event().wait))
        )
        (answer,) = told
        return answer


def before_the_app(planted: Planted) -> None:
    """The server cannot find out who asks."""
    planted.app.extensions["admission"] = SimpleNamespace(largest_body=failing)


def in_its_content(planted: Planted) -> None:
    """The content is made as it is read."""
    content = map(failing, [b""])
    planted.app.view_functions["<lambda>"] = lambda: Response(content)


def behind_it(planted: Planted) -> None:
    """The app has answered, and cleans up."""

    def fails_once(_: Any) -> None:
        if REFUSED not in request.environ:
            failing()

    planted.app.teardown_request(fails_once)


def each_time(planted: Planted) -> None:
    """The app can answer nothing, not even that it failed."""
    planted.app.teardown_request(failing)


def in_the_request(planted: Planted) -> None:
    """Its headers cannot be read."""
    planted.server._in_a_thread = failing  # type: ignore[method-assign, assignment]


@pytest.mark.parametrize("fails", [before_the_app, in_its_content, behind_it, each_time, in_the_request])
def test_what_fails_outside_the_app_is_a_problem_and_in_the_log(
    fails: Callable[[Planted], None], caplog: pytest.LogCaptureFixture
) -> None:
    """One document, which names the request and nothing of what happened; the log has all of it."""
    fails(planted := Planted())
    with caplog.at_level(logging.ERROR):
        status, headers, document = planted.ask(method="POST" if fails is before_the_app else "GET")
    assert (status, headers["content-type"]) == (500, "application/problem+json")
    assert (document["code"], document["request_id"], headers["x-request-id"]) == ("internal", NAME, NAME)
    assert SECRET not in json.dumps(document)
    assert f"ZeroDivisionError: {SECRET}" in caplog.text


@pytest.mark.parametrize(("path", "route"), [("/links/i_known", "GET /links/<link>"), ("/nothing/i_known", "any none")])
@pytest.mark.parametrize("fails", [each_time, in_the_request])
def test_what_fails_outside_the_app_is_told_by_its_route(
    fails: Callable[[Planted], None], path: str, route: str, caplog: pytest.LogCaptureFixture
) -> None:
    """A path may hold a secret link, with which a reader of the log could sit down."""
    fails(planted := Planted())
    planted.app.add_url_rule("/links/<link>", "link", lambda link: f"good day, {link}")
    assert planted.ask(path)[0] == 500
    assert f"{route}, outside the app" in caplog.text
    assert "i_known" not in caplog.text
