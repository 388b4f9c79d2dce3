"""Checks before a table is opened or a seat is taken: quotas, levels, blocks, ratings, invitations."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, nullcontext

from flask import request

from events.lifecycle import SeatOffer
from projections.table import Table
from service.accounts.callers import Player
from service.accounts.invitations import Invitation
from service.api.common import efforts, handler, now, redis_log, services
from service.api.idempotency import key_in, table_name
from service.command_handler import CommandContext
from service.errors import Refused
from service.tables.opening import game_of, table_id
from service.tables.table_lists import check_rating


@contextmanager
def within_quota(sent: CommandContext, game: str, seats: Iterable[SeatOffer] | None) -> Iterator[bytes]:
    """Reserves quota for a table that is opened in the context by this name; raises `Refused`, also for wrong levels.

    A repeat of the request that opened it needs no quota.
    """
    name, offers = table_name(sent.request), tuple(seats or ())
    wanted = {"tables": 1, "ai_seats": sum(offer.kind == "ai" for offer in offers)}
    is_repeat = key_in(request.environ) and handler().cache.load(table_id(name))
    with nullcontext() if is_repeat else services().quotas.reserved("tables", sent.caller, table_id(name), wanted):
        check_levels(game, [offer.level for offer in offers if offer.level])
        yield name


def check_levels(game: str, levels: Sequence[str]) -> None:
    """Raises `Refused` for a level that does not play the game."""
    title, played = game_of(game).title, efforts(game)
    for level in levels:
        if level not in played:
            raise Refused("opening_refused", f"{title} has no level {level!r}; choose from {', '.join(played)}")


def invited_by(name: str | None, table: str, seat: int) -> Invitation | None:
    """Returns the invitation in a request; raises `Refused` if it is void or for another table."""
    if name is None:
        return None
    found = services().people.invitations.get(name)
    if found.table != table or found.seat not in (None, seat):
        raise Refused("no_such_invitation", f"{name!r} is no invitation to this seat")
    return found


def note_accepted(invitation: Invitation | None, player: Player) -> None:
    """Records that an invitation was accepted: it admits nobody else from then on."""
    if invitation is not None:
        services().people.invitations.answer(invitation.id, "accepted", now(), player.id)


def check_sitting(player: Player, seat: int, invitation: Invitation | None, table: Table) -> None:
    """Raises `Refused` for blocked company, and for a rating outside the range of the table."""
    check_company(player.id, [each.player for each in table.seats if each.player])
    opener, invitations = table.opened.opened_by, services().people.invitations
    is_bounded = table.opened.ratings and table.opened.seats[seat - 1].kind == "open" and opener != player.id
    if is_bounded and not (invitation and invitation.by == opener and invitations.admits(invitation.id, player.id)):
        check_rating(redis_log(), table, player.id)


def check_company(player: str, others: list[str]) -> None:
    """Raises `Refused` if the player and somebody seated have blocked each other, in either direction."""
    if services().people.blocks.any_between(player, others):
        raise Refused("not_allowed", "you and somebody at this table are not seated together")
