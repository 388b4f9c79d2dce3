"""Analyses of finished tables, computed when workers are idle; and what a seat may know of cards it does not see."""

from typing import Any

import msgspec
from flask import Response

from projections.history import TableHistory
from service.analyses import LUCK, AnalysisStatus, Name
from service.api.common import (
    caller,
    expensive_reply,
    form_among,
    handler,
    in_good_standing,
    now,
    reply,
    services,
    streamed,
)
from service.api.media_types import FRAMES, JSON, TEXT
from service.api.request_parsing import Blueprint
from service.api.schemas import analyses as schemas
from service.errors import Refused
from service.limits.rates import QUESTIONS
from service.streams.frames import AnalysisSubscription, progress_of
from service.tables.authorisation import authorise_table

SEEN = ("no_such_table", "table_not_over")

blueprint = Blueprint("analyses", __name__, url_prefix="/v1/tables", description="Analyses of tables, and beliefs")


@blueprint.post("/<table>/analysis", body=schemas.AnalysisRequest, answer=schemas.AnalysisSchema, status=202)
@blueprint.alt_response(200, schema=schemas.AnalysisSchema)
@blueprint.contract(*SEEN, "ended_early quota_reached account_suspended conflict", needs="play", counts=QUESTIONS)
def ask_analysis(body: dict[str, Any], table: str) -> Response:
    """Request an analysis.

    The table must be finished. Answers 200 with the analysis if there is one, else 202. Workers compute it when no
    table waits for an AI move. It is kept for 30 days.
    """
    asking, kind = in_good_standing(), body["kind"]
    history = _table(table)
    found = services().analyses.ask(history, kind, asking, now())
    return reply(_told(history, kind, found), 200 if found.status == "done" else 202)


@blueprint.get("/<table>/analysis", query=schemas.GetAnalysisQuery, answer=schemas.AnalysisSchema)
@blueprint.alt_response(200, schema=TEXT, content_type=FRAMES)
@blueprint.contract(*SEEN, "no_such_analysis too_many_streams quota_reached", may="watch")
def get_analysis(query: dict[str, Any], table: str) -> Response:
    """Get an analysis.

    Returns its progress and, when it is done, the whole analysis. `text/event-stream` sends frames `progress`. It ends
    with a frame `end` whose `reason` is `analysis_over`, `analysis_gone` (it was cancelled) or `access_ended`.
    """
    history, kind = _table(table), query["kind"]
    found = services().analyses.stands(history, kind)
    form = form_among(JSON, FRAMES)
    if found is None:
        raise Refused("no_such_analysis", f"nobody has asked for a {kind} analysis of this table")
    if form == JSON:
        return reply(_told(history, kind, found.analysis))
    return streamed(AnalysisSubscription(caller(), Name(table, kind), found.analysis.head))


@blueprint.delete("/<table>/analysis", query=schemas.AnalysisQuery, status=204)
@blueprint.contract(*SEEN, "no_such_analysis not_allowed conflict", needs="play")
def cancel_analysis(query: dict[str, Any], table: str) -> None:
    """Cancel an analysis. Only the account that requested it may; what was computed so far is discarded."""
    services().analyses.cancel(_table(table), query["kind"], caller())


@blueprint.get("/<table>/beliefs", query=schemas.BeliefsQuery, answer=schemas.BeliefsSchema)
@blueprint.contract(
    "no_such_table no_such_version no_such_seat not_your_seat no_aids no_world scope_missing",
    may="watch",
    transcripts=True,
    counts=QUESTIONS,
)
def get_beliefs(query: dict[str, Any], table: str) -> Response:
    """Get beliefs about hidden cards.

    For each card that a seat does not see, returns where it may be and how likely, from what the seat knew at that
    version. The likelihoods are shares of imagined worlds; the same request always has the same answer. While the game
    runs, or a table of which this one is a branch, it takes the caller's own seat and a table opened with `aids`.
    """
    return expensive_reply("beliefs", table, **query)


def _table(table: str) -> TableHistory:
    """Returns a table that is over; raises `Refused`."""
    history = authorise_table(handler(), table, caller())
    services().analyses.check(history)
    return history


def _told(history: TableHistory, kind: str, found: AnalysisStatus) -> dict[str, Any]:
    """Returns the state of an analysis, and the analysis once it is done."""
    name = Name(history.table.id, kind)
    whole = services().analyses.analyses.whole(name) if found.status == "done" else None
    told: dict[str, Any] = {"asked_at": found.asked_at, "detail": found.detail, "analysis": None, "luck": None}
    if whole:
        told["luck" if kind == LUCK else "analysis"] = msgspec.Raw(whole)
    return progress_of(name, found) | told
