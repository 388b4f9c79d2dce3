"""How much a table takes in beside its moves: the more has happened there, the more it costs to read and to keep."""

from collections.abc import Sequence

from events.recorded import NewEvent
from projections.history import History
from projections.table import Table
from service.errors import Refused

MOST_EVENTS = 5_000  # eight times as many as the longest game on record has
MOST_COMMENTS = 500  # every answer about disputes holds them all, decrypted
BESIDE_PLAY = frozenset(
    {
        "SeatTaken",
        "DeadlineExtended",
        "TakebackAsked",
        "PlayTakenBack",
        "DisputeOpened",
        "DisputeCommented",
        "DisputeVoted",
    }
)


def check_room(history: History, new_events: Sequence[NewEvent]) -> None:
    """Raises `Refused` for what a table with that much on record takes in no more; moves it always takes."""
    first, table = new_events[0], history.table
    if first.type not in BESIDE_PLAY or _settles(table, new_events):
        return
    if table.version >= MOST_EVENTS:
        raise Refused("table-full", f"at a table with {MOST_EVENTS} events only moves are made, and disputes settled")
    if first.type == "DisputeCommented" and _comments(table) >= MOST_COMMENTS:
        raise Refused("table-full", f"the disputes of a table have {MOST_COMMENTS} comments at most")


def _settles(table: Table, new_events: Sequence[NewEvent]) -> bool:
    """Whether a dispute ends with these, or comes nearer to its end: by a seat's first vote on it."""
    first = new_events[0]
    voted = {(one.dispute, vote.seat) for one in table.disputes for vote in one.votes}
    is_first_vote = first.type == "DisputeVoted" and (first.payload["dispute"], first.payload["seat"]) not in voted
    return is_first_vote or any(new_event.type == "DisputeResolved" for new_event in new_events)


def _comments(table: Table) -> int:
    return sum(len(dispute.comments) for dispute in table.disputes)
