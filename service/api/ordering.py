"""What is checked before a table is opened or branched: quotas, and the levels of its AI seats."""

from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager, nullcontext

from events.lifecycle import SeatOffer
from service.accounts.callers import Caller
from service.api.common import efforts, handler, services
from service.api.request_names import idempotency_key
from service.levels import check_played
from service.tables.ids import table_id
from service.tables.opening import game_of


def within_quota(asking: Caller, wanted: dict[str, int], name: bytes) -> AbstractContextManager[None]:
    """A context in which a table is opened that the account may have, or that this request has opened before.

    Raises `Refused` if the account has too much open.
    """
    table = table_id(name)
    if idempotency_key() and handler().histories.fresh(table):
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
