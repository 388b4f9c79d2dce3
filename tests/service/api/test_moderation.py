"""Reports of players, what operators do about them, and what those about whom something is done are told."""

import json
import uuid
from functools import partial
from typing import Any

import pytest

from events.log import LogDamaged
from events.scripts import Client
from service.accounts.accounts_and_tokens import key_of
from service.errors import Refused
from service.moderation.actions import KEY, Actions
from service.streams.frames import InboxSubscription
from tests.commands import on_store, wintercount
from tests.service.api.world import Somebody, World, accepted, refused

TEXT = "The ford was promised to both of us before the cards were dealt."
WORDS = "Please stop announcing your hand."
FREE = {"game": "manitou", "seats": [{"kind": "me"}, {"kind": "open"}]}


def report(who: Somebody, **about: Any) -> dict[str, Any]:
    """A report that is taken in."""
    found: dict[str, Any] = accepted(who.post("/v1/reports", {"reason": "abuse", "text": TEXT} | about), 201)
    return found


def act(world: World, action: str, **more: Any) -> int:
    """The number of an action of the operator."""
    body = {"action": action, "reason": "abuse"} | more
    return int(accepted(world.operator.post("/v1/moderation", body), 201)["id"])


def waiting(world: World) -> dict[str, dict[str, Any]]:
    """What waits for the operator, by name."""
    return {row["id"]: row for row in accepted(world.operator.get("/v1/reports?limit=200"))["items"]}


def notices(who: Somebody) -> list[tuple[str, str, str | None]]:
    told = accepted(who.get("/v1/players/me"))["notices"]
    return [(one["type"], one["reason"], one["text"]) for one in told]


def test_a_report_waits_for_an_operator_and_is_told_to_nobody_else(world: World) -> None:
    ann, ben = world.somebody("Ann"), world.somebody("Ben")
    made = report(ann, player=ben.player)
    assert (made["by"], made["player"], made["text"], made["settled_by"]) == (ann.player, ben.player, TEXT, None)
    row = waiting(world)[made["id"]]
    assert {name: row[name] for name in made} == made
    for who in (ann, ben, world.nobody):
        refused(who.get("/v1/reports"), 403 if who.token else 401, "scope_missing" if who.token else "unauthenticated")
    assert accepted(ann.get("/v1/players/me/export"))["reports"] == [made]
    exported = ben.get("/v1/players/me/export").text
    assert made["id"] not in exported
    assert str(ann.player) not in exported
    assert notices(ben) == []


def test_a_text_is_reported_by_the_version_that_holds_it(world: World) -> None:
    """The author is the one reported; operators see the text."""
    ann, ben = world.somebody("Ann"), world.somebody("Ben the Loud")
    table = world.open(ann, ben, game="manitou")
    events = accepted(ann.get(f"/v1/tables/{table}/events"))["events"]
    version = next(one["version"] for one in events if one["type"] == "SeatTaken" and one["payload"]["seat"] == 2)
    made = report(ann, table=table, version=version, reason="name")
    assert (made["player"], made["version"]) == (ben.player, version)
    assert waiting(world)[made["id"]]["quoted"] == "Ben the Loud"
    refused(ann.post("/v1/reports", {"reason": "name", "table": table, "version": 1}), 404, "no_such_version")
    refused(ann.post("/v1/reports", {"reason": "name", "table": table, "version": 9999}), 404, "no_such_version")


def test_what_cannot_be_reported(world: World) -> None:
    """Nothing, oneself, nobody, a table hidden from the caller, and somebody who never was at it."""
    ann, ben, cat = (world.somebody(name) for name in ("Ann", "Ben", "Cat"))
    seats = [{"kind": "me"}, {"kind": "ai", "level": "uniform"}]
    private = accepted(ben.post("/v1/tables", {"game": "manitou", "seats": seats, "visibility": "private"}), 201)
    table = accepted(ann.post("/v1/tables", FREE), 201)["id"]
    for about, status, code in (
        ({}, 422, "contradictory"),
        ({"version": 3}, 422, "contradictory"),
        ({"table": table, "player": cat.player, "version": 2}, 422, "contradictory"),
        ({"player": ann.player}, 422, "contradictory"),
        ({"player": "p_nobody"}, 404, "no_such_player"),
        ({"table": private["id"]}, 404, "no_such_table"),
        ({"table": table, "player": cat.player}, 404, "no_such_player"),
    ):
        refused(ann.post("/v1/reports", {"reason": "other"} | about), status, code)
    refused(ann.post("/v1/reports", {"reason": "other", "player": ben.player, "text": "x" * 1001}), 422, "invalid")
    refused(world.operator.post("/v1/reports", {"reason": "other", "player": ben.player}), 403, "not_allowed")
    report(ann, table=table)
    report(ben, table=table, player=ann.player)


def test_a_report_that_is_repeated_is_made_once(world: World) -> None:
    ann, ben = world.somebody("Ann"), world.somebody("Ben")
    key, body = str(uuid.uuid4()), {"reason": "spam", "player": ben.player}
    first, again = (accepted(ann.post("/v1/reports", body, Idempotency_Key=key), 201) for _ in range(2))
    assert first == again
    assert len([row for row in waiting(world).values() if row["by"] == ann.player]) == 1
    refused(ann.post("/v1/reports", body | {"reason": "name"}, Idempotency_Key=key), 422, "request_reused")


@pytest.mark.parametrize("few", [{"reports": 2}], indirect=True)
def test_so_many_reports_may_wait(few: World) -> None:
    """What is settled waits no more, and is counted again when that is reversed."""
    ann, ben = few.somebody("Ann"), few.somebody("Ben")

    def quota() -> tuple[int, int]:
        rows = accepted(ann.get("/v1/players/me/quotas"))["quotas"]
        return next((row["used"], row["most"]) for row in rows if row["name"] == "reports")

    made = [report(ann, player=ben.player)["id"] for _ in range(2)]
    assert quota() == (2, 2)
    asked = {"reason": "spam", "player": ben.player}
    assert refused(ann.post("/v1/reports", asked), 409, "quota_reached")["quota"] == "reports"
    number = act(few, "dismiss", items=made[:1], reason="unfounded")
    assert quota() == (1, 2)
    act(few, "reverse", reverses=number, reason="mistaken")
    assert quota() == (2, 2)
    refused(ann.post("/v1/reports", asked), 409, "quota_reached")


def test_a_warning_is_told_with_its_reason_until_it_is_reversed(world: World) -> None:
    """And settles what it is about."""
    ann, ben = world.somebody("Ann"), world.somebody("Ben")
    item = report(ann, player=ben.player)["id"]
    number = act(world, "warn", player=ben.player, items=[item], text=WORDS)
    assert notices(ben) == [("AccountWarned", "abuse", WORDS)]
    assert item not in waiting(world)
    assert accepted(ann.get("/v1/players/me/export"))["reports"][0]["settled_by"] == number
    told = ben.get("/v1/players/me").text + ben.get("/v1/players/me/export").text
    assert item not in told
    assert str(ann.player) not in told
    act(world, "reverse", reverses=number, reason="appealed")
    assert notices(ben) == []
    assert item in waiting(world)
    reversal = {"action": "reverse", "reason": "appealed", "reverses": number}
    refused(world.operator.post("/v1/moderation", reversal), 422, "contradictory")


def test_a_suspended_account_opens_nothing_and_sits_down_nowhere(world: World) -> None:
    """Its games go on, and it may be erased; what it is told says why."""
    ann, ben = world.somebody("Ann"), world.somebody("Ben")
    running = world.open(ben, ann, game="manitou")
    free = accepted(ann.post("/v1/tables", FREE), 201)["id"]
    own = accepted(ben.post("/v1/tables", FREE), 201)["id"]
    number = act(world, "suspend", player=ben.player, reason="cheating", text=WORDS)
    doors: tuple[tuple[str, Any], ...] = (
        ("/v1/tables", FREE),
        (f"/v1/tables/{free}/seats/2", {}),
        (f"/v1/tables/{running}/forks", {"version": 3}),
        ("/v1/games/tomahawk/lesson", None),
        ("/v1/players", {"name": "Ben again"}),
        (f"/v1/tables/{own}/invitations", {"name": "Cat"}),
        ("/v1/transcripts", {"text": "[Game manitou]"}),
    )
    for path, body in doors:
        told = refused(ben.post(path, body), 403, "account_suspended")
        assert (told["action"], told["reason"]) == (number, "cheating")
    for path in ("/v1/inbox", "/v1/feed", f"/v1/tables/{running}/events"):
        refused(ben.get(path, Accept="text/event-stream"), 403, "account_suspended")
    assert notices(ben) == [("AccountSuspended", "cheating", WORDS)]
    world.play(running, ben, ann, moves=4)
    act(world, "reverse", reverses=number, reason="served")
    accepted(ben.post("/v1/tables", FREE), 201)
    accepted(ben.post(f"/v1/tables/{free}/seats/2"))


def test_the_streams_of_a_suspended_account_end(world: World) -> None:
    """As those of a token that was revoked do, when they look the next time."""
    ben = world.somebody("Ben")
    subscription = InboxSubscription(world.services.accounts.caller(str(ben.token)))
    look = world.services.hub._check_access
    look(subscription.caller)
    act(world, "suspend", player=ben.player)
    with pytest.raises(Refused, match="account_suspended"):
        look(subscription.caller)


def test_a_hidden_name_is_told_nobody_but_whoever_has_it(world: World) -> None:
    """In no list, no record, no profile, until that is reversed."""
    name = "Wachiwi of the Ridge"
    ann, ben = world.somebody("Ann"), world.somebody(name)
    table = world.open(ann, ben, game="tomahawk")
    sent = accepted(
        ben.post(f"/v1/tables/{accepted(ben.post('/v1/tables', FREE), 201)['id']}/invitations", {"name": "A"}), 201
    )
    assert ann.send("PUT", f"/v1/players/me/blocks/{ben.player}").status_code == 204
    world.finish(table)
    world.catch_up()
    doors = ("", "/events", "/events?language=en", "/notation", "/archive")
    paths = [f"/v1/tables/{table}{door}" for door in doors]
    paths += [f"/v1/players/{ben.player}", "/v1/tables?status=finished", f"/v1/games-played?player={ben.player}"]
    paths += [f"/v1/standings?player={ben.player}", "/v1/players/me/blocks", f"/v1/invitations/{sent['id']}"]
    paths += [f"/v1/feed?limit=200&language=en&player={ben.player}", f"/v1/players/{ann.player}"]

    def telling() -> list[str]:
        answers = {path: ann.get(path) for path in paths}
        assert {answer.status_code for answer in answers.values()} == {200}
        return [path for path, answer in answers.items() if name in answer.text]

    before, tag = telling(), ann.get(paths[0]).headers["ETag"]
    assert len(before) >= 8
    number = act(world, "hide_name", player=ben.player, reason="name")
    assert telling() == []
    assert ann.get(paths[0], If_None_Match=tag).status_code == 200
    for language, word in (("en", "somebody"), ("fr", "quelqu’un")):
        assert accepted(ann.get(f"/v1/players/{ben.player}", Accept_Language=language))["name"] == word
    assert accepted(ben.get("/v1/players/me"))["name"] == name
    act(world, "reverse", reverses=number, reason="mistaken")
    assert telling() == before
    assert ann.get(paths[0], If_None_Match=tag).status_code == 304


def test_an_action_that_does_not_fit_is_refused(world: World) -> None:
    ben = world.somebody("Ben")
    act(world, "suspend", player=ben.player)
    for body, status, code in (
        ({"action": "suspend", "reason": "abuse", "player": ben.player}, 422, "contradictory"),
        ({"action": "warn", "reason": "unfounded", "player": ben.player}, 422, "contradictory"),
        ({"action": "warn", "reason": "abuse"}, 422, "contradictory"),
        ({"action": "warn", "reason": "abuse", "player": "p_nobody"}, 404, "no_such_player"),
        ({"action": "dismiss", "reason": "unfounded"}, 422, "contradictory"),
        ({"action": "dismiss", "reason": "unfounded", "items": ["r_nothing"]}, 404, "no_such_report"),
        ({"action": "dismiss", "reason": "unfounded", "items": ["t_nothing/d7"]}, 404, "no_such_table"),
        ({"action": "reverse", "reason": "mistaken"}, 422, "contradictory"),
        ({"action": "reverse", "reason": "mistaken", "reverses": 10**6}, 404, "no_such_action"),
    ):
        refused(world.operator.post("/v1/moderation", body), status, code)


def test_a_dispute_without_an_arbiter_waits_until_it_is_settled(world: World) -> None:
    ann, ben = world.somebody("Ann"), world.somebody("Ben")
    path, disputing = world.disputable(ann, ben)
    opened = accepted(ann.post(f"{path}/disputes", disputing | {"claim": "It fell wrongly."}), 201)
    world.catch_up()
    item = f"{path.rpartition('/')[2]}/{opened['id']}"
    row = waiting(world)[item]
    assert (row["kind"], row["by"], row["player"], row["text"]) == ("dispute", ann.player, None, "It fell wrongly.")
    assert row["quoted"] is None
    act(world, "dismiss", items=[item], reason="settled")
    assert item not in waiting(world)


def test_the_erasure_of_either_makes_a_report_unreadable(world: World) -> None:
    """Whether the author's or the subject's; a report about an erased person is closed. So are notices to them."""
    ann, ben, cat, dan = (world.somebody(name) for name in ("Ann", "Ben", "Cat", "Dan"))
    by_ann, about_dan = report(ann, player=ben.player)["id"], report(cat, player=dan.player)["id"]
    number = act(world, "warn", player=dan.player, text=WORDS)
    for who in (ann, dan):
        assert who.delete("/v1/players/me").status_code == 204
        world.services.handler.texts._keys.drop()  # type: ignore[attr-defined] # as after some seconds
    rows = waiting(world)
    assert rows[by_ann]["text"] is None
    assert about_dan not in rows
    everything = accepted(world.operator.get("/v1/reports?status=all&limit=200"))["items"]
    assert next(row["text"] for row in everything if row["id"] == about_dan) is None
    acted = accepted(world.operator.get(f"/v1/moderation?player={dan.player}"))["actions"]
    assert [(one["id"], one["text"]) for one in acted] == [(number, None)]
    client: Client = world.log.client
    assert client.exists(key_of("reported", str(ann.player))) == 0


def test_no_text_lies_in_the_store_as_it_was_written(world: World) -> None:
    ann, ben = world.somebody("Ann"), world.somebody("Ben")
    report(ann, player=ben.player)
    act(world, "warn", player=ben.player, text=WORDS)
    client: Client = world.log.client
    for kind in ("reports", "actions"):
        kept = b"".join(client.hvals(key_of("moderation", kind)))
        assert TEXT.encode() not in kept
        assert WORDS.encode() not in kept


@pytest.mark.parametrize("harm", ["torn", "lost", "renamed"])
@pytest.mark.parametrize("behind", [0, 1])
def test_a_damaged_action_lets_nobody_in_and_tells_no_name(
    world: World, caplog: pytest.LogCaptureFixture, harm: str, behind: int
) -> None:
    """Nobody can say whom it concerned. Processes that knew it go on; with another in its place all do."""
    client: Client = world.log.client
    ben = str(world.somebody().player)
    number = act(world, "warn", player=ben)
    act(world, "warn", player=ben)
    place, knows = number + behind, Actions(client)
    was = client.hget(KEY, place)
    assert not knows.hidden([ben])

    client.hdel(KEY, place)
    if harm != "lost":
        client.hset(KEY, *((place, b"{") if harm == "torn" else (f"{place}x", was)))
    fresh = Actions(client)
    for _ in range(3):
        with pytest.raises(LogDamaged, match="of operators"):
            fresh.check(ben)
        assert fresh.hidden([ben])
    assert any("no names are shown" in record.message for record in caplog.records)
    if not behind:
        knows.check(ben)

    client.hdel(KEY, f"{place}x")
    client.hset(KEY, place, was)
    fresh.check(ben)
    assert not Actions(client).hidden([ben])


@pytest.fixture
def command(world: World) -> Any:
    """Runs `wintercount moderate` on the store of the world."""
    return partial(wintercount, "moderate", **on_store(world.url))


def test_the_command_lists_shows_and_acts(world: World, command: Any) -> None:
    """In lines for people, and in JSON; what it does, web servers know."""
    ann, ben = world.somebody("Ann"), world.somebody("Ben")
    item = report(ann, player=ben.player)["id"]
    listed = command("list")
    assert (listed.exit_code, item in listed.output, TEXT in listed.output) == (0, True, True)
    rows = [json.loads(line) for line in command("list", "--json").output.splitlines()]
    assert next(row["player_name"] for row in rows if row["id"] == item) == "Ben"
    acted = command("act", "warn", item, "--player", str(ben.player), "--reason", "abuse", "--text", WORDS, "--json")
    number = json.loads(acted.output)["id"]
    assert notices(ben) == [("AccountWarned", "abuse", WORDS)]
    shown = json.loads(command("show", item, "--json").output)
    assert (shown["settled_by"], [one["id"] for one in shown["actions"]]) == (number, [number])
    assert f"{number}  " in command("show", str(ben.player)).output
    assert command("act", "reverse", "--number", str(number), "--reason", "mistaken").exit_code == 0
    assert notices(ben) == []
    assert item in command("list").output


def test_the_command_refuses_in_a_sentence(world: World, command: Any) -> None:
    told = command("show", "r_nothing")
    assert (told.exit_code, told.stderr) == (1, "Error: there is no report 'r_nothing'\n")
    problem = command("act", "warn", "--reason", "abuse", "--json")
    assert (problem.exit_code, json.loads(problem.stderr)["code"]) == (1, "contradictory")
    long = command("act", "warn", "--player", "p_a", "--reason", "abuse", "--text", "x" * 1001)
    assert (long.exit_code, "1001 characters" in long.stderr) == (2, True)
