"""Profiles: games, results and ratings of a player, as far as they are public."""

from collections.abc import Sized
from typing import Any

import msgspec
from flask import Response

from service.accounts.player_store import VISIBILITY, Visibility, visibility_of
from service.api.common import handler, managing, presenter, redis_log, reply, services
from service.api.finished_games import SCALES
from service.api.request_parsing import Blueprint
from service.api.schemas.profiles import ProfileSchema, QuotasSchema, ShownRequest, ShownSchema
from service.errors import Refused
from service.tables import table_lists

blueprint = Blueprint("profiles", __name__, url_prefix="/v1", description="Profiles")


@blueprint.get("/players/<player>", answer=ProfileSchema)
@blueprint.contract("no_such_player")
def get_profile(player: str) -> Response:
    """Get a profile.

    Returns a player's name, results, ratings, opponents and activity, as far as the player shows them. They are counted
    from public tables, which anybody may read.
    """
    account = services().accounts.player(player)
    if account is None:
        raise Refused("no_such_player", f"there is no player {player!r}")
    shown = visibility_of(services().people.store, player)
    told = {"id": player, "name": presenter().names_of([player])[player], "bot": account.bot, "since": account.at[:10]}
    parts = _figures(player) | {"ratings": table_lists.ratings_of(redis_log(), player, SCALES)}
    return reply(told | {name: parts[name] if getattr(shown, name) else None for name in Visibility.__struct_fields__})


def _figures(player: str) -> dict[str, Any]:
    figures = table_lists.figures_of(redis_log(), player)
    names = presenter().names_of(one.player for one in figures.opponents)
    return {
        "results": [one._asdict() for one in figures.results],
        "opponents": [one._asdict() | {"name": names.get(one.player)} for one in figures.opponents],
        "activity": [one._asdict() for one in figures.activity],
    }


@blueprint.get("/players/me/quotas", answer=QuotasSchema)
@blueprint.contract(needs="account")
def get_quotas() -> Response:
    """List quotas.

    Returns what the caller may have at a time, and has; counts may lag by a second. `streams` are those of the web
    process that answers. Only bots have webhooks.
    """
    account = managing().needs()
    player = account.id
    people, used = services().people, services().quotas.usage(player)
    kept: dict[str, Sized] = {
        "tokens": services().accounts.tokens(player),
        "passkeys": people.passkeys.of(player),
        "blocks": people.blocks.of(player),
        "invitations": people.invitations.of(player),
        "transcripts": handler().transcripts.store.of_player(player),
    }
    used |= {name: (len(found), people.most[name]) for name, found in kept.items()}
    reports = services().reports
    used["reports"] = reports.waiting(player), reports.most
    analyses = services().analyses.analyses
    used["analyses"] = analyses.held(player), analyses.most
    used["streams"] = services().hub.open.of(player)
    used["webhooks"] = int(services().webhooks.of(player) is not None), int(account.bot)
    return reply({"quotas": [{"name": name, "used": have, "most": most} for name, (have, most) in used.items()]})


@blueprint.get("/players/me/profile", answer=ShownSchema)
@blueprint.contract(needs="account")
def get_shown() -> Response:
    """Get what my profile shows. Returns which parts of the profile others may see."""
    return reply(shown_to_all(managing().needs().id))


@blueprint.put("/players/me/profile", body=ShownRequest, answer=ShownSchema)
@blueprint.contract("not_allowed conflict", needs="account")
def set_shown(body: dict[str, Any]) -> Response:
    """Choose what my profile shows. Sets which parts of the profile others may see."""
    shown = Visibility(**body)
    services().people.store.change(managing(), VISIBILITY, lambda _: msgspec.json.encode(shown))
    return reply(msgspec.structs.asdict(shown))


def shown_to_all(player: str) -> dict[str, bool]:
    """Returns what a player has made public."""
    return msgspec.structs.asdict(visibility_of(services().people.store, player))
