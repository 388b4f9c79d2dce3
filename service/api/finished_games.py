"""Finished games and ratings."""

import re
from typing import Any

from flask import Response

from games import GAMES
from projections.finished_games.search import GameFilter, GameQuery
from projections.finished_games.statistics import Of
from projections.lobby_queries import TimeRange
from service.api.common import caller, check_here, paged, presenter, redis_log, reply, still_here
from service.api.headers import LINK
from service.api.request_parsing import Blueprint, strict_json
from service.api.schemas import finished_games as schemas
from service.api.schemas.parts import PageQuery
from service.api.table_requests import time_of
from service.errors import FieldError, Refused
from service.limits.rates import QUESTIONS
from service.tables import table_lists
from service.tables.opening import game_of

SCALES = [(slug, seats) for slug, game in GAMES.items() for seats in game.players]
TRUTH = {"true": True, "false": False}
MOST_OPTIONS = 32
NAME = re.compile("[A-Za-z0-9_]*[A-Za-z0-9][A-Za-z0-9_]*")  # of a house rule

blueprint = Blueprint("played", __name__, url_prefix="/v1", description="Games played and ratings")


@blueprint.get("/games-played", query=schemas.GamesPlayedQuery, answer=schemas.GamesPlayedSchema, headers=LINK)
@blueprint.contract(may="", counts=QUESTIONS)
def list_games_played(query: dict[str, Any]) -> Response:
    """List finished games.

    Returns public ones and, with the scope `watch`, private ones of the caller, newest first.
    """
    asking = caller()
    asked = GameQuery(asking.id if asking.has("watch") else None, query.get("cursor"), query["limit"])
    rows, cursor = table_lists.games_played(redis_log(), _wanted(query), asked, presenter())
    return paged({"games": rows, "next": cursor})


def _wanted(query: dict[str, Any]) -> GameFilter:
    same = ("game", "player", "level", "moves_from", "moves_to", "rating_from", "rating_to")
    return GameFilter(
        **{name: query[name] for name in same if name in query},
        players=query.get("seats"),
        won={"won": True, "lost": False}.get(query.get("result", "")),
        rated=TRUTH.get(query.get("rated", "")),
        disputed=TRUTH.get(query.get("disputed", "")),
        options=_options(query.get("options", "{}")),
        ended=TimeRange(time_of(query.get("since"), "since"), time_of(query.get("until"), "until")),
    )


def _options(text: str) -> dict[str, Any]:
    """Returns the house rules in a query; raises `Refused`."""
    try:
        found = strict_json(text.encode())
    except Refused:
        found = None
    if not isinstance(found, dict) or len(found) > MOST_OPTIONS or not all(map(NAME.fullmatch, found)):
        errors = [FieldError("query", "/options", "It has to be an object: {…}.")]
        raise Refused("invalid", "`options` is a JSON object of house rules by name", errors=errors)
    return found


@blueprint.get("/statistics", query=schemas.StatisticsQuery, answer=schemas.StatisticsSchema)
@blueprint.contract()
def get_statistics(query: dict[str, Any]) -> Response:
    """Get statistics of a game.

    Returns how often each house rule and feature of a seat occurs in public games, and how those seats fared.
    """
    of = Of(query["game"], query.get("seats"), TRUTH.get(query.get("rated", "")), query.get("level"))
    return reply(table_lists.statistics_of(redis_log(), of))


@blueprint.get("/ratings", query=schemas.RatingsQuery, answer=schemas.RatingsSchema, headers=LINK)
@blueprint.contract()
def list_ratings(query: dict[str, Any]) -> Response:
    """List ratings. Returns the leaderboard of a game and number of seats: people, bots and AI levels on one scale.

    Erased players are left out, so a page may be shorter than its `limit`.
    """
    part = table_lists.RatingsPage(query.get("cursor"), query["limit"], query["provisional"] == "false")
    rows, cursor = table_lists.leaders(redis_log(), (query["game"], query["seats"]), part, presenter())
    return paged({"ratings": still_here(rows), "next": cursor})


@blueprint.get("/players/<player>/ratings", answer=schemas.PlayerRatingsSchema)
@blueprint.contract("no_such_player")
def get_ratings(player: str) -> Response:
    """List a player's ratings. Takes a player or an AI level (`ai:greedy`); empty without a rated game."""
    check_here(player)
    return reply({"ratings": table_lists.ratings_of(redis_log(), player, SCALES)})


@blueprint.get(
    "/players/<player>/ratings/<game>/<int:seats>", query=PageQuery, answer=schemas.RatingHistorySchema, headers=LINK
)
@blueprint.contract("no_such_game no_such_player")
def get_rating_history(query: dict[str, Any], player: str, game: str, seats: int) -> Response:
    """List the history of a rating. Returns the rating after each game, newest first."""
    check_here(player)
    scale = (game_of(game).slug, seats)
    if scale not in SCALES:
        raise Refused("no_such_game", f"{game} is not for {seats} players")
    rows, cursor = table_lists.rating_history(redis_log(), player, scale, query.get("cursor"), query["limit"])
    return paged({"points": rows, "next": cursor})
