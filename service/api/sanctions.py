"""What stands against accounts, as resources heed it: who is suspended is refused, and hidden names are not told."""

from collections.abc import Iterable

from service.accounts.callers import Caller
from service.accounts.names import Names
from service.api.common import caller, presenter, services
from service.streams.frames import Followed


def in_good_standing() -> Caller:
    """The caller, whose account is not suspended; raises `Refused`."""
    asking = caller()
    services().moderation.sanctions.check(asking.id)
    return asking


def admit(stream: Followed) -> None:
    """Lets the answer become a stream; raises `Refused` for an account that is suspended, and if there are too many."""
    services().moderation.sanctions.check(stream.caller.id)
    services().hub.admit(stream)


def names_of(players: Iterable[str]) -> Names:
    """What players are called, by id, or `somebody`."""
    return presenter().named(players)
