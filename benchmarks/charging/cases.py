"""What is asked, one case a line: an operation, the places at which it is asked, and what the request says.

A case for every operation of the service: `missing` names those without one. Names of a place stand in braces.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from flask import Flask

from service.api.admission import contract_of


class Operation(NamedTuple):
    """A route: its name in the document, else its rule; its method, its rule, and what it answers in besides JSON."""

    name: str
    method: str
    rule: str
    forms: tuple[str, ...]


class Case(NamedTuple):
    """A request: kinds of places (None: none), a query, a body and headers; what is done `before`, and who asks.

    `who` is the name of a token among the names of the place, `nobody`, `operator` or, empty, the place's own.
    """

    operation: str
    places: tuple[str, ...] = ()
    query: str = ""
    body: Any = None
    before: str = ""
    who: str = ""
    headers: tuple[tuple[str, str], ...] = ()
    names: tuple[tuple[str, Any], ...] = ()  # that stand in the path, beside those of the place
    cold: bool = False  # whether it is also asked where the table has to be read, from the store and from the archive


OVER = ("finished", "long", "branches")
ON = ("running", "long running", "disputed")
TABLES = (*OVER, *ON)
READ = (*TABLES, "transcripts", "lessons")
TEXTS = ("text/plain", "application/x-ndjson", "text/event-stream", "application/octet-stream")
COLD = {
    ("getTable", ""),
    ("listEvents", "?limit=1000"),
    ("diffTable", "?from=1"),
    ("exportNotation", ""),
    ("listForks", "?limit=200"),
    ("compareBranches", "?with={other}"),
    ("auditTable", ""),
    ("exportArchive", ""),
}
FRENCH = (("Accept-Language", "fr"),)
SEATS = [{"kind": "me"}, *({"kind": "ai", "level": "expert"} for _ in range(3))]
OPENING = {"game": "manitou", "seats": SEATS}


def _of_tables() -> Iterator[Case]:
    """Reads of a table, of every kind."""
    for name, query in (
        ("getTable", ""),
        ("getTable", "?at={middle}"),
        ("getTable", "?at={before}&seat={seat}"),
        ("getTable", "?at_time=2999-01-01T00:00:00Z"),
        ("listEvents", "?limit=1000"),
        ("listEvents", "?limit=1000&after={before}&language=en"),
        ("listEvents", "?language=fr"),
        ("diffTable", "?from=1"),
        ("diffTable", "?from={before}"),
        ("diffTable", "?from=1&seat={seat}"),
        ("blamePlace", "?path=/table"),
        ("blamePlace", "?path=/table&at={middle}"),
        ("blamePlace", "?path=/view&seat={seat}"),
        ("findMoment", "?path=/view/phase&value=%22never%22"),
        ("findMoment", "?path=/view/phase&value=%22never%22&from={before}"),
        ("findMoment", "?path=&value=%22never%22&from={before}"),
        ("exportNotation", ""),
        ("listDisputes", ""),
        ("listForks", "?limit=200"),
        ("compareBranches", "?with={other}"),
        ("listRulings", ""),
    ):
        yield Case(name, READ, query, cold=(name, query) in COLD)
    for name, query in (
        ("listMoves", ""),
        ("auditTable", ""),
        ("auditTable", "?version=1&hash=" + "0" * 64),
        ("exportArchive", ""),
        ("exportArchive", "?after={before}"),
    ):
        yield Case(name, (*TABLES, "lessons"), query, cold=(name, query) in COLD)
    for at in ("", "&at={middle}"):
        yield Case("getBeliefs", READ, "?worlds=40&seat={seat}" + at)
    yield Case("getBeliefs", ("finished",), "?worlds=200&seat={seat}", cold=True)
    yield Case("getRuling", READ, names=(("version", "{ruling}"),))
    yield Case("explainMove", ("finished",), names=(("version", "{ai}"),))
    yield Case("listRulings", OVER, headers=FRENCH)
    yield Case("readjudicateTable", OVER, body={"options": {}})
    yield Case("checkMove", ON, body={"game": "{game}", "seat": 1, "move": {"type": "pass_turn"}})
    yield Case("getProgress", ("lessons",))
    yield Case("getTranscript", ("transcripts",))
    yield Case("listInvitations", ("waiting",))


def _of_changes() -> Iterator[Case]:
    """What changes a table."""
    yield Case("openTable", body=OPENING, before="account")
    yield Case("openTable", body=OPENING | {"seats": SEATS[1:]}, before="account")
    yield Case("openLesson", ("games",))
    yield Case("takeSeat", ("waiting",), body={"level": "expert"}, before="free seat")
    yield Case("takeSeat", ("waiting",), body={"contribution": "a crow"}, before="guest")
    yield Case("leaveSeat", ("waiting",), before="seated guest")
    yield Case("grantTime", ("clocked",), body={"seconds": 5}, before="expired")
    yield Case("handOverSeat", ("clocked",), body={"level": "expert"}, before="expired")
    yield Case("playMove", ("running", "long running"), body="{move}", before="move")
    yield Case("playMove", ("running", "long running"), body={"game": "{game}", "seat": 1, "move": {"type": "no_move"}})
    yield Case("askTakeback", ("running", "long running"), body={"seat": "{seat}"}, before="moved")
    yield Case("answerTakeback", ("running", "long running"), body={"seat": "{seat}", "agrees": True}, before="asked")
    claim = {"seat": 1, "version": "{ruling}", "rule": "{rule}", "claim": "No."}
    yield Case("openDispute", ("running", "long running"), body=claim, before="ruling")
    yield Case("commentOnDispute", ("disputed",), body={"text": "No. " * 200})
    yield Case("lookThroughSeat", ("disputed",), body={"seat": 2}, who="arbiter")
    yield Case("voteOnDispute", ("disputed",), body={"seat": 1, "overturn": True})
    yield Case("resolveDispute", ("disputed",), body={"outcome": "overturned", "text": "Yes."}, who="arbiter")
    yield Case("forkTable", (*OVER, "running"), body={"version": "{middle}"})
    yield Case("forkTable", OVER, body={"version": "{middle}", "chance": "continued"})
    yield Case("invite", ("waiting",), body={"name": "Bea"}, before="free seat")
    yield Case("getInvitation", ("waiting",), who="nobody")
    yield Case("answerInvitation", ("waiting",), body={"state": "seen"}, who="nobody")
    yield Case("withdrawInvitation", ("waiting",), before="invited")
    yield Case("loadTranscript", ("transcripts",), body={"text": "{text}"}, before="another text")
    yield Case("deleteTranscript", ("transcripts",), before="loaded text")
    yield Case("importArchive", ("finished",), body="{archive}", before="archive", who="operator")
    yield Case("askAnalysis", ("finished",), body={"kind": "deep"}, before="no analysis")
    yield Case("getAnalysis", ("finished",), "?kind=deep", before="analysis")
    yield Case("cancelAnalysis", ("finished",), "?kind=deep", before="analysis")
    yield Case("askWorth", ("long",), before="no worth")
    yield Case("getWorth", ("long",), before="worth")
    yield Case("cancelWorth", ("long",), before="worth")


ME = ("accounts",)


def _of_people() -> Iterator[Case]:
    """Accounts, and what they have."""
    for name in ("getMe", "listTokens", "getRecoveryCodes", "listPasskeys", "getQuotas", "getShown", "listBlocks"):
        yield Case(name, ME)
    yield Case("listTranscripts", ("transcripts",))
    for place in ("accounts", "lists"):
        yield Case("exportMe", (place,), "?limit=50")
        yield Case("getInbox", (place,), "?limit=200")
        yield Case("getProfile", (place,), who="nobody")
        yield Case("getRatings", (place,), who="nobody")
        yield Case("getQuotas", (place,))
    yield Case("createPlayer", body={"name": "Mato Luta", "bot": True}, who="nobody")
    yield Case("takeName", ME, body={"name": "Mato Luta"}, before="guest account")
    yield Case("createToken", ME, body={"scopes": ["watch"]}, before="account")
    yield Case("renameToken", ME, body={"label": "L" * 40}, before="token", names=(("token", "{made}"),))
    yield Case("revokeToken", ME, before="token", names=(("token", "{made}"),))
    yield Case("setWebhook", body={"url": "https://bots.example/turn"}, before="bot")
    yield Case("getWebhook", before="webhook")
    yield Case("deleteWebhook", before="webhook")
    yield Case("createSignInCode", ME)
    yield Case("signIn", body={"code": "{code}"}, before="code", who="nobody")
    yield Case("prepareSignIn", who="nobody")
    yield Case("createRecoveryCodes", ME)
    yield Case("preparePasskey", before="account")
    yield Case("addPasskey", body="{credential}", before="prepared passkey")
    yield Case("listPasskeys", before="passkey")
    yield Case("renamePasskey", body={"label": "L" * 40}, before="passkey")
    yield Case("removePasskey", before="passkey")
    yield Case("setShown", ME, body=dict.fromkeys(("results", "ratings", "opponents", "activity"), True))
    yield Case("blockPlayer", ME, body=None, before="other")
    yield Case("unblockPlayer", ME, before="other")
    yield Case("report", ME, body={"player": "{other}", "reason": "abuse", "text": "No. " * 200})
    yield Case("eraseMe", before="account")
    yield Case("eraseMe", before="account at tables")
    yield Case("listReports", who="operator")
    yield Case("moderate", ME, body={"action": "dismiss", "items": ["{item}"]}, before="reported", who="operator")
    yield Case("listActions", who="operator")


MANY = ("lists",)


def _of_lists() -> Iterator[Case]:
    """Lists, feeds and figures, with filters that look in vain."""
    for status in ("open", "running", "finished"):
        yield Case("listTables", MANY, f"?status={status}&limit=200")
        yield Case("listTables", MANY, f"?status={status}&player=nobody-at-all")
    yield Case("listTables", MANY, "?open_to=me&limit=200")
    yield Case("listTables", MANY, "?mine=turn&limit=200")
    yield Case("listTables", MANY, "?mine=true&limit=200")
    yield Case("listTables", MANY, "?mine=true&player=nobody-at-all&status=finished")
    for query in ("?limit=200", "?limit=200&language=en", "?player=p_nobody", "?type=GameEnded&limit=200"):
        yield Case("readFeed", MANY, query, cold=True)
        yield Case("readFeed", MANY, query + "&cursor={cursor}", before="middle of the feed", cold=True)
    yield Case("listStandings", MANY, "?limit=200")
    yield Case("listStandings", MANY, "?limit=200&game={game}")
    yield Case("listStandings", MANY, "?player={player}")
    for query in ("", "?limit=200", "?level=greedy&options=%7B%22hand%22:99%7D", "?player={player}&result=won"):
        yield Case("listGamesPlayed", MANY, query)
    yield Case("getStatistics", ("games",), "?game={game}")
    yield Case("getStatistics", ("games",), "?game={game}&level=people")
    yield Case("listRatings", MANY, "?game={game}&seats={seats}&provisional=true&limit=200")
    yield Case("getRatingHistory", MANY, "?limit=200")
    yield Case("listDumps")
    yield Case("getDump", ("dumps",))
    yield Case("getManifest", ("dumps",))
    yield Case("listKeys")


def _of_rules() -> Iterator[Case]:
    """What is the same for all."""
    yield Case("listGames")
    yield Case("listAiPlayers")
    for name in ("getGame", "listRules", "listEventTypes", "listGameRulings", "getLesson"):
        yield Case(name, ("games",))
    yield Case("getRule", ("games",))
    yield Case("getCase", ("games",))
    yield Case("getCase", ("games",), headers=FRENCH)
    for name in ("getHealth", "getReadiness"):
        yield Case(name)
    yield Case("getMetrics", who="operator")
    for rule in ("/openapi.json", "/openapi.yaml", "/asyncapi.json", "/asyncapi.yaml", "/docs/openapi.json"):
        yield Case(rule)
    for rule in ("/docs/", "/docs", "/docs/problems", "/"):
        yield Case(rule)
    yield Case("/docs/<any('scalar.js', 'start.js', 'style.css'):name>", names=(("name", "scalar.js"),))
    yield Case("/page/<path:name>", ("pages",))
    yield Case("/<any(rules, rulings):kind>/<game>", ("games",), names=(("kind", "rules"),))
    yield Case("/<any(rules, rulings):kind>/<game>", ("games",), names=(("kind", "rulings"),))


CASES = (*_of_tables(), *_of_changes(), *_of_people(), *_of_lists(), *_of_rules())


def operations(app: Flask) -> dict[str, Operation]:
    """All operations of an app, by name."""
    found = {}
    for rule in app.url_map.iter_rules():
        view = app.view_functions[rule.endpoint]
        told = contract_of(view)
        for method in sorted((rule.methods or set()) - {"HEAD", "OPTIONS"}):
            name = str(told.get("name") or rule.rule)
            found[name] = Operation(name, method, rule.rule, forms_of(view))
    return found


def forms_of(view: Any) -> tuple[str, ...]:
    """The media types, besides JSON, that a view says it answers in."""
    responses = getattr(view, "_apidoc", {}).get("response", {}).get("responses", {})
    told = (one.get("content_type") for found in responses.values() for one in _each(found))
    return tuple(dict.fromkeys(form for form in told if form in TEXTS))


def _each(found: Any) -> Iterator[Mapping[str, Any]]:
    """The forms of an answer of one status, of which there may be one or several."""
    yield from (one for one in (found if isinstance(found, list) else [found]) if isinstance(one, Mapping))


def missing(app: Flask, cases: Iterable[Case] = CASES) -> list[str]:
    """The operations of an app that no case asks for."""
    return sorted(set(operations(app)) - {case.operation for case in cases})


def strange(app: Flask, cases: Iterable[Case] = CASES) -> list[str]:
    """What cases ask for that the app does not have."""
    return sorted({case.operation for case in cases} - set(operations(app)))
