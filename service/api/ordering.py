"""What is counted before a table is opened, branched or taken back: quotas, and what its AI seats will think."""

import math
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager, nullcontext

from events.lifecycle import SeatOffer
from projections.table import Table
from service.accounts.callers import Caller
from service.api.common import admission, efforts, handler, let_in, services
from service.api.request_names import idempotency_key
from service.levels import check_played
from service.tables.departing import LEVEL
from service.tables.ids import table_id
from service.tables.opening import game_of

DECISIONS = 20  # that a seat takes in a short game
LEAVING_MS = 3  # of a table that somebody leaves for good
STAND_IN_S = 1  # of thinking for whoever has left one, as `LEVEL` plays


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


def order_thinking(game: str, levels: Sequence[str]) -> None:
    """Charges what AI seats will think; raises `Refused`, also if nobody plays the game at such a level."""
    if levels:
        admission().spend(let_in(), "thinking", thinking_s(game, levels))


def order_again(table: Table, choices: int) -> None:
    """Charges what AI seats will think again if play goes back by so many choices of each; raises `Refused`."""
    played, share = efforts(table.opened.game), min(1.0, max(1, choices) / DECISIONS)
    seats_s = [played[seat.ai.level].seat_s for seat in table.seats if seat.ai and seat.ai.level in played]
    if any(seats_s):
        admission().spend(let_in(), "thinking", sum(math.ceil(seat_s * share) for seat_s in seats_s))


def stand_in_order(game: str, level: str) -> Callable[[], None]:
    """What charges for an AI that plays on for somebody; raises `Refused` if nobody plays the game at such a level.

    It refuses none that plays as those do who play on for whoever leaves for good: the game can go on, whatever was
    spent.
    """
    charged, cost_s = (admission().note if level == LEVEL else admission().spend), thinking_s(game, [level])
    return lambda: charged(let_in(), "thinking", cost_s)


def order_leaving(tables: int) -> None:
    """Charges what it takes to leave so many tables, where an AI player may play on; nothing is refused."""
    admission().note(let_in(), "work", tables * LEAVING_MS)
    admission().note(let_in(), "thinking", tables * STAND_IN_S)


def thinking_s(game: str, levels: Sequence[str]) -> int:
    """What seats of these levels will cost, in processor seconds; raises `Refused` if nobody plays the game so."""
    title, played = game_of(game).title, efforts(game)
    check_played(title, played, levels)
    return sum(played[level].seat_s for level in levels)
