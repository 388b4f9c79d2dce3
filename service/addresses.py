"""IP addresses: which one counts as the client's, and which ones the service may connect to for others."""

import ipaddress
import re
from collections.abc import Sequence
from typing import NamedTuple

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
Network = ipaddress.IPv4Network | ipaddress.IPv6Network
Networks = Sequence[Network]
Ports = Sequence[range]

LARGEST_PORT = 65535
HTTPS = 443


def networks_of(text: str) -> Networks:
    """Returns the networks in a setting, separated by commas; raises `ValueError`."""
    return tuple([ipaddress.ip_network(word) for word in _words(text)])


def ports_of(text: str) -> Ports:
    """Returns the ports in a setting, such as 443,8000-8999; raises `ValueError`."""
    return tuple([_ports(word) for word in _words(text)])


def _words(text: str) -> list[str]:
    return [word.strip() for word in text.split(",") if word.strip()]


def _ports(word: str) -> range:
    first, dash, last = word.partition("-")
    found = range(int(first), int(last if dash else first) + 1)
    if not found or not 0 < found[0] <= found[-1] <= LARGEST_PORT:
        raise ValueError(f"{word!r} is neither a port from 1 to {LARGEST_PORT} nor a range of them")
    return found


LOOPBACK = networks_of("127.0.0.0/8, ::1/128")
NAT64 = ipaddress.IPv6Network("64:ff9b::/96")
GLOBAL_UNICAST = ipaddress.IPv6Network("2000::/3")  # the rest of IPv6 is for special purposes, or unassigned

# The registries of special-purpose addresses (RFC 6890 and later additions), and deprecated ones. What Python knows of
# them differs between versions.
SPECIAL = networks_of(
    "0.0.0.0/8, 10.0.0.0/8, 100.64.0.0/10, 127.0.0.0/8, 169.254.0.0/16, 172.16.0.0/12,"  # this, private, shared, local
    "192.0.0.0/24, 192.0.2.0/24, 192.31.196.0/24, 192.52.193.0/24, 192.88.99.0/24, 192.168.0.0/16,"  # protocols, 6to4
    "192.175.48.0/24, 198.18.0.0/15, 198.51.100.0/24, 203.0.113.0/24,"  # AS112, benchmarks, documentation
    "224.0.0.0/4, 240.0.0.0/4,"  # multicast, reserved
    "2001::/23, 2001:db8::/32, 2002::/16, 2620:4f:8000::/48, 3fff::/20"  # protocols, documentation, 6to4, AS112
)


class Reach(NamedTuple):
    """Where the service may connect to: networks besides the internet, and ports."""

    networks: Networks = ()
    ports: Ports = (range(HTTPS, HTTPS + 1),)

    def has_port(self, port: int) -> bool:
        """Whether the port is allowed."""
        return any(port in ports for ports in self.ports)

    def and_this_machine(self) -> "Reach":
        """Returns the same with this machine's own addresses and every port."""
        return Reach((*self.networks, *LOOPBACK), (range(1, LARGEST_PORT + 1),))


def is_allowed(address: Address, networks: Networks) -> bool:
    """Whether the address is public, or in a network that the operator allows."""
    return is_within(address, networks) or is_public(embedded(address))


def is_public(address: Address) -> bool:
    """Whether this is an address of the public internet without a special purpose."""
    if address.version == 6 and address not in GLOBAL_UNICAST:
        return False
    return not is_within(address, SPECIAL)


def is_within(address: Address, networks: Networks) -> bool:
    """Whether the address is in one of the networks."""
    real = embedded(address)
    return any(real.version == network.version and real in network for network in networks)


def embedded(address: Address) -> Address:
    """Returns the IPv4 address that an IPv6 address leads to, if it does: mapped, 6to4, Teredo or NAT64."""
    if isinstance(address, ipaddress.IPv4Address):
        return address
    teredo = address.teredo[1] if address.teredo else None
    nat64 = ipaddress.IPv4Address(int(address) & 0xFFFFFFFF) if address in NAT64 else None
    return address.ipv4_mapped or address.sixtofour or teredo or nat64 or address


IPV6_PREFIX = 64  # what one household or machine gets
WITH_PORT = re.compile(r"\[(?P<v6>[^\]]+)\](:[0-9]{1,5})?|(?P<v4>[0-9.]+):[0-9]{1,5}")


def client_of(peer: str, forwarded: str | None, proxies: Networks) -> str:
    """Returns the client's network: the last hop in X-Forwarded-For that is not a trusted proxy, if the peer is one."""
    hops = [_without_port(hop.strip()) for hop in (forwarded or "").split(",") if hop.strip()]
    found = peer
    while proxies and hops and is_address(hops[-1]) and _is_proxy(found, proxies):
        found = hops.pop()
    return network_of(found)


def _without_port(hop: str) -> str:
    """Returns a hop without its port, which some proxies add."""
    found = WITH_PORT.fullmatch(hop)
    return (found["v6"] or found["v4"]) if found else hop


def _is_proxy(hop: str, proxies: Networks) -> bool:
    """Whether a hop is a trusted proxy: also a mapped address, but not 6to4, Teredo or NAT64, which contain one."""
    if not is_address(hop):
        return False
    address = ipaddress.ip_address(hop)
    real = (address.ipv4_mapped if isinstance(address, ipaddress.IPv6Address) else None) or address
    return any(real in network for network in proxies)


def network_of(address: str) -> str:
    """Returns what counts as one client: an address of IPv4, a network of IPv6."""
    found = embedded(ipaddress.ip_address(address.partition("%")[0]))
    if found.version == 4:
        return str(found)
    return str(ipaddress.ip_network((found, IPV6_PREFIX), strict=False))


def is_address(text: str) -> bool:
    """Whether a text is an IP address."""
    try:
        ipaddress.ip_address(text)
    except ValueError:
        return False
    return True
