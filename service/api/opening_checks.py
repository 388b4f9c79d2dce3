"""What is checked before a table is opened or a seat taken: quotas, levels, blocks, ratings, invitations."""

from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager, nullcontext

from events.lifecycle import SeatOffer
from events.times import stamp
from projections.table import Table
from service.accounts.callers import Caller, Player
from service.accounts.invitations import Invitation
from service.api.common import efforts, handler, redis_log, services
from service.api.request_names import idempotency_key
from service.errors import Refused
from service.levels import check_played
from service.tables.listing import check_rating, is_bounded
from service.tables.opening import game_of, table_id


def within_quota(asking: Caller, wanted: dict[str, int], name: bytes) -> AbstractContextManager[None]:
    """A context in which a table is opened that the account may have, or that this request has opened before.

    Raises `Refused` if the account has too much open.
    """
    table = table_id(name)
    if idempotency_key() and handler().cache.load(table):
        return nullcontext()
    return services().quotas.opening(asking, table, wanted)


def wanted_of(seats: Iterable[SeatOffer] | None) -> dict[str, int]:
    """What a new table counts for."""
    return {"tables": 1, "ai_seats": sum(offer.kind == "ai" for offer in seats or ())}


def levels_of(seats: Iterable[SeatOffer] | None) -> list[str]:
    """The levels of the AI seats of a new table."""
    return [offer.level for offer in seats or () if offer.level]


def check_levels(game: str, levels: Sequence[str]) -> None:
    """Raises `Refused` if nobody plays the game at such a level."""
    if levels:
        check_played(game_of(game).title, efforts(game), levels)


def invited_by(name: str | None, table: str, seat: int) -> Invitation | None:
    """The invitation that somebody shows; raises `Refused` if it leads elsewhere or to nothing."""
    if name is None:
        return None
    found = services().people.invitations.get(name)
    if found.table != table or found.seat not in (None, seat):
        raise Refused("no_such_invitation", f"{name!r} is no invitation to this seat")
    return found


def note_accepted(invitation: Invitation | None, player: Player) -> None:
    """Notes that whoever showed an invitation sits: from then on it lets in nobody else."""
    if invitation is not None:
        services().people.invitations.answer(invitation.id, "accepted", stamp(handler().now_ms()), player.id)


def check_sitting(player: Player, seat: int, invitation: Invitation | None, table: Table) -> None:
    """Raises `Refused` for company that is not wanted, and for a rating outside the range of the table."""
    check_company(player.id, [each.player for each in table.seats if each.player])
    if is_bounded(table, seat, player.id) and not _is_admitted(invitation, table, player.id):
        check_rating(redis_log(), table, player.id)


def check_company(player: str, others: list[str]) -> None:
    """Raises `Refused` where somebody sits whom the player has blocked, or who has blocked the player: both alike."""
    if services().people.blocks.any_between(player, others):
        raise Refused("not_allowed", "you and somebody at this table are not seated together")


def _is_admitted(invitation: Invitation | None, table: Table, player: str) -> bool:
    """Whether the opener's invitation admits a player whatever their rating."""
    if invitation is None or invitation.by != table.opened.opened_by:
        return False
    return services().people.invitations.admits(invitation.id, player)
