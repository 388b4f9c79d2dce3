"""The feed: the batches of all public tables, for programs that build their own projections."""

from typing import Any

import msgspec
from flask import Response, request

from service.api.common import caller, expensive_answer, form_among, next_link, streamed
from service.api.headers import LAST_EVENT_ID, LINK
from service.api.media_types import FRAMES, JSON, LINES, TEXT
from service.api.request_parsing import Blueprint
from service.api.schemas.events import FeedQuery, FeedSchema
from service.limits.rates import QUESTIONS
from service.streams.frames import FeedSubscription, Page

AT_CURSOR = LAST_EVENT_ID | {"description": "the cursor that the client has; used when `cursor` is not given"}

blueprint = Blueprint("feed", __name__, url_prefix="/v1", description="All public tables at once")


@blueprint.get("/feed", query=FeedQuery, answer=FeedSchema, headers=LINK)
@blueprint.alt_response(200, schema=TEXT, content_type=LINES, headers=LINK)
@blueprint.alt_response(200, schema=TEXT, content_type=FRAMES)
@blueprint.contract(
    "cursor_gone account_suspended too_many_streams quota_reached", may="", headers=(AT_CURSOR,), counts=QUESTIONS
)
def read_feed(query: dict[str, Any]) -> Response:
    """Read the feed.

    Returns the batches of all public tables after a cursor, as spectators could read them when they were recorded:
    later events reveal what is secret. The batches of a table are in order. `application/json` and
    `application/x-ndjson` are a page; it may be empty although `lag` is not 0: go on at `next`. `text/event-stream`
    goes on, resumes with Last-Event-ID, and sends a frame `lag` every 15 seconds. It ends with a frame `end` whose
    `reason` is `access_ended` or `cursor_gone`.
    """
    form, asked = form_among(JSON, LINES, FRAMES), _asked(query)
    if form == FRAMES:
        expensive_answer("feed", "", limit=0, **asked)  # refuses a place that the feed does not hold
        return streamed(FeedSubscription(caller(), asked))
    body = expensive_answer("feed", "", limit=query["limit"], **asked).body
    page = msgspec.json.decode(body, type=Page)
    body = body if form == JSON else b"".join(bytes(row) + b"\n" for row in page.batches)
    return Response(body, mimetype=form, headers=next_link({"cursor": page.next} if page.lag else None))


def _asked(query: dict[str, Any]) -> dict[str, Any]:
    named = {"cursor": "cursor", "game": "game", "type": "types", "player": "player", "language": "words"}
    asked = {said: query[name] for name, said in named.items() if name in query}
    last = request.headers.get("Last-Event-ID")
    return {"cursor": last} | asked if last else asked
