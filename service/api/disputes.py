"""Disputed rulings."""

from contextlib import ExitStack
from typing import Any

from flask import Response

from projections.disputes import Vote
from projections.table import Table
from service.api.common import caller, handler, language, presenter, replayed, reply, services
from service.api.headers import CONTENT_LANGUAGE, KEY_HEADER, LANGUAGES_HEADER, LOCATION
from service.api.request_parsing import Blueprint
from service.api.schemas import disputes as schemas
from service.api.tables import sent_to
from service.command_handler import Outcome
from service.limits.quotas import dispute_name
from service.tables import disputes
from service.tables.authorisation import authorise, authorise_table, viewer_of
from service.tables.table_documents import present_dispute, present_remedy, ruling_rows

HERE = ("no_such_table", "not_your_seat", "not_allowed", "table_not_started", "table_finished", "conflict")
OPEN = ("no_such_dispute", "dispute_closed", "dispute_open", "no_such_ruling")
REMEDIES = "no_such_ruling no_such_rule option_refused contradictory no_such_remedy remedy_changes_nothing too_late"

blueprint = Blueprint("disputes", __name__, url_prefix="/v1/tables", description="Disputes")


@blueprint.get("/<table>/disputes", answer=schemas.DisputesSchema)
@blueprint.contract("no_such_table", may="", transcripts=True)
def list_disputes(table: str) -> Response:
    """List disputes. Returns the disputes of the table, oldest first."""
    now = authorise(handler(), table, caller()).table
    rows = [present_dispute(now, one, presenter()) for one in now.disputes]
    return reply({"version": now.version, "paused": now.paused, "disputes": rows})


@blueprint.post(
    "/<table>/disputes", body=schemas.DisputeRequest, answer=schemas.DisputeSchema, status=201, headers=LOCATION
)
@blueprint.contract(*HERE, REMEDIES, "no_such_version table_full quota_reached", needs="play", headers=(KEY_HEADER,))
def open_dispute(body: dict[str, Any], table: str) -> Response:
    """Dispute a ruling. Possible within the time that the table grants after the ruling.

    A dispute asks for a remedy: another reading of one of the ruling's rules, or, for a trial or an award that was
    decided wrongly, a correction. A remedy that changes nothing is refused; where only hidden cards could tell, the
    dispute opens.
    """
    contested = disputes.Contested(**body)
    sent = sent_to(table)
    with ExitStack() as reservations:

        def claim(now: Table) -> None:
            name = dispute_name(now, contested.version, contested.seat)
            reservations.enter_context(services().quotas.reserved("disputes", sent.caller, name, {"disputes": 1}))

        outcome = disputes.dispute(handler(), table, sent, contested, claim)
    location = {"Location": f"/v1/tables/{table}/disputes"}
    return _answer(outcome, f"d{outcome.span.first}", 201, **location)


@blueprint.post(
    "/<table>/disputes/preview", body=schemas.PreviewRequest, answer=schemas.PreviewSchema, headers=CONTENT_LANGUAGE
)
@blueprint.contract(
    REMEDIES,
    "no_such_table not_allowed table_not_started table_finished no_such_version",
    may="watch",
    headers=(LANGUAGES_HEADER,),
)
def preview_dispute(body: dict[str, Any], table: str) -> Response:
    """Preview a dispute.

    Returns the ruling, and what a remedy leads to: the first event that would differ. Without `remedy` it lists all
    remedies there are. Stores nothing, and shows only what everybody may know.
    """
    asking, chosen = caller(), language()
    history = authorise_table(handler(), table, asking)
    judged = disputes.preview(handler(), history, body["version"], body["rule"], body["remedy"])
    ruling = history.events[body["version"] - 1]
    (row,) = ruling_rows([ruling], history, viewer_of(history.table, asking), presenter())
    answer = {"ruling": row, "remedies": [present_remedy(history.table, one, chosen) for one in judged]}
    return reply(answer, Content_Language=chosen)


@blueprint.post("/<table>/disputes/<dispute>/comments", body=schemas.CommentRequest, answer=schemas.DisputeSchema)
@blueprint.contract(*HERE, *OPEN, "table_full", needs=("play", "arbitrate"), headers=(KEY_HEADER,))
def comment_on_dispute(body: dict[str, Any], table: str, dispute: str) -> Response:
    """Comment on a dispute. Players at the table and the arbiter may."""
    return _answer(disputes.comment(handler(), table, sent_to(table), dispute, body["text"]), dispute)


@blueprint.post("/<table>/disputes/<dispute>/looks", body=schemas.SeatChoice, answer=schemas.DisputeSchema)
@blueprint.contract(*HERE, *OPEN, "no_such_seat", needs="arbitrate", headers=(KEY_HEADER,))
def look_through_seat(body: dict[str, Any], table: str, dispute: str) -> Response:
    """Look through a seat.

    The arbiter sees what the seat saw up to the disputed version, while the dispute is open. This adds an event that
    all seats can read, once a seat and dispute. From then on the arbiter may pass this `seat` with `at`, and in `diff`,
    `blame`, `find` and `moves/check`, with a token that also has the scope `watch`. After the disputed version the
    arbiter sees what spectators see.
    """
    return _answer(disputes.look(handler(), table, sent_to(table), dispute, body["seat"]), dispute)


@blueprint.post("/<table>/disputes/<dispute>/votes", body=schemas.VoteRequest, answer=schemas.DisputeSchema)
@blueprint.contract(*HERE, *OPEN, "table_full", needs="play", headers=(KEY_HEADER,))
def vote_on_dispute(body: dict[str, Any], table: str, dispute: str) -> Response:
    """Vote on a dispute.

    Possible where the table has no arbiter. More than half of the people seated overturn the ruling by another reading,
    and all of them by a correction. The ruling stands as soon as that can no longer be reached, or at the deadline.
    Opening a dispute is not a vote, and AI seats have none. A seat may change its vote until then.
    """
    ballot = Vote(body["seat"], body["overturn"])
    return _answer(disputes.vote(handler(), table, sent_to(table), dispute, ballot), dispute)


@blueprint.post("/<table>/disputes/<dispute>/resolution", body=schemas.ResolutionRequest, answer=schemas.DisputeSchema)
@blueprint.contract(*HERE, *OPEN, REMEDIES, needs="arbitrate", headers=(KEY_HEADER,))
def resolve_dispute(body: dict[str, Any], table: str, dispute: str) -> Response:
    """Resolve a dispute.

    The arbiter upholds or overturns the ruling, by the remedy that the dispute asks for or by another. Overturning
    takes play back to before the move that caused it, amends the house rule, and plays that move again if it is still
    legal, with the outcome that was corrected. Play goes on from there, and what was undone stays readable. If the move
    comes out as before under the other reading, the outcome is `upheld`.
    """
    verdict = disputes.Verdict(body["outcome"], body["text"], body["remedy"])
    return _answer(disputes.resolve(handler(), table, sent_to(table), dispute, verdict), dispute)


def _answer(outcome: Outcome, dispute: str, status: int = 200, **headers: str) -> Response:
    now = outcome.table
    found = next(one for one in now.disputes if one.is_named(dispute))
    return reply(present_dispute(now, found, presenter()), status, **headers, **replayed(outcome.span.repeated))
