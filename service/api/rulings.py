"""Rulings: adjudications with their figures and reasons."""

from flask import Response

from service.api.common import caller, handler, language, presenter, reply
from service.api.headers import CONTENT_LANGUAGE, LANGUAGES_HEADER
from service.api.request_parsing import Blueprint
from service.api.schemas.rulings import RulingSchema, RulingsSchema
from service.tables.authorisation import authorise, viewer_of
from service.tables.disputes import ruling_event
from service.tables.table_documents import is_ruling, ruling_rows

blueprint = Blueprint("rulings", __name__, url_prefix="/v1/tables", description="Rulings and their reasons")


@blueprint.get("/<table>/rulings", answer=RulingsSchema, headers=CONTENT_LANGUAGE)
@blueprint.contract("no_such_table", may="watch", headers=(LANGUAGES_HEADER,), transcripts=True)
def list_rulings(table: str) -> Response:
    """List rulings.

    Returns all rulings of a table, each with its figures, rules and reason (Accept-Language: en, fr).
    """
    asking = caller()
    history = authorise(handler(), table, asking)
    viewer = viewer_of(history.table, asking)
    found = [event for event in history.events if is_ruling(event)]
    rows = ruling_rows(found, history, viewer, presenter())
    return reply({"version": history.table.version, "rulings": rows}, Content_Language=language())


@blueprint.get("/<table>/rulings/<int:version>", answer=RulingSchema, headers=CONTENT_LANGUAGE)
@blueprint.contract(
    "no_such_table no_such_version no_such_ruling", may="watch", headers=(LANGUAGES_HEADER,), transcripts=True
)
def get_ruling(table: str, version: int) -> Response:
    """Get a ruling. Returns the ruling that is the event with this version."""
    asking = caller()
    history = authorise(handler(), table, asking)
    (row,) = ruling_rows([ruling_event(history, version)], history, viewer_of(history.table, asking), presenter())
    return reply(row, Content_Language=language())
