"""A person's data: its export and its erasure."""

from typing import Any

import msgspec
from flask import Response

from projections import lobby_queries, lobby_rows
from projections.store import current
from service.api.blocks import blocks_of
from service.api.common import handler, managing, paged, presenter, redis_log, services
from service.api.headers import LINK
from service.api.invitations import invitation_rows
from service.api.players import notices_of, tokens_of, webhook_row
from service.api.profiles import shown_to_all
from service.api.request_parsing import Blueprint
from service.api.schemas.profiles import ExportQuery, ExportSchema
from service.api.signing_in import passkeys_of, recovery_of
from service.errors import Refused
from service.streams.frames import progress_of
from service.tables.moderation_queue import report_row
from service.tables.table_documents import table_export

blueprint = Blueprint("personal", __name__, url_prefix="/v1", description="What is kept of a person, and its erasure")


@blueprint.get("/players/me/export", query=ExportQuery, answer=ExportSchema, headers=LINK)
@blueprint.contract(needs="account")
def export_me(query: dict[str, Any]) -> Response:
    """Export my data.

    Returns the caller's account, keys, blocks, webhook, loaded texts and a page of tables. Each table has the caller's
    seat, names and texts; its archive has the moves.
    """
    player = managing().needs()
    part = lobby_queries.LobbyPage(query.get("cursor"), query["limit"])
    rows, cursor = lobby_queries.of_player(current(redis_log(), lobby_rows.NAME), player.id, part)
    histories, webhook = list(handler().intact([row["id"] for row in rows])), services().webhooks.of(player.id)
    analyses = services().analyses.analyses.of(player.id).items()
    reports, settled = services().reports, services().reports.actions.current().settled
    body = {
        "account": msgspec.structs.replace(player, name=presenter().own(player)),
        "tokens": tokens_of(player.id),
        "passkeys": passkeys_of(player.id),
        "recovery_codes": recovery_of(player.id),
        "shown": shown_to_all(player.id),
        "blocks": blocks_of(player.id),
        "invitations": invitation_rows(services().people.invitations.of(player.id)),
        "webhook": webhook_row(webhook) if webhook else None,
        "transcripts": handler().transcripts.store.of_player(player.id),
        "analyses": [progress_of(name, one.analysis) | {"asked_at": one.analysis.asked_at} for name, one in analyses],
        "reports": [report_row(reports, one, settled) for one in reports.by(player.id)],
        "notices": notices_of(player.id),
        "tables": [table_export(history, player.id, presenter()) for history in histories],
        "next": cursor,
    }
    return paged(msgspec.to_builtins(body))


@blueprint.delete("/players/me", status=204, description="the account is erased")
@blueprint.contract("not_allowed", needs="account")
def erase_me() -> None:
    """Erase my account.

    Nobody can read the account's name and texts any more, in any copy of any record; everybody sees `somebody` instead.
    Hashes and audits still hold. Seats in games that have not begun are free again; an AI plays on at the others.
    Tokens, webhook and loaded texts are deleted. Other processes may show the name for another five seconds.
    """
    player = managing().needs().id
    if services().accounts.player(player) is None:
        raise Refused("not_allowed", "this token is set by the operator: it has no account")
    services().eraser.erase(player)
    services().accounts.forget(player)
    handler().names.drop()
