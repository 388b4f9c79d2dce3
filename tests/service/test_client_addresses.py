"""Whose request it is: the connection's address, or what trusted proxies say; each client counts as one."""

import pytest
from werkzeug import Request

from service.addresses import client_of, networks_of
from service.server import environ_of
from tests.service.rsgi import Headers, scope

PROXIES = networks_of("10.0.0.0/8, ::1/128, 2001:db8:ffff::/48")
SAME = (
    ("192.0.2.7", "::ffff:192.0.2.7", "::ffff:c000:207"),  # mapped: how a socket of both kinds names IPv4
    ("192.0.2.7", "2002:c000:207::1", "2002:c000:207:1::1", "2002:c000:207:ffff:1:2:3:4"),  # 6to4: a /48 each
    ("192.0.2.7", "64:ff9b::192.0.2.7"),  # NAT64
    ("192.0.2.7", "2001:0:5ef5:79fb:0:1:3fff:fdf8", "2001:0:5ef5:79fb:8000:2:3fff:fdf8"),  # Teredo: whatever port
    ("2001:db8::1", "2001:db8::ffff:ffff:ffff:ffff", "2001:db8:0:0:1::"),  # one /64
    ("fe80::1%eth0", "fe80::2%eth1"),  # the name of an interface is none of an address
)


@pytest.mark.parametrize(
    ("peer", "forwarded", "client"),
    [
        ("203.0.113.7", None, "203.0.113.7"),
        ("203.0.113.7", "198.51.100.1", "203.0.113.7"),  # whoever is no proxy may claim anything
        ("10.1.2.3", None, "10.1.2.3"),
        ("10.1.2.3", "198.51.100.1", "198.51.100.1"),
        ("10.1.2.3", "192.0.2.9, 198.51.100.1", "198.51.100.1"),  # what stands before it the client wrote himself
        ("10.1.2.3", "198.51.100.1, 10.9.9.9", "198.51.100.1"),
        ("10.1.2.3", "nonsense", "10.1.2.3"),
        ("10.1.2.3", "192.0.2.9, 198.51.100.1:40123", "198.51.100.1"),  # some proxies write the port too
        ("10.1.2.3", "198.51.100.1:40123, 10.9.9.9:80", "198.51.100.1"),
        ("10.1.2.3", "[2001:db8:1:2::6]:443", "2001:db8:1:2::/64"),
        ("10.1.2.3", "[2001:db8:1:2::6]", "2001:db8:1:2::/64"),
        ("10.1.2.3", "198.51.100.1:nonsense", "10.1.2.3"),
        ("::1", "2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2::9", None, "2001:db8:1:2::/64"),
        ("::ffff:203.0.113.7", None, "203.0.113.7"),
        ("::ffff:10.1.2.3", "198.51.100.1", "198.51.100.1"),
        ("2002:a01:203::5", "198.51.100.1", "10.1.2.3"),  # holds a proxy's address and is none
        ("::ffff:10.1.2.3", "192.0.2.7", "192.0.2.7"),  # a proxy that is connected by a socket of both kinds
        ("2001:db8:ffff::1", "192.0.2.7", "192.0.2.7"),
        ("2002:a01:203::1", "192.0.2.7", "10.1.2.3"),  # 6to4 of a proxy's address is anybody's
        ("64:ff9b::10.1.2.3", "192.0.2.7", "10.1.2.3"),
        ("10.1.2.3", "192.0.2.7, ::ffff:10.9.9.9", "192.0.2.7"),
        ("10.1.2.3", "192.0.2.7, 2002:a09:909::1", "10.9.9.9"),
        ("198.51.100.1", "192.0.2.7", "198.51.100.1"),  # no proxy of ours
    ],
)
def test_the_client_is_the_last_hop_that_is_no_trusted_proxy(peer: str, forwarded: str | None, client: str) -> None:
    assert client_of(peer, forwarded, PROXIES) == client


def test_without_trusted_proxies_nobody_speaks_for_others() -> None:
    assert client_of("10.1.2.3", "198.51.100.1", ()) == "10.1.2.3"


@pytest.mark.parametrize("forms", SAME, ids=lambda forms: forms[1])
@pytest.mark.parametrize("forwarded", [False, True])
def test_all_addresses_of_a_client_count_as_one(forms: tuple[str, ...], forwarded: bool) -> None:
    """As the connection has them, and as a trusted proxy tells of them."""
    asked = [("10.1.2.3", form) if forwarded else (form, None) for form in forms]
    assert len({client_of(peer, hops, PROXIES) for peer, hops in asked}) == 1


@pytest.mark.parametrize("other", ["192.0.2.8", "::ffff:192.0.2.8", "2002:c000:208::1", "2001:db8:0:1::1"])
def test_others_count_for_themselves(other: str) -> None:
    clients = {client_of(address, None, ()) for address in ("192.0.2.7", "2001:db8::1", other)}
    assert len(clients) == 3


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
