"""Accounts and tokens."""

import contextlib

import pytest
from freezegun import freeze_time

from service.accounts import accounts_and_tokens as accounts
from tests.service.api.world import Somebody, World, accepted, refused

KEY = "8f6f0b1e-4f0e-4a38-9a3e-0d5d1b2f7c11"


def test_a_new_account_has_a_token_that_plays_watches_and_manages(world: World) -> None:
    account = accepted(world.nobody.post("/v1/players", {"name": "Ann", "bot": True}), 201)
    assert (account["name"], account["bot"], account["token"]["scopes"]) == ("Ann", True, ["play", "watch", "account"])
    me = accepted(Somebody(world.app, token=account["token"]["secret"]).get("/v1/players/me"))
    told = {"id": account["id"], "name": "Ann", "bot": True, "guest": False}
    assert me == told | {"scopes": ["play", "watch", "account"], "notices": []}


def test_a_repeated_sign_up_gives_the_same_account_and_token(world: World) -> None:
    first = world.nobody.post("/v1/players", {"name": "Ann"}, Idempotency_Key=KEY)
    again = world.nobody.post("/v1/players", {"name": "Ann"}, Idempotency_Key=KEY)
    assert [answer.headers.get("Idempotent-Replayed") for answer in (first, again)] == [None, "true"]
    assert (accepted(first, 201), first.data) == (accepted(again, 201), again.data)
    refused(world.nobody.post("/v1/players", {"name": "Bob"}, Idempotency_Key=KEY), 422, "request_reused")


def test_a_key_that_could_be_guessed_is_refused_for_an_account(world: World) -> None:
    """Who knows the key is told the token."""
    refused(world.nobody.post("/v1/players", {"name": "Ann"}, Idempotency_Key="1"), 400, "malformed")


@pytest.mark.parametrize("name", ["", "   ", "a\tb", "x" * 41, 7, None])
def test_a_name_is_a_short_text_that_can_be_seen(world: World, name: object) -> None:
    problem = refused(world.nobody.post("/v1/players", {"name": name}), 422, "invalid")
    assert {error["pointer"] for error in problem["errors"]} == {"/name"}


@pytest.mark.fault
def test_a_name_is_kept_in_one_form_and_found_in_any(world: World) -> None:
    """In NFC and without blanks at its ends; a search leaves out case, form and joiners."""
    ann = world.somebody("\u2003 Jose\u0301 می\u200cخواهم \u3000")
    assert accepted(ann.get("/v1/players/me"))["name"] == "Jos\u00e9 می\u200cخواهم"
    renamed = accepted(ann.send("PUT", "/v1/players/me/name", json={"name": " Rene\u0301e 👩\u200d🚀 "}))
    assert renamed["name"] == "Ren\u00e9e 👩\u200d🚀"
    table = world.open(ann, world.somebody())
    world.catch_up()
    for part in ("rene\u0301e", "REN\u00c9E", " \uff32\uff25\uff2e\u00c9\uff25 ", "ée 👩🚀"):
        found = accepted(ann.get(f"/v1/tables?mine=true&player={part}"))["tables"]
        assert [row["id"] for row in found] == [table]


def test_a_name_that_hides_something_is_refused_with_the_sign(world: World) -> None:
    """And so is one that passes for the operator's; a label may not turn what stands around it."""
    for name, told in (("Ann\u202e", "U+202E (RIGHT-TO-LEFT OVERRIDE)"), ("0реrator", "looks like 'operator'")):
        problem = refused(world.nobody.post("/v1/players", {"name": name}), 422, "invalid")
        assert told in problem["errors"][0]["detail"]
    labelled = {"scopes": ["play"], "label": "a\u2066b"}
    problem = refused(world.somebody().post("/v1/players/me/tokens", labelled), 422, "invalid")
    assert "U+2066" in problem["errors"][0]["detail"]


@pytest.mark.parametrize("header", ["", "Bearer", "Bearer ", "Basic abc", "Bearer wc_nonsense", "wc_nonsense"])
def test_a_token_that_is_none_is_refused_everywhere(world: World, header: str) -> None:
    """Even where no token is needed: who sends one believes to be somebody."""
    for path in ("/v1/players/me", "/v1/inbox"):
        answer = world.nobody.get(path, Authorization=header)
        refused(answer, 401, "unauthenticated")
        assert answer.headers["WWW-Authenticate"] == 'Bearer error="invalid_token"'


def test_without_a_token_nothing_is_ones_own(world: World) -> None:
    for path in ("/v1/players/me", "/v1/players/me/tokens", "/v1/inbox", "/v1/tables?mine=true"):
        refused(world.nobody.get(path), 401, "unauthenticated")
    refused(world.nobody.post("/v1/tables", {"game": "manitou", "seats": [{"kind": "me"}]}), 401, "unauthenticated")


@pytest.mark.parametrize("scopes", [[], ["admin"], ["play", "everything"], "play", [None]])
def test_players_cannot_give_themselves_other_scopes(world: World, scopes: object) -> None:
    refused(world.somebody().post("/v1/players/me/tokens", {"scopes": scopes}), 422, "invalid")


def test_tokens_are_listed_without_their_texts(world: World) -> None:
    ann = world.somebody()
    made = accepted(ann.post("/v1/players/me/tokens", {"scopes": ["watch"], "label": "page"}), 201)
    listed = accepted(ann.get("/v1/players/me/tokens"))["tokens"]
    assert sorted(token["label"] for token in listed) == ["first", "page"]
    assert {name: made[name] for name in made if name != "secret"} | {"used_on": None} in listed
    assert made["secret"] not in ann.get("/v1/players/me/tokens").text


def test_a_repeated_token_is_the_same_token(world: World) -> None:
    ann = world.somebody()
    first = ann.post("/v1/players/me/tokens", {"scopes": ["watch"]}, Idempotency_Key="t1")
    again = ann.post("/v1/players/me/tokens", {"scopes": ["watch"]}, Idempotency_Key="t1")
    assert accepted(first, 201) == accepted(again, 201)
    refused(ann.post("/v1/players/me/tokens", {"scopes": ["play"]}, Idempotency_Key="t1"), 422, "request_reused")
    assert len(accepted(ann.get("/v1/players/me/tokens"))["tokens"]) == 2


@pytest.mark.parametrize("few", [{"tokens": 3}], indirect=True)
def test_an_account_has_so_many_tokens(few: World) -> None:
    """The first one counts; a repeat is told its token all the same, and one that is ended makes room."""
    ann, body = few.somebody("Ann"), {"scopes": ["watch"]}
    made = [accepted(ann.post("/v1/players/me/tokens", body, Idempotency_Key=f"token-{n}"), 201) for n in (2, 3)]
    assert refused(ann.post("/v1/players/me/tokens", body), 409, "quota_reached")["most"] == 3
    assert accepted(ann.post("/v1/players/me/tokens", body, Idempotency_Key="token-3"), 201) == made[1]
    assert ann.delete(f"/v1/players/me/tokens/{made[0]['id']}").status_code == 204
    accepted(ann.post("/v1/players/me/tokens", body), 201)


def test_a_key_belongs_to_who_sends_it(world: World) -> None:
    """Two players may use the same one."""
    made = [world.somebody().post("/v1/players/me/tokens", {"scopes": ["watch"]}, Idempotency_Key="k") for _ in "ab"]
    assert accepted(made[0], 201)["secret"] != accepted(made[1], 201)["secret"]


def test_a_revoked_token_ends(world: World) -> None:
    """At once where it was revoked, and within five seconds in a process that had looked it up."""
    ann = world.somebody()
    other = world.again(ann, ["watch"])
    elsewhere = World(world.url)
    there = Somebody(elsewhere.app, token=other.token)
    accepted(there.get("/v1/players/me"))
    token = next(row for row in accepted(ann.get("/v1/players/me/tokens"))["tokens"] if row["scopes"] == ["watch"])
    accepted(ann.delete(f"/v1/players/me/tokens/{token['id']}"), 204)
    refused(other.get("/v1/players/me"), 401, "unauthenticated")
    accepted(there.get("/v1/players/me"))
    with freeze_time() as clock:
        clock.tick(accounts.REMEMBER_S + 1)
        refused(there.get("/v1/players/me"), 401, "unauthenticated")
    refused(ann.delete(f"/v1/players/me/tokens/{token['id']}"), 404, "no_such_token")


def test_a_revoked_token_manages_no_account_anywhere(world: World) -> None:
    """Not even in a process that still caches it: a thief would otherwise make another and keep the account."""
    ann = world.somebody()
    stolen = world.again(ann, ["account"])
    with contextlib.closing(World(world.url)) as elsewhere:
        thief = Somebody(elsewhere.app, token=stolen.token)
        tokens = "/v1/players/me/tokens"
        accepted(thief.post(tokens, {"scopes": ["play"]}, Idempotency_Key="k"), 201)
        held = accepted(ann.get(tokens))["tokens"]
        revoked = next(row["id"] for row in held if row["scopes"] == ["account"])
        accepted(ann.delete(f"{tokens}/{revoked}"), 204)

        accepted(thief.get("/v1/players/me"))
        kept = [row["id"] for row in held if row["id"] != revoked]
        for asked in (
            thief.post(tokens, {"scopes": ["account"]}),
            thief.post(tokens, {"scopes": ["play"]}, Idempotency_Key="k"),
            thief.delete(f"{tokens}/{kept[0]}"),
        ):
            refused(asked, 401, "unauthenticated")
        assert [row["id"] for row in accepted(ann.get(tokens))["tokens"]] == kept


def test_nobody_revokes_the_tokens_of_others(world: World) -> None:
    ann, bob = world.somebody(), world.somebody()
    token = accepted(ann.get("/v1/players/me/tokens"))["tokens"][0]["id"]
    refused(bob.delete(f"/v1/players/me/tokens/{token}"), 404, "no_such_token")
    accepted(ann.get("/v1/players/me"))
