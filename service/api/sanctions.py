"""What stands against accounts, as resources heed it: who is suspended is refused, and hidden names are not told."""

from collections.abc import Iterable

from service.accounts.callers import Caller
from service.api.common import caller, let_in, services, teller
from service.streams.follows import Followed


def not_suspended() -> Caller:
    """The caller, whose account is not suspended; raises `Refused`."""
    asking = caller()
    services().desk.sanctions.check(asking.id)
    return asking


def in_good_standing() -> Caller:
    """The caller, whose account is not suspended, to open something or to sit down; raises `Refused`.

    It is noted from where the account comes.
    """
    asking = not_suspended()
    note_address(asking.id)
    return asking


def note_address(player: str | None) -> None:
    """Notes from where an account comes, unless it is the operator's, who has none."""
    services().people.addresses.note(player, let_in().address)


def admit(stream: Followed) -> None:
    """Lets the answer become a stream; raises `Refused` for an account that is suspended, and if there are too many."""
    services().desk.sanctions.check(stream.caller.id)
    services().hub.admit(stream)


def names_of(players: Iterable[str]) -> dict[str, str]:
    """The names of those who have an account, by id, as others are told them."""
    tell = teller()
    return {player.id: tell.name(player) for player in services().accounts.players(players)}
