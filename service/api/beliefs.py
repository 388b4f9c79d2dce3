"""Beliefs: what a seat may know of the cards that it does not see."""

from typing import Any

from flask import Response

from service.api.common import expensive_reply
from service.api.schemas.analyses import BeliefsQuery, BeliefsSchema
from service.api.strict import Blueprint

blueprint = Blueprint("beliefs", __name__, url_prefix="/v1/tables", description="Beliefs of a seat")


@blueprint.get("/<table>/beliefs")
@blueprint.arguments(BeliefsQuery, location="query")
@blueprint.response(200, BeliefsSchema)
@blueprint.contract(
    "getBeliefs",
    "no_such_table no_such_version no_such_seat not_your_seat no_aids no_world scope_missing too_busy",
    may="watch",
    transcripts=True,
)
def get_beliefs(query: dict[str, Any], table: str) -> Response:
    """Get beliefs about hidden cards.

    For each card that a seat does not see, returns where it may be and how likely, from what the seat knew at that
    version. The likelihoods are shares of imagined worlds; the same request always has the same answer. While the game
    runs, or a table of which this one is a branch, it takes the caller's own seat and a table opened with `aids`.
    """
    return expensive_reply("beliefs", table, **query)
