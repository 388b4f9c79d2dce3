"""Which addresses the service may connect to on behalf of others: the public internet, and what the operator allows."""

import ipaddress
from collections.abc import Sequence

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
Network = ipaddress.IPv4Network | ipaddress.IPv6Network
Networks = Sequence[Network]

NAT64 = ipaddress.IPv6Network("64:ff9b::/96")


def networks_of(text: str) -> Networks:
    """The networks that a setting names, separated by commas; raises `ValueError`."""
    return tuple([ipaddress.ip_network(word.strip()) for word in text.split(",") if word.strip()])


def is_allowed(address: Address, networks: Networks) -> bool:
    """Whether it is public, or in one of the networks that the operator allows."""
    real = embedded(address)
    return is_within(real, networks) or (real.is_global and not real.is_multicast and not real.is_reserved)


def is_within(address: Address, networks: Networks) -> bool:
    """Whether it is in one of the networks."""
    real = embedded(address)
    return any(real.version == network.version and real in network for network in networks)


def embedded(address: Address) -> Address:
    """The IPv4 address that an IPv6 address leads to, if it does: mapped, 6to4, Teredo or NAT64."""
    if isinstance(address, ipaddress.IPv4Address):
        return address
    teredo = address.teredo[1] if address.teredo else None
    nat64 = ipaddress.IPv4Address(int(address) & 0xFFFFFFFF) if address in NAT64 else None
    return address.ipv4_mapped or address.sixtofour or teredo or nat64 or address
