"""One account on several devices: codes, recovery codes, passkeys, and the tokens that come of them."""

import contextlib
from collections.abc import Iterator
from typing import Any

import pytest
from freezegun import freeze_time

from events.scripts import Client
from service.accounts.accounts_and_tokens import key_of
from service.accounts.signing_in import CODES, MOST_ATTEMPTS
from tests.service.api.authenticator import Authenticator, text
from tests.service.api.world import Somebody, World, accepted, refused
from worker.unused_accounts import Sweeper

KEY = "4a3c6bd0-59b6-4c7a-8d16-0a9d51a1c5f0"
CODE, RECOVERY, PASSKEYS = (f"/v1/players/me/{name}" for name in ("sign-in-codes", "recovery-codes", "passkeys"))


def signed_in(world: World, body: dict[str, Any], **headers: str) -> Somebody:
    """Another device that signs in."""
    made = accepted(world.nobody.post("/v1/sign-ins", body, **headers), 201)
    return Somebody(world.app, made["id"], made["token"]["secret"])


def nothing(world: World, body: dict[str, Any]) -> dict[str, Any]:
    """The refusal of a sign-in that proves nothing."""
    return refused(world.nobody.post("/v1/sign-ins", body), 403, "sign_in_refused")


def code_of(somebody: Somebody) -> str:
    """A code that a signed-in device shows."""
    return str(accepted(somebody.post(CODE), 201)["code"])


def test_a_code_signs_another_device_in_once(world: World) -> None:
    """The other device has a token of its own, by its name, with the scopes of a first token."""
    ann = world.somebody()
    shown = accepted(ann.post(CODE), 201)
    assert (len(shown["code"]), shown["seconds"]) == (9, 600)
    written = shown["code"].lower().replace("-", " ").replace("0", "o")
    other = signed_in(world, {"code": written, "label": "telephone"})
    assert accepted(other.get("/v1/players/me"))["id"] == ann.player
    tokens = accepted(other.get("/v1/players/me/tokens"))["tokens"]
    assert [token["label"] for token in tokens] == ["first", "telephone"]
    assert {*tokens[1]["scopes"]} == {"play", "watch", "account"}
    nothing(world, {"code": shown["code"]})


def test_whatever_does_not_sign_in_is_told_alike(world: World) -> None:
    """Wrong, used, of nobody, or of the wrong length: one sentence."""
    ann = world.somebody()
    used, live = code_of(ann), code_of(ann)
    signed_in(world, {"code": live})
    codes = (used, live, live[:5] + "0000", "ABCD-EFGH", "A", "0000-0000-0000-0000-0000")
    told = [nothing(world, {"code": code}) for code in codes]
    assert len({str({**one, "request_id": ""}) for one in told}) == 1


def test_a_code_is_good_for_ten_minutes(world: World) -> None:
    """The store lets it go by itself."""
    code_of(ann := world.somebody())
    place = world.log.client.get(key_of("signing", str(ann.player)))
    assert 590 < world.log.client.ttl(place) <= 600


def test_after_five_wrong_attempts_a_code_is_void(world: World) -> None:
    """And no attempt less: the fifth may still be right."""
    ann = world.somebody()
    for wrong, is_good in ((MOST_ATTEMPTS - 1, True), (MOST_ATTEMPTS, False)):
        code = code_of(ann)
        for _ in range(wrong):
            nothing(world, {"code": code[:5] + ("1111" if code[5:] != "1111" else "2222")})
        answer = world.nobody.post("/v1/sign-ins", {"code": code})
        assert answer.status_code == (201 if is_good else 403)


def test_wrong_attempts_count_whatever_the_key_of_the_request(world: World) -> None:
    """An Idempotency-Key makes a repeat of the same guess one attempt, not of others."""
    code = code_of(world.somebody())
    for guess in ("1111", "2222", "3333", "4444", "5555", "6666"):
        refused(
            world.nobody.post("/v1/sign-ins", {"code": code[:5] + guess}, Idempotency_Key=KEY), 403, "sign_in_refused"
        )
    refused(world.nobody.post("/v1/sign-ins", {"code": code}, Idempotency_Key=KEY), 403, "sign_in_refused")


def test_a_code_ends_with_the_token_that_asked_for_it(world: World) -> None:
    """Who stole a token and is found out has nothing left."""
    ann = world.somebody()
    thief = world.again(ann, ["account"])
    code = code_of(thief)
    stolen = next(t for t in accepted(ann.get("/v1/players/me/tokens"))["tokens"] if t["scopes"] == ["account"])
    assert ann.delete(f"/v1/players/me/tokens/{stolen['id']}").status_code == 204
    nothing(world, {"code": code})
    refused(thief.post(CODE), 401, "unauthenticated")


def test_a_repeated_sign_in_gets_the_same_token(world: World) -> None:
    """Though the code is used up; with another body it is refused, and a key that can be guessed is none."""
    code = code_of(world.somebody())
    first = world.nobody.post("/v1/sign-ins", {"code": code}, Idempotency_Key=KEY)
    again = world.nobody.post("/v1/sign-ins", {"code": code}, Idempotency_Key=KEY)
    assert [answer.headers.get("Idempotent-Replayed") for answer in (first, again)] == [None, "true"]
    assert (accepted(first, 201), first.data) == (accepted(again, 201), again.data)
    refused(world.nobody.post("/v1/sign-ins", {"code": "x"}, Idempotency_Key=KEY), 422, "request_reused")
    refused(world.nobody.post("/v1/sign-ins", {"code": code}, Idempotency_Key="1"), 400, "malformed")
    refused(world.nobody.post("/v1/sign-ins", {}), 422, "contradictory")


def test_recovery_codes_are_ten_and_each_signs_in_once(world: World) -> None:
    """New ones take the place of those that are left."""
    ann = world.somebody()
    assert accepted(ann.get(RECOVERY)) == {"left": 0, "at": None}
    codes = accepted(ann.post(RECOVERY), 201)["codes"]
    assert (len(codes), len({*codes}), {len(code) for code in codes}) == (CODES, CODES, {24})
    other = signed_in(world, {"code": codes[3]})
    assert accepted(other.get(RECOVERY))["left"] == CODES - 1
    nothing(world, {"code": codes[3]})
    newer = accepted(other.post(RECOVERY), 201)["codes"]
    nothing(world, {"code": codes[0]})
    signed_in(world, {"code": newer[0]})


def test_no_code_stands_in_the_store(world: World) -> None:
    """Neither the secret letters of one nor a recovery code."""
    ann = world.somebody()
    codes = [code_of(ann), *accepted(ann.post(RECOVERY), 201)["codes"]]
    secret_parts = [codes[0][5:], *(code.replace("-", "") for code in codes[1:])]
    held = [key_of(kind, str(ann.player)) for kind in ("about", "signing")]
    place = world.log.client.get(held[1]).decode()
    kept = f"{world.log.client.hgetall(held[0])} {world.log.client.hgetall(place)} {place}"
    assert codes[0][:4] in kept
    assert [part for part in secret_parts if part in kept] == []


@pytest.fixture
def few(store_url: str) -> Iterator[World]:
    """A service that grants 3 attempts an hour, 3 tokens and 1 passkey."""
    with contextlib.closing(World(store_url, sign_ins=3, tokens=3, passkeys=1)) as found:
        yield found


def test_a_sign_in_counts_among_the_tokens_and_keeps_its_code_when_refused(few: World) -> None:
    ann = few.somebody()
    code = code_of(ann)
    extra = [accepted(ann.post("/v1/players/me/tokens", {"scopes": ["play"]}), 201)["id"] for _ in range(2)]
    refused(few.nobody.post("/v1/sign-ins", {"code": code}), 409, "quota_reached")
    ann.delete(f"/v1/players/me/tokens/{extra[0]}")
    signed_in(few, {"code": code})


def passkey_for(somebody: Somebody, device: Authenticator, label: str = "laptop") -> Any:
    """The answer to a passkey that a device has made."""
    options = accepted(somebody.post(f"{PASSKEYS}/options"), 201)["options"]
    return somebody.post(PASSKEYS, {"passkey": device.make(options), "label": label})


def by_passkey(world: World, device: Authenticator) -> dict[str, Any]:
    """The body by which a device signs in."""
    return {"passkey": device.sign(accepted(world.nobody.post("/v1/sign-ins/options"), 201)["options"])}


def test_a_passkey_signs_in(world: World) -> None:
    """By what it signs alone: nobody says who they are."""
    ann, device = world.somebody(), Authenticator()
    made = accepted(passkey_for(ann, device), 201)
    assert (made["label"], made["host"], made["used_on"]) == ("laptop", "localhost", None)
    other = signed_in(world, by_passkey(world, device))
    assert other.player == ann.player
    with freeze_time("2027-01-02T03:04:05Z"):
        signed_in(world, by_passkey(world, device))
    [kept] = accepted(ann.get(PASSKEYS))["passkeys"]
    assert kept == made | {"used_on": "2027-01-02"}


def test_an_answer_of_a_passkey_is_good_once(world: World) -> None:
    ann, device = world.somebody(), Authenticator()
    accepted(passkey_for(ann, device), 201)
    body = by_passkey(world, device)
    signed_in(world, body)
    nothing(world, body)


@pytest.mark.parametrize(
    "device", [Authenticator("http://evil.example"), Authenticator("https://localhost:444"), Authenticator(flags=0x01)]
)
def test_a_passkey_of_another_page_or_without_its_person_is_refused(world: World, device: Authenticator) -> None:
    ann = world.somebody()
    refused(passkey_for(ann, device), 403, "sign_in_refused")
    good = Authenticator()
    accepted(passkey_for(ann, good), 201)
    good.origin, good.flags = device.origin, device.flags
    nothing(world, by_passkey(world, good))


def test_a_passkey_that_is_used_in_a_frame_of_another_page_is_refused(world: World) -> None:
    """Nobody sees there what they sign in to."""
    ann, device = world.somebody(), Authenticator()
    device.framed = True
    refused(passkey_for(ann, device), 403, "sign_in_refused")
    device.framed = False
    accepted(passkey_for(ann, device), 201)
    device.framed = True
    nothing(world, by_passkey(world, device))


def test_a_challenge_is_bound_to_account_token_and_purpose(world: World) -> None:
    """Another account's, another token's and one to sign in make no passkey, and one to make it does not sign in."""
    ann, ben, device = world.somebody(), world.somebody("Ben"), Authenticator()
    options = accepted(ann.post(f"{PASSKEYS}/options"), 201)["options"]
    for other in (ben, world.again(ann, ["account"])):
        refused(other.post(PASSKEYS, {"passkey": device.make(options)}), 403, "sign_in_refused")
    to_sign_in = accepted(world.nobody.post("/v1/sign-ins/options"), 201)["options"]
    mixed = options | {"challenge": to_sign_in["challenge"]}
    refused(ann.post(PASSKEYS, {"passkey": device.make(mixed)}), 403, "sign_in_refused")
    accepted(ann.post(PASSKEYS, {"passkey": device.make(options)}), 201)
    again = accepted(ann.post(f"{PASSKEYS}/options"), 201)["options"]
    nothing(world, {"passkey": device.sign(again | {"rpId": "localhost"})})


NESTED = text(b'{"challenge":' + b"[" * 9000)  # deeper than is read


@pytest.mark.parametrize(
    "passkey",
    [{}, {"id": 1}, {"response": []}, *({"response": {"clientDataJSON": one}} for one in ("e30", NESTED))],
    ids=["empty", "id", "response", "challenge", "nested"],
)
def test_what_is_no_answer_of_a_passkey_is_refused(world: World, passkey: dict[str, Any]) -> None:
    nothing(world, {"passkey": passkey})
    refused(world.somebody().post(PASSKEYS, {"passkey": passkey}), 403, "sign_in_refused")


def test_passkeys_are_named_removed_and_counted(few: World) -> None:
    ann, device = few.somebody(), Authenticator()
    made = accepted(passkey_for(ann, device), 201)
    refused(passkey_for(ann, Authenticator()), 409, "quota_reached")
    path = f"{PASSKEYS}/{made['id']}"
    assert accepted(ann.send("PUT", path, json={"label": "key ring"}))["label"] == "key ring"
    assert ann.delete(path).status_code == 204
    nothing(few, by_passkey(few, device))
    refused(ann.delete(path), 404, "no_such_passkey")
    refused(ann.send("PUT", path, json={"label": "x"}), 404, "no_such_passkey")


def test_a_host_without_a_name_has_no_passkeys(world: World) -> None:
    """WebAuthn knows no addresses of networks: the setting names the page."""
    refused(world.nobody.post("/v1/sign-ins/options", Host="192.0.2.1"), 403, "not_allowed")
    with contextlib.closing(World(world.url, origin="https://play.example")) as there:
        ann, device = there.somebody(), Authenticator("https://play.example")
        assert accepted(passkey_for(ann, device), 201)["host"] == "play.example"
        signed_in(there, by_passkey(there, device))


def test_a_guest_stays_one_until_a_name_or_a_way_back_is_chosen(world: World) -> None:
    def guest() -> Somebody:
        made = accepted(world.nobody.post("/v1/players", {"name": "Guest", "guest": True}), 201)
        return Somebody(world.app, made["id"], made["token"]["secret"])

    named, recovering, keyed = guest(), guest(), guest()
    assert [accepted(one.get("/v1/players/me"))["guest"] for one in (named, recovering, keyed)] == [True] * 3
    assert accepted(named.send("PUT", "/v1/players/me/name", json={"name": "Ann"}))["name"] == "Ann"
    accepted(recovering.post(RECOVERY), 201)
    accepted(passkey_for(keyed, Authenticator()), 201)
    assert [accepted(one.get("/v1/players/me"))["guest"] for one in (named, recovering, keyed)] == [False] * 3
    assert accepted(named.get("/v1/players/me"))["name"] == "Ann"
    assert accepted(world.somebody().get("/v1/players/me"))["guest"] is False
    refused(world.operator.send("PUT", "/v1/players/me/name", json={"name": "Ann"}), 403, "not_allowed")


@pytest.mark.slow
def test_an_empty_account_with_a_way_back_does_not_end(world: World) -> None:
    """Nobody has used it for a year: the codes lie in a drawer. Without one left it ends like others."""
    staying, leaving = world.somebody("Ann"), world.somebody("Ben")
    codes = accepted(staying.post(RECOVERY), 201)["codes"]
    sweeper = Sweeper(world.log.client, 30, lambda _: False)
    for day in ("2028-01-01", "2028-03-01", "2028-03-02"):
        with freeze_time(day):
            sweeper.sweep()
    assert world.services.accounts.player(str(leaving.player)) is None
    signed_in(world, {"code": codes[0]})


def test_an_erased_account_leaves_nothing_and_signs_nobody_in(world: World) -> None:
    ann, device = world.somebody(), Authenticator()
    accepted(passkey_for(ann, device), 201)
    codes, code, body = accepted(ann.post(RECOVERY), 201)["codes"], code_of(ann), by_passkey(world, device)
    assert ann.delete("/v1/players/me").status_code == 204
    for tried in ({"code": codes[0]}, {"code": code}, body):
        nothing(world, tried)
    left = [key for key in world.log.client.scan_iter("{accounts}:*") if holds(world.log.client, key, str(ann.player))]
    assert left == []


def holds(client: Client, key: bytes, player: str) -> bool:
    """Whether a key or its value names a player; answers are sealed and expire, marks end when all is done."""
    if key.startswith((b"{accounts}:answer:", b"{accounts}:erasing:")):
        return False
    value = client.hgetall(key) if client.type(key) == b"hash" else client.get(key)
    return player in f"{key!r} {value}"
