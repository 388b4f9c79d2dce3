"""Disputed rulings, and moves taken back."""

from typing import Any

import msgspec
from flask import Response

from projections.disputes import Vote
from projections.table import Table
from service.api.common import KEY_HEADER, LOCATION, caller, house, reply, request_name
from service.api.schemas.disputes import (
    CommentRequest,
    ConsentRequest,
    DisputeRequest,
    DisputesSchema,
    ResolutionRequest,
    TakebackRequest,
    TakebackSchema,
    VoteRequest,
)
from service.api.strict import Blueprint
from service.house import Asked, Outcome, Sent
from service.tables import disputes, takebacks
from service.tables.reading import eyes_of, shown, table_for

HERE = ("no-such-table", "not-your-seat", "not-allowed", "table-not-started", "table-finished", "conflict")
OPEN = ("no-such-dispute", "dispute-closed", "dispute-open", "option-refused", "no-such-ruling")

blueprint = Blueprint("disputes", __name__, url_prefix="/v1/tables", description="Disputes and takebacks")


@blueprint.get("/<table>/disputes")
@blueprint.response(200, DisputesSchema)
@blueprint.contract("no-such-table", caller="optional")
def get_disputes(table: str) -> Response:
    """The disputes of the table, the oldest first, and a takeback that waits for consent."""
    return reply(_court(table_for(house(), table, caller()).table))


@blueprint.post("/<table>/disputes")
@blueprint.arguments(DisputeRequest)
@blueprint.response(201, DisputesSchema, headers=LOCATION)
@blueprint.contract(
    *HERE,
    "no-such-version",
    "no-such-ruling",
    "no-such-rule",
    "option-refused",
    "too-late",
    caller="needed",
    scope="play",
    headers=(KEY_HEADER,),
)
def post_disputes(body: dict[str, Any], table: str) -> Response:
    """Disputes a ruling, within the time that the table grants."""
    contested = disputes.Contested(body["seat"], body["version"], body["rule"], body["claim"], body["options"])
    return _answer(disputes.dispute(house(), table, _sent(table), contested), 201)


@blueprint.post("/<table>/disputes/<dispute>/comments")
@blueprint.arguments(CommentRequest)
@blueprint.response(200, DisputesSchema)
@blueprint.contract(*HERE, *OPEN, caller="needed", scope="watch", headers=(KEY_HEADER,))
def post_comments(body: dict[str, Any], table: str, dispute: str) -> Response:
    """Says something on a dispute: those seated, and the arbiter."""
    return _answer(disputes.comment(house(), table, _asked(table, "watch"), dispute, body["text"]))


@blueprint.post("/<table>/disputes/<dispute>/votes")
@blueprint.arguments(VoteRequest)
@blueprint.response(200, DisputesSchema)
@blueprint.contract(*HERE, *OPEN, caller="needed", scope="play", headers=(KEY_HEADER,))
def post_votes(body: dict[str, Any], table: str, dispute: str) -> Response:
    """Votes on a dispute, where the seats decide. More than half of the persons seated overturn a ruling."""
    ballot = Vote(body["seat"], body["overturn"])
    return _answer(disputes.vote(house(), table, _sent(table), dispute, ballot))


@blueprint.post("/<table>/disputes/<dispute>/resolution")
@blueprint.arguments(ResolutionRequest)
@blueprint.response(200, DisputesSchema)
@blueprint.contract(*HERE, *OPEN, caller="needed", scope="arbitrate", headers=(KEY_HEADER,))
def post_resolution(body: dict[str, Any], table: str, dispute: str) -> Response:
    """The arbiter's verdict (scope `arbitrate`).

    An overturned ruling takes play back to before the move that caused it, amends the house rule, and takes that move
    again if it is still legal; play goes on from there. What was undone stays readable.
    """
    verdict = disputes.Verdict(body["outcome"], body["text"], body["options"])
    return _answer(disputes.resolve(house(), table, _asked(table, "arbitrate"), dispute, verdict))


@blueprint.post("/<table>/takebacks")
@blueprint.arguments(TakebackRequest)
@blueprint.response(200, TakebackSchema)
@blueprint.contract(*HERE, "nothing-to-take-back", "table-paused", caller="needed", scope="play", headers=(KEY_HEADER,))
def post_takebacks(body: dict[str, Any], table: str) -> Response:
    """Takes the seat's last move back if nobody has learned anything from it, else asks those who have."""
    return _taken_back(takebacks.ask(house(), table, _sent(table), body["seat"]))


@blueprint.post("/<table>/takebacks/<takeback>/answer")
@blueprint.arguments(ConsentRequest)
@blueprint.response(200, TakebackSchema)
@blueprint.contract(
    *HERE,
    "no-such-takeback",
    "nothing-to-take-back",
    "table-paused",
    caller="needed",
    scope="play",
    headers=(KEY_HEADER,),
)
def post_answer(body: dict[str, Any], table: str, takeback: str) -> Response:
    """Agrees to a takeback, or does not; with the last seat that agrees it is granted."""
    said = takebacks.Consent(body["seat"], body["agrees"])
    return _taken_back(takebacks.answer(house(), table, _sent(table), takeback, said))


def _sent(table: str) -> Sent:
    asking = caller()
    player = asking.needs("play")
    table_for(house(), table, asking)
    return Sent(player, request_name(player.id))


def _asked(table: str, scope: str) -> Asked:
    asking = caller()
    player = asking.needs(scope)
    table_for(house(), table, asking)
    return Asked(asking, request_name(player.id))


def _answer(outcome: Outcome, status: int = 200) -> Response:
    now = outcome.table
    location = {"Location": f"/v1/tables/{now.id}/disputes"} if status == 201 else {}
    return reply(_court(now), status, **location)


def _court(now: Table) -> dict[str, Any]:
    found = {"version": now.version, "paused": now.paused, "disputes": now.disputes, "takeback": now.takeback}
    told: dict[str, Any] = msgspec.to_builtins(found)
    return told


def _taken_back(outcome: Outcome) -> Response:
    now, span = outcome.table, outcome.span
    events = outcome.history.events[span.first - 1 : span.last]
    body = {
        "taken_back": any(event.envelope.type == "PlayTakenBack" for event in events),
        "waiting": msgspec.to_builtins(now.takeback),
        "table": shown(now, eyes_of(now, caller())),
    }
    return reply(body)
