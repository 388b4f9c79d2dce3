"""Blocks: people who want not to be seated together."""

from typing import Any

from flask import Response

from events.times import stamp
from service.api.common import handler, managing, names_of, reply, services
from service.api.schemas.players import BlocksSchema
from service.api.strict import Blueprint

blueprint = Blueprint("blocks", __name__, url_prefix="/v1", description="People who want not to be seated together")


@blueprint.get("/players/me/blocks")
@blueprint.response(200, BlocksSchema)
@blueprint.contract("listBlocks", caller="needed", scopes=("account",))
def get_blocks() -> Response:
    """Whom the caller has blocked. Nobody else is told."""
    return reply({"blocks": blocks_of(managing().needs().id)})


@blueprint.put("/players/me/blocks/<player>")
@blueprint.response(204, description="the player is blocked")
@blueprint.contract(
    "blockPlayer", "no_such_player contradictory not_allowed quota_reached", caller="needed", scopes=("account",)
)
def put_block(player: str) -> Response:
    """Blocks somebody: neither sits down any more where the other sits. Games that have begun go on.

    The other is told nothing, but is refused a seat where the caller sits, as the caller is where the other sits: by
    that refusal somebody may notice.
    """
    services().people.blocks.put(managing(), player, stamp(handler().now_ms()))
    return Response(status=204)


@blueprint.delete("/players/me/blocks/<player>")
@blueprint.response(204, description="the player is not blocked")
@blueprint.contract("unblockPlayer", "not_allowed", caller="needed", scopes=("account",))
def delete_block(player: str) -> Response:
    """Ends a block, whether there was one or not."""
    services().people.blocks.remove(managing(), player)
    return Response(status=204)


def blocks_of(player: str) -> list[dict[str, Any]]:
    """Whom a player has blocked, with the names that they have now."""
    found = services().people.blocks.of(player)
    names = names_of(one.player for one in found)
    return [one._asdict() | {"name": names.get(one.player)} for one in found]
