"""Blocks: players who are never seated together."""

from typing import Any

from flask import Response

from service.api.common import managing, now, presenter, reply, services
from service.api.request_parsing import Blueprint
from service.api.schemas.players import BlocksSchema

blueprint = Blueprint("blocks", __name__, url_prefix="/v1", description="People who want not to be seated together")


@blueprint.get("/players/me/blocks", answer=BlocksSchema)
@blueprint.contract(needs="account")
def list_blocks() -> Response:
    """List blocked players. Only the caller sees this list."""
    return reply({"blocks": blocks_of(managing().needs().id)})


@blueprint.put("/players/me/blocks/<player>", status=204, description="the player is blocked")
@blueprint.contract("no_such_player contradictory not_allowed quota_reached", needs="account")
def block_player(player: str) -> None:
    """Block a player.

    From now on neither can take a seat where the other sits; games that have begun go on. The blocked player is not
    notified, but may infer it from a refused seat.
    """
    services().people.blocks.put(managing(), player, now())


@blueprint.delete("/players/me/blocks/<player>", status=204, description="the player is not blocked")
@blueprint.contract("not_allowed", needs="account")
def unblock_player(player: str) -> None:
    """Unblock a player. Succeeds even if there was no block."""
    services().people.blocks.remove(managing(), player)


def blocks_of(player: str) -> list[dict[str, Any]]:
    """Returns whom a player has blocked, with their present names."""
    found = services().people.blocks.of(player)
    names = presenter().names_of(one.player for one in found)
    return [one._asdict() | {"name": names.get(one.player)} for one in found]
