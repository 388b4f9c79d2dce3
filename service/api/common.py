"""What all resources share: services, the caller, and the form of answers."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import msgspec
from flask import Response, current_app, request
from werkzeug.datastructures import MIMEAccept

from events.store import RedisLog
from events.times import stamp
from service.accounts.accounts_and_tokens import Accounts
from service.accounts.callers import Caller
from service.accounts.people_stores import People
from service.accounts.shown_names import Presenter
from service.accounts.webhooks import Webhooks
from service.addresses import Networks
from service.analyses import TableAnalyses
from service.api.admission import ADMITTED, STREAM_TOKEN, AdmittedRequest
from service.api.headers import REPLAYED, STREAMED
from service.api.media_types import FRAMES, JSON
from service.api.table_requests import Asked, asked_in, language_of, link_to
from service.command_handler import CommandHandler
from service.dumps import Dumps
from service.encodings import base64url
from service.erasure import Eraser
from service.errors import Refused
from service.limits.quotas import Quotas
from service.limits.rates import Rates
from service.moderation.reports import Reports
from service.streams.frames import SUBSCRIPTION, Subscription, without_names
from service.streams.hub import Hub
from service.tables.table_lists import AI
from service.tables.whole_game_questions import Answer, Answering, Question


class _Page(msgspec.Struct):
    """The part of a page that says where the next page begins."""

    next: int | None = None


DEPENDS_ON = "wintercount.depends_on"  # in the WSGI environment: headers of the request, for `Vary`


def efforts(game: str) -> dict[str, int]:
    """Returns the AI levels that play a game, with their iterations for a move; 0 if a level does not search."""
    found: dict[str, int] = current_app.extensions["efforts"](game)
    return found


class Services(NamedTuple):
    """The services behind the resources."""

    handler: CommandHandler
    accounts: Accounts
    hub: Hub
    webhooks: Webhooks
    expensive: Answering
    rates: Rates
    proxies: Networks
    quotas: Quotas
    eraser: Eraser
    people: People
    dumps: Dumps
    reports: Reports
    analyses: TableAnalyses

    def close(self) -> None:
        """Ends background work."""
        self.hub.close()
        self.expensive.close()


def services() -> Services:
    """Returns the services of the current app."""
    found: Services = current_app.extensions["wintercount"]
    return found


def admitted() -> AdmittedRequest:
    """Returns the current request as it was admitted."""
    found: AdmittedRequest = request.environ[ADMITTED]
    return found


def handler() -> CommandHandler:
    """Returns the command handler."""
    return services().handler


def now() -> str:
    """Returns the time as it is recorded."""
    return stamp(handler().now_ms())


def redis_log() -> RedisLog:
    """Returns the log, whose store also holds the projections."""
    log = handler().log
    if not isinstance(log, RedisLog):
        raise TypeError("the lobby is kept in Redis")
    return log


def caller() -> Caller:
    """Returns the caller of an operation whose contract names one."""
    return admitted().caller


def managing() -> Caller:
    """Returns the caller, who may manage the account; raises `Refused`, also for a token revoked a moment ago."""
    asking = caller()
    asking.needs("account")
    services().accounts.check(asking)
    return asking


def reply(body: Any, status: int = 200, **headers: str) -> Response:
    """Returns a JSON response."""
    response = Response(msgspec.json.encode(body), status, mimetype=JSON)
    for name, value in headers.items():
        response.headers[name.replace("_", "-")] = value
    return response


def replayed(repeated: bool) -> dict[str, str]:
    """Returns the header of an answer to a repeated request, for `reply`."""
    return {REPLAYED: "true"} if repeated else {}


def expensive_answer(name: str, table: str, **asked: Any) -> Answer:
    """Returns the answer to an expensive question of the caller; raises `Refused`."""
    return services().expensive(Question(name, caller(), table, {"language": language()} | asked))


def expensive_reply(name: str, table: str, going_on: str | None = None, **asked: Any) -> Response:
    """Returns the answer to an expensive question as JSON; the query `going_on` asks for the next page."""
    body = expensive_answer(name, table, **asked).body
    following = msgspec.json.decode(body, type=_Page).next if going_on else None
    link = next_link(None if following is None else {str(going_on): following})
    return Response(body, mimetype=JSON, headers=link)


def paged(body: dict[str, Any]) -> Response:
    """Returns a page as JSON, with a `Link` to the one at `next`; a place in a list becomes an opaque cursor."""
    if isinstance(place := body["next"], str):
        body = body | {"next": base64url(place.encode())}
    response = reply(body)
    response.headers.update(next_link(None if body["next"] is None else {"cursor": body["next"]}))
    return response


def next_link(following: Mapping[str, Any] | None) -> dict[str, str]:
    """Returns the `Link` header to the next page, if there is one."""
    return {} if following is None else link_to(request.path, request.args, following)


def form_among(*forms: str) -> str:
    """Returns the media type that `Accept` prefers among these, by default the first; raises `Refused`."""
    if STREAM_TOKEN in request.args:  # it opens nothing else
        return FRAMES
    _depends_on("Accept")
    accepted = MIMEAccept((form.partition(";")[0].strip(), quality) for form, quality in request.accept_mimetypes)
    found = accepted.best_match(forms) if accepted else forms[0]  # with parameters as well, such as a charset
    if found is None:
        raise Refused("not_acceptable", f"the answer is given as {', '.join(forms)}")
    return found


def _depends_on(header: str) -> None:
    """Notes that the answer depends on a header of the request, for `Vary`."""
    request.environ.setdefault(DEPENDS_ON, []).append(header)


def language() -> str:
    """Returns the language that `Accept-Language` prefers among ours."""
    _depends_on("Accept-Language")
    return language_of(request.environ.get("HTTP_ACCEPT_LANGUAGE"))


def asked_at(table: str) -> Asked:
    """Returns the current request in the form that both lanes share."""
    environ = request.environ
    body = request.get_data() if environ["REQUEST_METHOD"] == "POST" else b""
    return asked_in(environ, table, environ[ADMITTED].caller, body)


def presenter() -> Presenter:
    """Returns what presents people's names and texts to the caller."""
    return handler().presenter(language())


def in_good_standing() -> Caller:
    """Returns the caller; raises `Refused` if the account is suspended."""
    asking = caller()
    services().reports.actions.check(asking.id)
    return asking


def streamed(stream: Subscription) -> Response:
    """Returns a response that the server turns into a stream; raises `Refused` for a suspended account or too many."""
    if request.method != "HEAD":
        services().reports.actions.check(stream.caller.id)
        subscription = stream._replace(address=admitted().address, names=_wants_names())
        services().hub.open.admit(subscription)
        request.environ[SUBSCRIPTION] = subscription
    return Response(mimetype=FRAMES, headers=STREAMED)


def streamed_at_once(frames: bytes) -> Response:
    """Returns a whole stream, which has ended."""
    return Response(frames if _wants_names() else without_names(frames), mimetype=FRAMES, headers=STREAMED)


def _wants_names() -> bool:
    return request.args.get("names") != "off"


def check_here(player: str) -> None:
    """Raises `Refused` unless the player has an account, which an erasure ends, or is an AI level."""
    if not still_here([{"player": player}]):
        raise Refused("no_such_player", f"there is no player {player!r}")


def still_here(rows: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Returns the rows whose `player` has an account or is an AI level: what an erased person won is not shown."""
    people = [row["player"] for row in rows if not row["player"].startswith(AI)]
    known = {account.id for account in services().accounts.players(people)}
    return [row for row in rows if row["player"] in known or row["player"].startswith(AI)]
