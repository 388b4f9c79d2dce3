"""Forks: tables that play on from a version of another, and their comparison."""

from functools import partial
from typing import Any

import msgspec
from flask import Response

from projections import lobby_queries, lobby_rows
from projections.store import current
from projections.table import Table
from service.accounts.callers import Caller
from service.api.common import caller, expensive_reply, handler, in_good_standing, language, paged, presenter, redis_log
from service.api.headers import CONTENT_LANGUAGE, ETAG, KEY_HEADER, LANGUAGES_HEADER, LINK, LOCATION
from service.api.opening_checks import within_quota
from service.api.request_parsing import Blueprint
from service.api.schemas.parts import PageQuery
from service.api.schemas.tables import TableSchema
from service.api.schemas.time_travel import ComparisonQuery, ComparisonSchema, ForkRequest, ForksSchema
from service.api.tables import opened, opening_fields, sent_by
from service.command_handler import Outcome
from service.limits.rates import QUESTIONS
from service.tables.authorisation import authorise, authorise_whole
from service.tables.forks import Forking, fork, seats_of_branch
from service.tables.table_documents import present_origin
from service.tables.table_lists import present_rows, seen
from service.transcripts import is_transcript

blueprint = Blueprint("forks", __name__, url_prefix="/v1/tables", description="Branches")


@blueprint.post("/<table>/forks", body=ForkRequest, answer=TableSchema, status=201, headers=ETAG | LOCATION)
@blueprint.contract(
    "no_such_table no_such_version quota_reached fork_refused opening_refused option_refused account_suspended",
    "not_allowed",
    needs="play watch",
    headers=(KEY_HEADER,),
    transcripts=True,
)
def fork_table(body: dict[str, Any], table: str) -> Response:
    """Open a branch.

    Creates a table that plays on from a version of this one; a version in the middle of what a move led to stands for
    the moment before that move. While the game runs, cards that the caller may not see are dealt anew, and a branch by
    a player at the table is private, with AI in all other seats. A branch of a transcript has its own luck, and its
    `forked_from` is marked `transcribed`; a text that begins with a position cannot be branched.
    """
    asking = in_good_standing()
    sent = sent_by(asking)
    parent = authorise_whole(handler(), table, asking, "fork_refused")

    def order() -> Outcome:
        forking = Forking(**opening_fields(body, sent.player))
        seats = seats_of_branch(parent, sent, forking)
        with within_quota(sent, parent.table.opened.game, seats) as name:
            return fork(handler(), parent, sent, msgspec.structs.replace(forking, seats=seats), name)

    return opened(sent, order)


@blueprint.get("/<table>/forks", query=PageQuery, answer=ForksSchema, headers=LINK)
@blueprint.contract("no_such_table", may="", transcripts=True)
def list_forks(query: dict[str, Any], table: str) -> Response:
    """List branches.

    Returns the origin of the table and those of its branches that the caller may see, newest first. A page may be short
    if many are hidden. The first page of a transcript begins with all variations of its text.
    """
    asking, store = caller(), current(redis_log(), lobby_rows.NAME)
    now = authorise(handler(), table, asking).table
    is_first = is_transcript(table) and "cursor" not in query
    variations = map(_variation, handler().transcripts.branches(table, asking)) if is_first else ()
    part = lobby_queries.LobbyPage(query.get("cursor"), query["limit"])
    rows, cursor = seen(partial(lobby_queries.of_parent, store, table), lambda row: _may_see(row, asking), part)
    forks = present_rows([*variations, *rows], presenter())
    return paged(
        {"table": table, "forked_from": present_origin(lobby_rows.forked_from(now)), "forks": forks, "next": cursor}
    )


def _variation(branch: Table) -> dict[str, Any]:
    row: dict[str, Any] = msgspec.to_builtins(lobby_rows.row_of(branch))
    seats = zip(row["seats"], branch.called, strict=True)
    return row | {"seats": [seat | {"name": name} for seat, name in seats]}


def _may_see(row: dict[str, Any], asking: Caller) -> bool:
    if row["visibility"] == "public" or "admin" in asking.scopes:
        return True
    named = {row["opened_by"], row["arbiter"], *(seat["kept_for"] for seat in row["seats"])}
    return asking.id is not None and asking.id in named


@blueprint.get("/<table>/comparison", query=ComparisonQuery, answer=ComparisonSchema, headers=CONTENT_LANGUAGE)
@blueprint.contract(
    "no_such_table unrelated_tables", may="watch", headers=(LANGUAGES_HEADER,), transcripts=True, counts=QUESTIONS
)
def compare_branches(query: dict[str, Any], table: str) -> Response:
    """Compare two branches.

    Returns where they part, the first difference, and the scores of both. They must be branches of one game.
    """
    chosen = language()
    response = expensive_reply("comparison", table, **query, language=chosen)
    response.headers["Content-Language"] = chosen
    return response
