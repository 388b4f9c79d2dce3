"""Reports by players, the operators' queue, and moderation actions."""

from itertools import islice
from typing import Any

from flask import Response

from projections import lobby_rows
from projections.store import current
from service.api.common import caller, handler, now, paged, presenter, redis_log, replayed, reply, services
from service.api.headers import KEY_HEADER, LINK
from service.api.idempotency import request_name
from service.api.request_parsing import Blueprint
from service.api.schemas import moderation as schemas
from service.moderation.actions import ACTIONS, Action
from service.moderation.reports import Report
from service.tables.moderation_queue import Queue, Subject, report_row, subject_of

blueprint = Blueprint("moderation", __name__, url_prefix="/v1", description="Reports, and what operators do about them")


@blueprint.post("/reports", body=schemas.ReportRequest, answer=schemas.ReportSchema, status=201)
@blueprint.contract(
    "no_such_player no_such_table no_such_version contradictory not_allowed quota_reached",
    needs="play",
    headers=(KEY_HEADER,),
    transcripts=True,
)
def report(body: dict[str, Any]) -> Response:
    """Report a player or text.

    Reports a player, a table, a name or a text at a table. Only operators see reports; the reported player learns only
    what an operator then does, and why.
    """
    asking = caller()
    player, reports = asking.needs("play").id, services().reports
    named = request_name(player)
    subject = subject_of(handler(), asking, Subject(body["player"], body["table"], body["version"]))
    new = Report(id="", by=player, at=now(), reason=body["reason"], **subject._asdict())
    made, repeated = reports.make(asking, new, body["text"], str(named.key), named.fingerprint)
    return reply(report_row(reports, made, reports.actions.current().settled), 201, **replayed(repeated))


@blueprint.get("/reports", query=schemas.QueueQuery, answer=schemas.QueueSchema, headers=LINK)
@blueprint.contract(needs="admin")
def list_reports(query: dict[str, Any]) -> Response:
    """List reports. Returns what waits for an operator: reports, and open disputes at tables without an arbiter."""
    queue, everything = _queue(), query["status"] == "all"
    found = list(islice(queue.reports(query["cursor"], everything=everything), query["limit"] + 1))
    shown, more = found[: query["limit"]], len(found) > query["limit"]
    disputes = [] if query["cursor"] else list(queue.disputes())
    following = shown[-1][0] if more else None
    return paged({"items": [*disputes, *(row for _, row in shown)], "next": following})


@blueprint.post("/moderation", body=schemas.ActionRequest, answer=schemas.ActionSchema, status=201)
@blueprint.contract(
    "no_such_player no_such_report no_such_action no_such_table no_such_dispute contradictory conflict",
    needs="admin",
    headers=(KEY_HEADER,),
)
def moderate(body: dict[str, Any]) -> Response:
    """Take a moderation action.

    Dismisses reports, warns a player, hides their name, suspends their account, or reverses an action. A suspended
    player cannot open tables or accounts, take seats, invite, load texts or open streams; games that have begun go on.
    Other processes may show a hidden name for another five seconds.
    """
    named, actions = request_name(caller().needs("admin").id), services().reports.actions
    fields = {name: body[name] for name in ("reason", "player", "reverses")}
    items = _queue().named(body["items"])
    wanted = Action(id="", type=ACTIONS[body["action"]], at=now(), items=items, **fields)
    number, repeated = actions.act(wanted, body["text"], str(named.key), named.fingerprint)
    handler().names.drop()
    return reply(actions.row(actions.current(), number), 201, **replayed(repeated))


@blueprint.get("/moderation", query=schemas.ActionsQuery, answer=schemas.ActionsSchema, headers=LINK)
@blueprint.contract(needs="admin")
def list_actions(query: dict[str, Any]) -> Response:
    """List moderation actions. Returns what operators have done, first action first."""
    actions, player, limit = services().reports.actions, query.get("player"), query["limit"]
    known = actions.current()
    numbers = [one.number for one in known.actions if one.number > query["cursor"] and player in (None, one.player)]
    following = numbers[limit - 1] if len(numbers) > limit else None
    return paged({"actions": [actions.row(known, number) for number in numbers[:limit]], "next": following})


def _queue() -> Queue:
    return Queue(services().reports, handler(), current(redis_log(), lobby_rows.NAME), presenter())
