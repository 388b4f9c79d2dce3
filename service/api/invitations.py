"""Invitations by link, with a name."""

from collections.abc import Sequence
from typing import Any

from flask import Response

from events.times import stamp
from projections.table import Table
from service.accounts.invitations import INVITATION, Invitation
from service.api.common import caller, handler, in_good_standing, now, presenter, replayed, reply, services
from service.api.headers import KEY_HEADER, LOCATION
from service.api.idempotency import request_name
from service.api.request_parsing import Blueprint
from service.api.schemas import opening as schemas
from service.errors import Refused, refuse_first
from service.tables.authorisation import authorise_table

blueprint = Blueprint("invitations", __name__, url_prefix="/v1", description="Invitations to a table")


@blueprint.post(
    "/tables/<table>/invitations",
    body=schemas.InvitationRequest,
    answer=schemas.InvitationSchema,
    status=201,
    headers=LOCATION,
)
@blueprint.contract(
    "no_such_table no_such_seat table_started seat_taken not_allowed no_such_invitation quota_reached",
    "account_suspended",
    needs="play",
    headers=(KEY_HEADER,),
)
def invite(body: dict[str, Any], table: str) -> Response:
    """Invite a player.

    The table must wait for players; those seated and the one who opened it may invite. The id of the answer makes a
    link (`#/invitation/ID` of the page), which expires after two weeks.
    """
    asking = in_good_standing()
    player, now_ms = asking.needs("play"), handler().now_ms()
    found = authorise_table(handler(), table, asking).table
    named, invitations = request_name(player.id), services().people.invitations
    new = Invitation(
        invitations.id_of(str(named.key)),
        *(table, player.id, body["name"], stamp(now_ms), named.fingerprint),
        seat=body["seat"],
    )
    repeated = invitations.exists(new.id)
    if not repeated:  # else its first answer may have been lost, and somebody has sat down since
        _check(found, player.id, body["seat"])
    sent = invitations.send(asking, new, now_ms)
    return reply(invitation_row(sent), 201, Location=f"/v1/invitations/{sent.id}", **replayed(repeated))


def _check(table: Table, player: str, seat: int | None) -> None:
    """Raises `Refused` unless the player may invite to the table or the seat."""
    if table.seat_of(player) is None and table.opened.opened_by != player:
        raise Refused("not_allowed", "whoever sits at a table, or has opened it, invites to it")
    if seat is not None and seat > table.opened.players:
        raise Refused("no_such_seat", f"the table has the seats 1 to {table.opened.players}")
    free = [each for each in table.seats if not each.taken and seat in (None, each.seat)]
    refuse_first("table_started", (table.status != "open", "a table is joined before its game begins"))
    refuse_first("seat_taken", (not free, "no such seat is free"))


@blueprint.get("/tables/<table>/invitations", answer=schemas.InvitationsSchema)
@blueprint.contract("no_such_table", needs="play")
def list_invitations(table: str) -> Response:
    """List invitations. Returns the caller's invitations to a table and their state."""
    asking = caller()
    authorise_table(handler(), table, asking)
    sent = services().people.invitations.of(asking.needs("play").id)
    return reply({"invitations": invitation_rows([one for one in sent if one.table == table])})


@blueprint.get("/invitations/<invitation>", answer=schemas.InvitationSchema)
@blueprint.contract("no_such_invitation")
def get_invitation(invitation: str) -> Response:
    """Get an invitation. Anybody with its link may."""
    return reply(invitation_row(services().people.invitations.get(invitation)))


@blueprint.post("/invitations/<invitation>/answer", body=schemas.AnswerRequest, answer=schemas.InvitationSchema)
@blueprint.contract("no_such_invitation not_your_seat scope_missing conflict", may="play")
def answer_invitation(body: dict[str, Any], invitation: str) -> Response:
    """Answer an invitation.

    Records that it was seen, declined, or accepted by taking a seat. An answer is final, but a declined invitation may
    still be accepted.
    """
    invitations, state = services().people.invitations, body["state"]
    player = _seated(invitations.get(invitation).table) if state == "accepted" else None
    return reply(invitation_row(invitations.answer(invitation, state, now(), player)))


def _seated(table: str) -> str:
    """Returns the caller; raises `Refused` unless they sit at the table."""
    asking = caller()
    player = asking.needs("play").id
    if authorise_table(handler(), table, asking).table.seat_of(player) is None:
        raise Refused("not_your_seat", f"first take a seat: POST /v1/tables/{table}/seats/…")
    return player


@blueprint.delete("/invitations/<invitation>", status=204, description="the invitation is withdrawn")
@blueprint.contract("no_such_invitation", needs="play")
def withdraw_invitation(invitation: str) -> None:
    """Withdraw an invitation. Its link no longer works; only the player who sent it may."""
    invitations = services().people.invitations
    found = invitations.get(invitation)
    if found.by != caller().needs("play").id:
        raise Refused("no_such_invitation", f"there is no invitation {invitation!r}")
    invitations.withdraw(found)


def invitation_row(found: Invitation) -> dict[str, Any]:
    """Returns an invitation as JSON values, with the inviter's present name."""
    [row] = invitation_rows([found])
    return row


def invitation_rows(found: Sequence[Invitation]) -> list[dict[str, Any]]:
    """Returns invitations as JSON values; reads all their players at once. Erased players have accepted none."""
    people = presenter()
    names = people.names_of({one.by for one in found})
    there = {one.id for one in services().accounts.players({one.player for one in found if one.player})}
    same = ("id", "table", "seat", "by", "at", "state", "answered_at")
    return [
        {name: getattr(one, name) for name in same}
        | {"by_name": names[one.by], "name": people.name_in_record(INVITATION, one.id, one.name)}
        | {"player": one.player if one.player in there else None}
        for one in found
    ]
