"""What the other reading of a disputed ruling would have been worth: worked out by workers, told after the game."""

import math
from typing import Any, NamedTuple

import msgspec
from flask import Response

from events.times import stamp
from projections.disputes import Dispute
from projections.history import History
from service.analyses.asking import Order
from service.analyses.keeping import AnalysisStatus, Name
from service.api.common import admission, caller, handler, let_in, reply, services
from service.api.sanctions import in_good_standing
from service.api.schemas.worth import WorthSchema
from service.api.strict import Blueprint
from service.errors import Refused
from service.limits.costs import worth_s
from service.streams.progress import progress_of
from service.tables.disputes import reading_of
from service.tables.viewing import table_for

SEEN = ("no-such-table", "table-not-over", "no-such-dispute")
PATH = "/<table>/disputes/<dispute>/worth"

blueprint = Blueprint("worth", __name__, url_prefix="/v1/tables", description="What disputed rulings were worth")


class Disputed(NamedTuple):
    """A dispute of a table, all of which may be told."""

    history: History
    dispute: Dispute


@blueprint.post(PATH)
@blueprint.response(202, WorthSchema)
@blueprint.alt_response(200, schema=WorthSchema)
@blueprint.contract(
    "askWorth",
    *SEEN,
    "no-other-reading",
    "quota-reached",
    "account-suspended",
    "conflict",
    caller="needed",
    scopes=("play",),
)
def post_worth(table: str, dispute: str) -> Response:
    """Asks what the other reading would have been worth; 200 with the answer if it is there already.

    Workers find out in slices, behind the tables that wait for a move. It costs AI thinking, and counts as an analysis.
    """
    asking = in_good_standing()
    asking.needs("play")
    found = _disputed(table, dispute)
    if not reading_of(*found):
        raise Refused("no-other-reading", "the dispute asks for the same rule to be applied again")

    def order() -> None:
        opened = found.history.table.opened
        admission().spend(let_in(), "thinking", math.ceil(worth_s(opened.game, opened.players)))

    wanted = Order(stamp(handler().now_ms()), order)
    state = services().analyses.ask(found.history, found.dispute.dispute, asking, wanted)
    return reply(_told(found, state), 200 if state.status == "done" else 202)


@blueprint.get(PATH)
@blueprint.response(200, WorthSchema)
@blueprint.contract("getWorth", *SEEN, "no-such-analysis", caller="optional", scopes=("watch",))
def get_worth(table: str, dispute: str) -> Response:
    """What each seat could expect after the disputed ruling, under either reading, or how far the workers are.

    Everybody who sees the table is told, once its game is over; until then nobody, whoever decides the dispute.
    """
    found = _disputed(table, dispute)
    state = services().analyses.stands(found.history, found.dispute.dispute)
    if state is None:
        raise Refused("no-such-analysis", "nobody has asked what this dispute was worth")
    return reply(_told(found, state.analysis))


@blueprint.delete(PATH)
@blueprint.response(204)
@blueprint.contract(
    "cancelWorth", *SEEN, "no-such-analysis", "not-allowed", "conflict", caller="needed", scopes=("play",)
)
def delete_worth(table: str, dispute: str) -> Response:
    """Calls it off before it is done. Only whoever asked may; what was done of it is thrown away."""
    asking = caller()
    asking.needs("play")
    found = _disputed(table, dispute)
    services().analyses.cancel(found.history, found.dispute.dispute, asking)
    return Response(status=204)


def _disputed(table: str, name: str) -> Disputed:
    """The dispute; raises `Refused`, as long as not all of the table may be told."""
    history = table_for(handler(), table, caller())
    services().analyses.check(history)
    dispute = next((one for one in history.table.disputes if one.is_named(name)), None)
    if dispute is None:
        raise Refused("no-such-dispute", f"the table has no dispute {name!r}")
    return Disputed(history, dispute)


def _told(found: Disputed, state: AnalysisStatus) -> dict[str, Any]:
    """How far it is, and all of it if it is done."""
    name = Name(found.history.table.id, found.dispute.dispute)
    whole = services().analyses.analyses.whole(name) if state.status == "done" else None
    progress = progress_of(name, state)
    del progress["kind"]
    told = {"asked_at": state.asked_at, "detail": state.detail, "worth": msgspec.Raw(whole) if whole else None}
    return progress | {"dispute": found.dispute.name} | told
