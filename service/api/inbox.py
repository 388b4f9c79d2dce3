"""The inbox of the caller, and the leaderboard."""

from typing import Any

from flask import Response

from games import GAMES
from projections import leaderboard, lobby_queries, lobby_rows, standings
from projections.store import current
from service.api.common import caller, form_among, handler, paged, presenter, redis_log, still_here, streamed
from service.api.headers import LINK
from service.api.media_types import FRAMES, JSON, TEXT
from service.api.request_parsing import Blueprint
from service.api.schemas.finished_games import StandingsQuery, StandingsSchema
from service.api.schemas.tables import InboxQuery, InboxSchema
from service.streams.frames import InboxSubscription
from service.tables.opening import game_of
from service.tables.table_documents import waiting
from service.tables.table_lists import present_standings

blueprint = Blueprint("inbox", __name__, url_prefix="/v1", description="Inbox and standings")


@blueprint.get("/inbox", query=InboxQuery, answer=InboxSchema, headers=LINK)
@blueprint.alt_response(200, schema=TEXT, content_type=FRAMES)
@blueprint.contract("account_suspended too_many_streams quota_reached", needs="watch")
def get_inbox(query: dict[str, Any]) -> Response:
    """List decisions that wait for me.

    Returns them oldest first; a page covers some tables, the newest tables first. `text/event-stream` begins with the
    decisions of all pages and goes on: `decision` when one begins to wait or gets another deadline, `settled` when one
    no longer waits. A client that reconnects gets all that still wait.
    """
    asking = caller()
    player = asking.needs("watch").id
    if form_among(JSON, FRAMES) == FRAMES:
        return streamed(InboxSubscription(asking))
    part = lobby_queries.LobbyPage(query.get("cursor"), query["limit"])
    tables, cursor = lobby_queries.seated(current(redis_log(), lobby_rows.NAME), player, part)
    found = [row for history in handler().intact(tables) for row in waiting(history.table, player)]
    return paged({"decisions": sorted(found, key=lambda row: str(row["since"])), "next": cursor})


@blueprint.get("/standings", query=StandingsQuery, answer=StandingsSchema, headers=LINK)
@blueprint.contract("no_such_game")
def list_standings(query: dict[str, Any]) -> Response:
    """List standings.

    Returns how often players and AI levels have played and won each game. Private tables and branches do not count, nor
    do games with an overturned dispute, or with a takeback by a player alone with AI: see `counted` of a table.
    """
    store, game = current(redis_log(), standings.NAME), game_of(query["game"]).slug if "game" in query else None
    if "player" in query:
        rows, cursor = leaderboard.of_player(store, query["player"], [game] if game else GAMES), None
    else:
        rows, cursor = leaderboard.page(store, game, leaderboard.LeaderboardPage(query.get("cursor"), query["limit"]))
    return paged({"standings": still_here(present_standings(rows, presenter())), "next": cursor})
