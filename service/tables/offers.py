"""Offers: to take a move back, to abort the game, or to call it a draw. All who are asked must agree.

Where nobody has to be asked, the offer is granted at once.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

from events.envelopes import NewEvent
from projections.history import TableHistory
from service.command_handler import CommandContext, Decision, TableHandler, command
from service.errors import Refused
from service.tables import leaving, takebacks
from service.tables.playing import check_holds, check_running
from service.tables.takebacks import Terms

KINDS: dict[str, Callable[[TableHistory, Any, str], Terms]] = {
    "takeback": takebacks.terms,
    "abort": leaving.abortion,
    "draw": leaving.draw,
}


class Consent(NamedTuple):
    """A seat's answer to an offer."""

    seat: int
    agrees: bool


@command
def make(_: TableHandler, history: TableHistory, sent: CommandContext, kind: str, seat: int | None) -> Decision:
    """Makes an offer, or grants it where nobody has to agree. Only the opener may abort without a `seat`."""
    table = history.table
    if seat is not None or kind != "abort" or sent.player.id != table.opened.opened_by:
        check_holds(table, seat or 0, sent.player.id)
    if table.closed:
        check_running(table)
    terms = KINDS[kind](history, seat, sent.player.id)
    if not terms.of:
        new_events, sealed = terms.grant()
        return Decision(new_events, sent.by, sealed)
    payload = {"offer": f"o{table.version + 1}", "kind": kind, "seat": seat, "to": terms.to, "of": list(terms.of)}
    return Decision((NewEvent("OfferMade", payload, {}),), sent.by)


@command
def answer(_: TableHandler, history: TableHistory, sent: CommandContext, offer: str, said: Consent) -> Decision:
    """Records a seat's answer to an offer; when the last one agrees, grants it."""
    table = history.table
    check_holds(table, said.seat, sent.player.id)
    check_running(table)
    found = table.offer
    if found is None or not found.is_named(offer):
        raise Refused("no_such_offer", "it was answered, or play has gone on")
    if said.seat not in found.missing:
        raise Refused("not_allowed", f"seat {said.seat} was not asked, or has answered")
    payload = {"offer": found.offer, "seat": said.seat, "agrees": said.agrees}
    answered = NewEvent("OfferAnswered", payload, {})
    if not said.agrees or found.missing != (said.seat,):
        return Decision((answered,), sent.by)
    new_events, sealed = KINDS[found.kind](history, found.seat, sent.player.id).grant()
    return Decision((answered, *new_events), sent.by, sealed)
