"""Who gives way where there is no room: the address that has most, as few addresses would else keep out all others."""

from collections import Counter
from typing import TypeVar

Held = TypeVar("Held")


def gives_way(held: Counter[str], asking: str, more: int = 1) -> str | None:
    """The address that gives way to `asking`, which wants `more`; None if it would then have as much as any other."""
    greediest = max(held, key=lambda address: held[address], default=asking)
    return greediest if held[greediest] > held[asking] + more else None


def last_to_give_way(addresses: dict[Held, str], asking: str) -> Held | None:
    """What was taken last of the address that gives way to `asking`; None if none does.

    `addresses` has the address of whatever is held, in the order in which it was taken.
    """
    greediest = gives_way(Counter(addresses.values()), asking)
    return next((held for held, address in reversed(addresses.items()) if address == greediest), None)
