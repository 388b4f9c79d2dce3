"""Invitations: a link with a name; the inviter sees what became of it."""

from typing import Any

import pytest

from events.scripts import Client
from service.accounts.accounts_and_tokens import key_of
from service.accounts.invitations import Invitations
from service.accounts.sealing import Sealer, new_key
from tests.service.api.world import Somebody, World, accepted, refused
from tests.tables import TEXTS


def opened(somebody: Somebody, seats: int = 2) -> str:
    """The path of a table that waits for players."""
    body = {"game": "manitou", "seats": [{"kind": "me"}, *[{"kind": "open"}] * (seats - 1)]}
    return f"/v1/tables/{accepted(somebody.post('/v1/tables', body), 201)['id']}"


def invited(somebody: Somebody, path: str, **more: Any) -> str:
    """The path of an invitation."""
    made = accepted(somebody.post(f"{path}/invitations", {"name": "Bea"} | more), 201)
    return f"/v1/invitations/{made['id']}"


def states(somebody: Somebody, path: str) -> list[tuple[str, str | None]]:
    """What the one who invited is told."""
    found = accepted(somebody.get(f"{path}/invitations"))["invitations"]
    return [(one["state"], one["player"]) for one in found]


def answer(somebody: Somebody, link: str, state: str) -> Any:
    return somebody.post(f"{link}/answer", {"state": state})


def test_an_invitation_is_seen_then_accepted_by_sitting_down(world: World) -> None:
    ann, bea = world.somebody("Ann"), world.somebody("Bea")
    link = invited(ann, path := opened(ann), seat=2)
    told = accepted(world.nobody.get(link))
    assert (told["by_name"], told["name"], told["seat"], told["state"]) == ("Ann", "Bea", 2, "sent")
    accepted(answer(world.nobody, link, "seen"))
    assert states(ann, path) == [("seen", None)]
    refused(answer(bea, link, "accepted"), 403, "not_your_seat")
    refused(answer(world.nobody, link, "accepted"), 401, "unauthenticated")
    refused(answer(world.again(bea, ["watch"]), link, "accepted"), 403, "scope_missing")
    accepted(bea.post(f"{path}/seats/2"))
    accepted(answer(bea, link, "accepted"))
    assert states(ann, path) == [("accepted", bea.player)]


def test_what_was_answered_stays_but_who_declined_may_accept(world: World) -> None:
    ann, bea = world.somebody("Ann"), world.somebody("Bea")
    link = invited(ann, path := opened(ann))
    accepted(answer(world.nobody, link, "declined"))
    assert accepted(answer(world.nobody, link, "seen"))["state"] == "declined"
    accepted(bea.post(f"{path}/seats/2"))
    accepted(answer(bea, link, "accepted"))
    assert accepted(answer(world.nobody, link, "declined"))["state"] == "accepted"
    assert states(ann, path) == [("accepted", bea.player)]


def test_only_who_belongs_to_a_table_invites_and_only_before_its_game(world: World) -> None:
    ann, bea = world.somebody("Ann"), world.somebody("Bea")
    path = opened(ann, 3)
    refused(bea.post(f"{path}/invitations", {"name": "Cat"}), 403, "not_allowed")
    refused(ann.post(f"{path}/invitations", {"name": "Cat", "seat": 1}), 409, "seat_taken")
    refused(ann.post(f"{path}/invitations", {"name": "Cat", "seat": 4}), 404, "no_such_seat")
    accepted(bea.post(f"{path}/seats/2"))
    invited(bea, path, name="Cat")
    assert (states(ann, path), states(bea, path)) == ([], [("sent", None)])
    running = f"/v1/tables/{world.open(ann, bea, game='manitou')}"
    refused(ann.post(f"{running}/invitations", {"name": "Cat"}), 409, "table_started")


def test_a_repeat_is_answered_when_the_seat_was_taken_meanwhile(world: World) -> None:
    """Its first answer may have been lost; others are refused then, and so is a withdrawn invitation."""
    ann, bea = world.somebody("Ann"), world.somebody("Bea")
    path = opened(ann)
    first = accepted(ann.post(f"{path}/invitations", {"name": "Bea"}, Idempotency_Key="one"), 201)
    accepted(bea.post(f"{path}/seats/2"))
    assert accepted(ann.post(f"{path}/invitations", {"name": "Bea"}, Idempotency_Key="one"), 201) == first
    refused(ann.post(f"{path}/invitations", {"name": "Cat"}, Idempotency_Key="one"), 422, "request_reused")
    refused(ann.post(f"{path}/invitations", {"name": "Bea"}, Idempotency_Key="two"), 409, "table_started")
    assert ann.delete(f"/v1/invitations/{first['id']}").status_code == 204
    refused(ann.post(f"{path}/invitations", {"name": "Bea"}, Idempotency_Key="one"), 409, "table_started")


def test_a_link_is_worked_out_by_nobody_without_the_secret(valkey: Client) -> None:
    """Another service's is another."""
    old, new, request = new_key(), new_key(), "p_ann|once"

    def made(*keys: str) -> str:
        return Invitations(valkey, Sealer(lambda: keys), TEXTS, 1).id_of(request)

    assert made(old) == made(old) != made(new)


def test_another_invitation_under_the_same_key_is_refused(world: World) -> None:
    """Of another name, to another seat, or to another table: none of them is told the first one as its own."""
    ann = world.somebody("Ann")
    path, elsewhere = opened(ann), opened(ann)
    accepted(ann.post(f"{path}/invitations", {"name": "Bea"}, Idempotency_Key="once"), 201)
    for other, body in ((path, {"name": "Cat"}), (path, {"name": "Bea", "seat": 2}), (elsewhere, {"name": "Bea"})):
        refused(ann.post(f"{other}/invitations", body, Idempotency_Key="once"), 422, "request_reused")
    assert (len(states(ann, path)), states(ann, elsewhere)) == (1, [])


def test_an_invitation_is_withdrawn_by_whoever_sent_it(world: World) -> None:
    ann, bea = world.somebody("Ann"), world.somebody("Bea")
    link = invited(ann, path := opened(ann))
    refused(bea.delete(link), 404, "no_such_invitation")
    assert ann.delete(link).status_code == 204
    refused(world.nobody.get(link), 404, "no_such_invitation")
    refused(ann.delete(link), 404, "no_such_invitation")
    assert states(ann, path) == []


@pytest.mark.parametrize("few", [{"invitations": 2}], indirect=True)
def test_an_account_has_so_many_invitations_open(few: World) -> None:
    """Those that were withdrawn do not count; each ends after two weeks."""
    ann = few.somebody("Ann")
    path = opened(ann, 4)
    links = [invited(ann, path) for _ in range(2)]
    told = refused(ann.post(f"{path}/invitations", {"name": "Cat"}), 409, "quota_reached")
    assert (told["quota"], told["most"]) == ("invitations", 2)
    quotas = {one["name"]: one for one in accepted(ann.get("/v1/players/me/quotas"))["quotas"]}
    assert quotas["invitations"] == {"name": "invitations", "used": 2, "most": 2}
    assert (quotas["tokens"]["used"], quotas["tables"]["most"]) == (1, 10**6)
    ann.delete(links[0])
    invited(ann, path)
    client: Client = few.log.client
    assert 0 < client.ttl(key_of("invitation", links[1].rpartition("/")[2])) <= 14 * 86_400


def test_the_erasure_of_who_invited_ends_the_invitations(world: World) -> None:
    ann = world.somebody("Ann")
    link = invited(ann, opened(ann))
    assert [one["name"] for one in accepted(ann.get("/v1/players/me/export"))["invitations"]] == ["Bea"]
    assert ann.delete("/v1/players/me").status_code == 204
    refused(world.nobody.get(link), 404, "no_such_invitation")


def test_who_has_accepted_and_was_erased_is_told_no_more(world: World) -> None:
    """Otherwise a holder of the link would learn which seat the invited person had."""
    ann, bea = world.somebody("Ann"), world.somebody("Bea")
    link = invited(ann, path := opened(ann), seat=2)
    accepted(bea.post(f"{path}/seats/2", {"invitation": link.rpartition("/")[2]}))
    assert (states(ann, path), accepted(world.nobody.get(link))["player"]) == ([("accepted", bea.player)], bea.player)
    accepted(bea.delete("/v1/players/me"), 204)
    assert (states(ann, path), accepted(world.nobody.get(link))["player"]) == ([("accepted", None)], None)
    told = accepted(ann.get("/v1/players/me/export"))["invitations"]
    assert [one["player"] for one in told] == [None]


@pytest.mark.parametrize("harm", [b"{", b"[]", b'{"id": 1}'])
def test_no_line_of_the_log_holds_a_link(world: World, caplog: pytest.LogCaptureFixture, harm: bytes) -> None:
    """The link lets its holder sit down at a private table, so log lines name the route only."""
    ann = world.somebody("Ann")
    link = invited(ann, opened(ann))
    name = link.rpartition("/")[2]
    client: Client = world.log.client
    client.set(key_of("invitation", name), harm)
    refused(world.nobody.get(link), 500, "internal")
    refused(answer(world.nobody, link, "seen"), 500, "internal")
    assert "GET /v1/invitations/<invitation>" in caplog.text
    assert "POST /v1/invitations/<invitation>/answer" in caplog.text
    assert name not in caplog.text
