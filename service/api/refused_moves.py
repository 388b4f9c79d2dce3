"""Moves that are refused: an account may send so many a minute, whatever is wrong with them."""

from flask import request

from service.api.admission import ASKING, Asking
from service.api.common import admission, let_in
from service.errors import Refused
from service.limits.budgets import REFUSED_MOVES
from service.limits.costs import is_move

# Those that may have been legal, and one that was counted.
UNCOUNTED = ("conflict", "too-busy", "too-slow", "too-many-requests")


def counted(refusal: Refused) -> Refused:
    """What the client is told of a refusal: of a move's, which is counted, no reason where no more of them may be.

    What is no move counts as well, also if it is refused before it is looked at.
    """
    asking: Asking | None = request.environ.get(ASKING)
    if asking is None or not is_move(asking.operation.method, asking.operation.rule) or refusal.code in UNCOUNTED:
        return refusal
    try:
        admission().spend(asking, REFUSED_MOVES, 1)
    except Refused as too_many:
        return too_many
    return refusal


def count_one() -> None:
    """Counts a move as one that is refused, and refuses nothing: a repeat, or one for which a table was read."""
    admission().note(let_in(), REFUSED_MOVES, 1)
