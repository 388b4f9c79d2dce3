"""Offers to take a move back, to abort a game or to call it a draw; and resignations."""

from typing import Any

from flask import Response

from service.api.common import handler
from service.api.headers import ETAG, KEY_HEADER
from service.api.request_parsing import Blueprint
from service.api.schemas.tables import ConsentRequest, OfferRequest, TableSchema
from service.api.tables import answer, sent_to
from service.tables import leaving, offers

HERE = ("no_such_table", "not_your_seat", "not_allowed", "table_not_started", "table_finished", "conflict")

blueprint = Blueprint("offers", __name__, url_prefix="/v1/tables", description="Takebacks, draws and leaving a game")


@blueprint.post("/<table>/offers", body=OfferRequest, answer=TableSchema, headers=ETAG)
@blueprint.contract(*HERE, "table_full nothing_to_take_back table_paused", needs="play", headers=(KEY_HEADER,))
def make_offer(body: dict[str, Any], table: str) -> Response:
    """Offer a takeback, an abort or a draw.

    It is granted at once where nobody has to agree: a takeback if nobody has learned from the move; an abort by the
    opener until every seat has moved, or alone with AI at an unrated table. Else it is the table's `offer` until all
    agree, one refuses, or play goes on. An AI agrees to an abort, and never to a draw.
    """
    return answer(offers.make(handler(), table, sent_to(table), body["kind"], body["seat"]))


@blueprint.post("/<table>/offers/<offer>/answer", body=ConsentRequest, answer=TableSchema, headers=ETAG)
@blueprint.contract(*HERE, "no_such_offer nothing_to_take_back table_paused", needs="play", headers=(KEY_HEADER,))
def answer_offer(body: dict[str, Any], table: str, offer: str) -> Response:
    """Answer an offer. The last seat to agree grants it; one seat that disagrees ends it."""
    said = offers.Consent(body["seat"], body["agrees"])
    return answer(offers.answer(handler(), table, sent_to(table), offer, said))


@blueprint.post("/<table>/seats/<int:seat>/resign", answer=TableSchema, headers=ETAG)
@blueprint.contract(
    "no_such_table not_your_seat table_not_started table_finished conflict", needs="play", headers=(KEY_HEADER,)
)
def resign_seat(table: str, seat: int) -> Response:
    """Resign a seat. It comes last, and an AI plays on; if only one seat is left, that one wins."""
    return answer(leaving.resign(handler(), table, sent_to(table), seat))
