"""Beliefs: what a seat may know of the cards that it does not see."""

from typing import Any

from flask import Response

from projections.history import past_rows
from projections.table import Table
from service.api.common import caller, charge, expensive_reply, handler
from service.api.schemas.beliefs import BeliefsQuery, BeliefsSchema
from service.api.strict import Blueprint
from service.limits.costs import worlds_ms
from service.tables.viewing import whole_for

blueprint = Blueprint("beliefs", __name__, url_prefix="/v1/tables", description="Beliefs of a seat")


@blueprint.get("/<table>/beliefs")
@blueprint.arguments(BeliefsQuery, location="query")
@blueprint.response(200, BeliefsSchema)
@blueprint.contract(
    "getBeliefs",
    "no-such-table",
    "no-such-version",
    "no-such-seat",
    "not-your-seat",
    "no-aids",
    "no-world",
    "scope-missing",
    "too-busy",
    caller="optional",
    scopes=("watch",),
    transcripts=True,
)
def get_beliefs(query: dict[str, Any], table: str) -> Response:
    """Where each card that a seat does not see may lie, and how likely, from what the seat knew at that version alone.

    The likelihoods are shares of imagined worlds; the same question always has the same answer.
    While the game runs, or a table that this one is a branch of, only one's own seat may be asked for, and only at
    a table that was opened with `aids`.
    """
    now = whole_for(handler(), table, caller(), "no-world").table
    charge(worlds_ms(now.opened.game, query["worlds"], _followed(now, query.get("at", now.version))))
    return expensive_reply("beliefs", table, **query)


def _followed(now: Table, at: int) -> int:
    """How many events a world goes through that is imagined at a version: of a branch those of its past as well."""
    return len(past_rows(now)) + min(at, now.version)
