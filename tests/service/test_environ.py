"""What the app is told of a request: the address it came from, and headers that pass for no other."""

import pytest
from werkzeug import Request

from service.server import environ_of
from tests.service.rsgi import Headers, scope


@pytest.mark.parametrize(
    ("client", "address"), [("127.0.0.1:9", "127.0.0.1"), ("[::1]:9", "::1"), ("[2001:db8::7]:50000", "2001:db8::7")]
)
def test_an_address_is_one(client: str, address: str) -> None:
    """Of IPv6 as well, which the server writes in brackets."""
    asked = scope("/v1/games")
    asked.client = client
    assert environ_of(asked)["REMOTE_ADDR"] == address


def test_a_header_with_an_underscore_passes_for_no_other() -> None:
    """A proxy that sets the one with a dash may leave the other as the client wrote it."""
    asked = scope("/v1/games")
    asked.headers = Headers({"x-forwarded-for": "198.51.100.1", "x_forwarded_for": "192.0.2.9", "idempotency_key": "a"})
    environ = environ_of(asked)
    assert environ["HTTP_X_FORWARDED_FOR"] == "198.51.100.1"
    assert "HTTP_IDEMPOTENCY_KEY" not in environ


def test_a_query_that_escapes_nothing_is_read_as_one_that_does() -> None:
    """Letters beyond ASCII that a client sends as they are, and that granian has read as UTF-8."""
    asked = scope("/v1/tables")
    asked.query_string = "game=é"
    assert Request(environ_of(asked)).args["game"] == "é"
