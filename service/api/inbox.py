"""What waits for the caller, and how everybody stands."""

from typing import Any

from flask import Response

from projections import lobby, standings
from projections.shelf import current
from service.api.common import caller, house, redis_log, reply
from service.api.schemas import InboxSchema, StandingsQuery, StandingsSchema
from service.api.strict import Blueprint
from service.tables.opening import game_of
from service.tables.reading import decision_row

blueprint = Blueprint("inbox", __name__, url_prefix="/v1", description="Inbox and standings")


@blueprint.get("/inbox")
@blueprint.response(200, InboxSchema)
@blueprint.contract(caller="needed")
def get_inbox() -> Response:
    """The decisions that wait for the caller at all tables, the oldest first."""
    player = caller().needs("watch").id
    rows = lobby.of_player(current(redis_log(), lobby.NAME), player)
    tables = [row["table"] for row in rows if row["status"] != "finished"]
    found = [decision for table in tables for decision in _waiting(table, player)]
    return reply({"decisions": sorted(found, key=lambda decision: str(decision["since"]))})


def _waiting(table: str, player: str) -> list[dict[str, Any]]:
    now = house().history(table).table
    row = {"table": table, "game": now.opened.game, "version": now.version}
    seat = now.seat_of(player)
    return [row | decision_row(decision) for decision in now.decisions if decision.seat == seat]


@blueprint.get("/standings")
@blueprint.arguments(StandingsQuery, location="query")
@blueprint.response(200, StandingsSchema)
@blueprint.contract("no-such-game")
def get_standings(query: dict[str, Any]) -> Response:
    """How often players and AI levels have played and won each game."""
    game = game_of(query["game"]).slug if "game" in query else None
    return reply({"standings": standings.standings(current(redis_log(), standings.NAME), game)})
