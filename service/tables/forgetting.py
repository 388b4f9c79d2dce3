"""Older tables, whose record holds names and texts in plain: what of them is told no more once a person was erased."""

from collections.abc import Iterator

from events.recorded import Recorded
from projections.history import History
from service.accounts.personal_texts import Teller
from service.errors import Refused
from service.tables.event_rows import plain_of


def plain_texts(history: History, player: str) -> Iterator[Recorded]:
    """The events that hold what a player is called or wrote in plain."""
    return (event for event in history.events if event.writer == player and plain_of(event))


def check_told(history: History, tell: Teller) -> None:
    """Raises `Refused` if the record cannot be handed out as it was hashed, as somebody in it was erased."""
    hidden = next((event for event in history.events if plain_of(event) and tell.hides(event.writer)), None)
    if hidden is not None:
        told = f"version {hidden.version} names in plain somebody who was erased, and its hash covers the name"
        raise Refused("gone", f"{told}: views, events and audits go on without it")
