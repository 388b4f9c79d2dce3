"""Clients by their address: the connection's, or what a trusted proxy says of it."""

import ipaddress
import re

from service.outgoing_addresses import Address, Networks, embedded

IPV6_PREFIX = 64  # what one household or machine is given; whoever has it has all addresses in it

WITH_PORT = re.compile(r"\[(?P<v6>[^\]]+)\](:[0-9]{1,5})?|(?P<v4>[0-9.]+):[0-9]{1,5}")


def client_of(peer: str, forwarded: str | None, proxies: Networks) -> str:
    """The network of the client: the last hop of X-Forwarded-For that is not a trusted proxy, if the peer is one."""
    if not proxies:
        return network_of(peer)
    hops = [peer, *reversed([_without_port(hop.strip()) for hop in (forwarded or "").split(",") if hop.strip()])]
    found = peer
    for hop in hops:
        if not _is_address(hop):
            break
        found = hop
        if not is_proxy(hop, proxies):
            break
    return network_of(found)


def _without_port(hop: str) -> str:
    """A hop without the port of its connection, which some proxies write behind the address."""
    found = WITH_PORT.fullmatch(hop)
    return (found["v6"] or found["v4"]) if found else hop


def is_proxy(address: str, proxies: Networks) -> bool:
    """Whether the address is a trusted proxy's."""
    return bool(proxies) and any(_itself(address) in network for network in proxies)


def _itself(address: str) -> Address:
    """The sender itself: of a mapped address the IPv4 one, but not of 6to4, Teredo or NAT64, which only contain one."""
    found = ipaddress.ip_address(address)
    return (found.ipv4_mapped if isinstance(found, ipaddress.IPv6Address) else None) or found


def network_of(address: str) -> str:
    """What counts as one client: an address of IPv4, a network of IPv6."""
    found = embedded(ipaddress.ip_address(address.partition("%")[0]))
    if found.version == 4:
        return str(found)
    return str(ipaddress.ip_network((found, IPV6_PREFIX), strict=False))


def _is_address(text: str) -> bool:
    try:
        ipaddress.ip_address(text)
    except ValueError:
        return False
    return True
