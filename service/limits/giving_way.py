"""Who gives way where there is no room: the address that has most, as few addresses would else keep out all others."""

from collections import Counter


def gives_way(held: Counter[str], asking: str, more: int = 1) -> str | None:
    """The address that gives way to `asking`, which wants `more`; None if it would then have as much as any other."""
    greediest = max(held, key=lambda address: held[address], default=asking)
    return greediest if held[greediest] > held[asking] + more else None
