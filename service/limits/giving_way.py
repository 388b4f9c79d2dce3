"""Who gives way where there is no room: the site that has most, as few addresses would else keep out all others.

A site is an IPv4 address, or the networks of IPv6 that somebody may be given together: each of these alone has little.
"""

from collections import Counter
from collections.abc import Mapping
from typing import TypeVar

from service.limits.client_addresses import site_of

Held = TypeVar("Held")


def gives_way(held: Mapping[str, int], asking: str, more: int = 1) -> str | None:
    """The site that gives way to an address that wants `more`; None if it would then have as much as any other.

    `held` is what each address has.
    """
    sites, own = Counter[str](), site_of(asking)
    for address, much in held.items():
        sites[site_of(address)] += much
    greediest = max(sites, key=lambda site: sites[site], default=own)
    return greediest if sites[greediest] > sites[own] + more else None


def last_to_give_way(addresses: dict[Held, str], asking: str) -> Held | None:
    """What was taken last of the site that gives way to an address that asks; None if none does.

    `addresses` has the address of whatever is held, in the order in which it was taken.
    """
    greediest = gives_way(Counter(addresses.values()), asking)
    return next((held for held, address in reversed(addresses.items()) if site_of(address) == greediest), None)
