"""Whose request it is: the connection's address, or what trusted proxies say."""

import pytest

from service.ip_addresses import networks_of
from service.limits.clients import client_of

PROXIES = networks_of("10.0.0.0/8,::1/128")


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
    ],
)
def test_the_client_is_the_last_hop_that_is_no_trusted_proxy(peer: str, forwarded: str | None, client: str) -> None:
    assert client_of(peer, forwarded, PROXIES) == client


def test_without_trusted_proxies_nobody_speaks_for_others() -> None:
    assert client_of("10.1.2.3", "198.51.100.1", ()) == "10.1.2.3"
