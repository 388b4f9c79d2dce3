"""What a token may be used for: every operation against every scope, and what is seen without `watch`."""

import random
from typing import Any

import pytest

from service.accounts.callers import OWN_SCOPES
from tests.service.api.document import DOCUMENT
from tests.service.api.document import OPERATIONS as DESCRIBED
from tests.service.api.world import Answer, Somebody, World, accepted, refused
from tools.contracts.examples import EXAMPLES

PLACES = {
    "table": "t_aaaaaaaaaaaaaaaa",
    "seat": "1",
    "version": "1",
    "game": "manitou",
    "dispute": "d1",
    "offer": "o1",
    "rule_id": "MA-1.1",
    "case": "MA-R1",
    "token": "0123456789ab",
    "invitation": "i_aaaaaaaaaaaaaaaa",
    "passkey": "AAECAwQFBgcICQoLDA0ODw",
    "player": "p_nobody",
    "name": "wintercount-2026-10.tar.zst",
    "seats": "2",
}
BY_SCOPE = {  # operations by the scope that they need
    "": "getMe",
    "account": """
        addPasskey blockPlayer createRecoveryCodes createSignInCode createToken deleteWebhook eraseMe exportMe
        getQuotas getRecoveryCodes getShown getWebhook listBlocks listPasskeys listTokens preparePasskey removePasskey
        renamePasskey renameToken revokeToken setShown setWebhook takeName unblockPlayer
    """,
    "admin": "importArchive listActions listReports moderate",
    "arbitrate": "lookThroughSeat resolveDispute",
    "metrics": "getMetrics",
    "play": """
        answerOffer askAnalysis cancelAnalysis checkMove deleteTranscript grantTime handOverSeat invite leaveSeat
        listInvitations loadTranscript makeOffer openDispute openLesson openTable playMove report resignSeat takeSeat
        voteOnDispute withdrawInvitation
    """,
    "play watch": "forkTable",
    "watch": "createStreamToken getInbox getProgress listMoves listTranscripts readjudicateTable",
}
NEEDED = {name: [scope] for scope, names in BY_SCOPE.items() for name in names.split()}
NEEDED["commentOnDispute"] = ["play", "arbitrate"]
TOKENS = [*([scope] for scope in OWN_SCOPES), ["play", "watch"], ["watch", "arbitrate"], list(OWN_SCOPES)]
SENT = {"setWebhook": {"url": "https://bots.example/turn"}}


OPERATIONS = [(method, path.format(**PLACES), operation) for path, method, operation in DESCRIBED]


def alternatives(operation: dict[str, Any]) -> list[str]:
    return [" ".join(sorted(one["token"])) for one in operation["security"] if "token" in one]


def send(who: Somebody, method: str, path: str, operation: dict[str, Any]) -> Any:
    """Asks for the operation, with a body that fits its schema."""
    name = operation["operationId"]
    if "requestBody" not in operation:
        return who.send(method.upper(), path)
    body = SENT.get(name) or EXAMPLES.get(name, {}).get("request", {})
    if isinstance(body, str):
        return who.send(method.upper(), path, data=body, content_type="application/x-ndjson")
    return who.send(method.upper(), path, json=body)


def lacks_scope(answer: Answer) -> bool:
    return answer.status_code == 403 and answer.json["code"] == "scope_missing"


def test_every_operation_says_which_scopes_it_needs() -> None:
    """The document and this table are one."""
    needed = [found for found in OPERATIONS if found[2]["security"] and {} not in found[2]["security"]]
    assert {found["operationId"]: sorted(alternatives(found)) for _, _, found in needed} == {
        name: sorted(scopes) for name, scopes in NEEDED.items()
    }
    told = {found["operationId"] for _, _, found in needed if "scope_missing" in found["x-problem-codes"]}
    assert told == set(NEEDED) - {"getMe"}


@pytest.fixture(scope="module")
def bearers(world: World) -> list[tuple[list[str], Somebody]]:
    """Somebody with each kind of token."""
    ann = world.somebody("Ann")
    return [(scopes, world.again(ann, scopes)) for scopes in TOKENS]


@pytest.mark.parametrize(
    ("method", "path", "operation"), [pytest.param(*o, id=o[2]["operationId"]) for o in OPERATIONS if o[2]["security"]]
)
def test_a_token_does_what_its_scopes_say_and_nothing_else(
    world: World, bearers: list[tuple[list[str], Somebody]], method: str, path: str, operation: dict[str, Any]
) -> None:
    """Every operation with every kind of token; the operator's does everything."""
    needs = NEEDED.get(operation["operationId"], [""])
    if operation["operationId"] == "eraseMe":  # of each account once
        bearers = [(scopes, world.again(world.somebody("Eve"), scopes)) for scopes in TOKENS]
    for scopes, bearer in bearers:
        answer = send(bearer, method, path, operation)
        may = any(set(one.split()) <= set(scopes) for one in needs)
        assert lacks_scope(answer) is not may, (scopes, answer.text)
        assert answer.status_code not in (401, 422) or operation["operationId"] not in NEEDED, answer.text
    assert not lacks_scope(send(world.operator, method, path, operation))


def test_a_token_without_account_makes_none_and_ends_none(world: World) -> None:
    """However much else it may do: it gives nobody more than it has."""
    ann = world.somebody("Ann")
    lesser = world.again(ann, ["play", "watch", "arbitrate"])
    first = accepted(ann.get("/v1/players/me/tokens"))["tokens"][0]
    for scopes in (["arbitrate", "watch"], ["play"], ["account"]):
        refused(lesser.post("/v1/players/me/tokens", {"scopes": scopes}), 403, "scope_missing")
    refused(lesser.delete(f"/v1/players/me/tokens/{first['id']}"), 403, "scope_missing")
    answer = lesser.get("/v1/players/me/tokens")
    refused(answer, 403, "scope_missing")
    assert answer.headers["WWW-Authenticate"] == 'Bearer error="insufficient_scope"'
    assert accepted(ann.get("/v1/players/me"))["scopes"] == ["play", "watch", "account"]


def test_a_token_of_the_settings_makes_none(world: World) -> None:
    """It has no account that another one could open."""
    problem = refused(world.operator.post("/v1/players/me/tokens", {"scopes": ["play"]}), 403, "not_allowed")
    assert "no account" in problem["detail"]
    assert accepted(world.operator.get("/v1/players/me/tokens")) == {"tokens": []}


def test_account_gives_every_scope_of_a_player(world: World) -> None:
    """Also when it can do nothing else itself."""
    manager = world.again(world.somebody("Ann"), ["account"])
    for scope in OWN_SCOPES:
        assert accepted(manager.post("/v1/players/me/tokens", {"scopes": [scope]}), 201)["scopes"] == [scope]
    refused(manager.post("/v1/players/me/tokens", {"scopes": ["admin"]}), 422, "invalid")


def test_without_watch_one_sees_what_everybody_sees(world: World) -> None:
    """Through every door; only the answer to one's own move shows the seat's view."""
    ann, ben = world.somebody("Ann"), world.somebody("Ben")
    table = world.open(ann, ben, game="manitou")
    world.play(table, ann, ben, moves=6)
    playing = world.again(ann, ["play"])
    version = accepted(ann.get(f"/v1/tables/{table}"))["version"]
    doors = ("", "/events", "/rulings", "/audit", "/archive", "/notation")
    for door in (*doors, f"?at={version - 1}", f"/diff?from=1&to={version}"):
        path = f"/v1/tables/{table}{door}"
        told = {who: who.get(path).data for who in (playing, world.nobody, ann)}
        assert told[playing] == told[world.nobody], door
        assert told[playing] != told[ann] or door in ("/rulings", "/audit"), door
    assert accepted(ann.get(f"/v1/tables/{table}"))["seat"] == 1
    for path in (f"/v1/tables/{table}?seat=1", f"/v1/tables/{table}/diff?seat=1", f"/v1/tables/{table}/moves"):
        refused(playing.get(path), 403, "scope_missing")

    chosen = world.move(table, random.Random(1))
    while chosen is None or chosen[0] != 1:
        world.play(table, ann, ben, moves=1)
        chosen = world.move(table, random.Random(1))
    seat, move = chosen
    assert accepted(playing.post(f"/v1/tables/{table}/moves/check", {"game": "manitou", "seat": seat, "move": move}))[
        "legal"
    ]
    played = accepted(
        playing.post(f"/v1/tables/{table}/moves?include=table", {"game": "manitou", "seat": seat, "move": move})
    )
    assert (played["table"]["seat"], played["table"]["view"]["seat"]) == (1, 1)


def test_without_watch_one_sees_a_private_table_as_a_spectator(world: World) -> None:
    """As the document says: with any token of those whom it names, and nobody else at all."""
    told = DOCUMENT["components"]["securitySchemes"]["token"]["description"]
    assert "sees what spectators see, including private tables that name its account" in " ".join(told.split())
    ann, ben, ida, eve = (world.somebody(name) for name in ("Ann", "Ben", "Ida", "Eve"))
    table = world.open(ann, ben, game="manitou", visibility="private", arbiter=ida.player)
    world.play(table, ann, ben, moves=6)
    for door in ("", "/events", "/archive", "/notation"):
        path = f"/v1/tables/{table}{door}"
        for scope in ("play", "arbitrate", "account"):
            assert world.again(ann, [scope]).get(path).data == ida.get(path).data != ann.get(path).data, (door, scope)
            refused(world.again(eve, [scope]).get(path), 404, "no_such_table")
        refused(world.nobody.get(path), 404, "no_such_table")


def test_what_is_no_move_is_answered_without_the_seats_view(world: World) -> None:
    """Opening a table, with `play` alone."""
    ann = world.somebody("Ann")
    playing = world.again(ann, ["play"])
    seats = [{"kind": "me"}, {"kind": "ai", "level": "greedy"}]
    opened = accepted(playing.post("/v1/tables", {"game": "manitou", "seats": seats}), 201)
    assert (opened["status"], opened["seat"]) == ("running", None)
    assert opened["view"] == accepted(world.nobody.get(f"/v1/tables/{opened['id']}"))["view"]
    assert opened["view"] != accepted(ann.get(f"/v1/tables/{opened['id']}"))["view"]
