"""Clocks over HTTP: how a table is opened with one, and the time of each seat in views and events."""

import random
from typing import Any

import pytest

from service.command_handler import CommandHandler
from service.tables.expired_clocks import expire
from tests.service.api.world import World, accepted, refused

OPEN = {"game": "manitou", "seats": [{"kind": "me"}, {"kind": "ai", "level": "greedy"}]}
FISCHER = {"kind": "fischer", "initial_s": 300, "increment_s": 5}
BEGIN_MS = 1_790_000_000_000


@pytest.fixture
def now(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """A machine's clock that only the test moves (milliseconds)."""
    now = [BEGIN_MS]
    monkeypatch.setattr(CommandHandler, "now_ms", lambda _: now[0])
    return now


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ({"kind": "decision", "decision_s": 60}, {"kind": "decision", "decision_s": 60}),
        (FISCHER, FISCHER),
        ({"kind": "fischer", "initial_s": 5, "increment_s": 0}, {"kind": "fischer", "initial_s": 5, "increment_s": 0}),
        ({"kind": "days", "days": 30}, {"kind": "days", "days": 30}),
        (None, None),
    ],
)
def test_a_table_tells_the_clock_that_it_was_opened_with(world: World, asked: Any, told: Any) -> None:
    """Without a kind, as clients wrote it before there were others, it is that of each decision."""
    assert accepted(world.somebody().post("/v1/tables", OPEN | {"clock": asked}), 201)["clock"] == told


@pytest.mark.parametrize(
    ("clock", "field"),
    [
        ({}, "kind"),
        ({"decision_s": 60}, "kind"),
        ({"kind": "fischer"}, "increment_s"),
        ({"kind": "fischer", "initial_s": 300}, "increment_s"),
        (FISCHER | {"decision_s": 60}, "decision_s"),
        (FISCHER | {"initial_s": 4}, "initial_s"),
        (FISCHER | {"increment_s": 86_401}, "increment_s"),
        ({"kind": "days", "days": 31}, "days"),
        ({"kind": "days", "days": 3, "decision_s": 60}, "decision_s"),
        ({"kind": "decision", "decision_s": 60, "days": 3}, "days"),
        ({"kind": "hourglass", "decision_s": 60}, "kind"),
    ],
)
def test_a_clock_with_other_fields_than_those_of_its_kind_is_refused(world: World, clock: Any, field: str) -> None:
    """The problem names the field."""
    problem = refused(world.somebody().post("/v1/tables", OPEN | {"clock": clock}), 422, "invalid")
    assert f"/clock/{field}" in [error["pointer"] for error in problem["errors"]]


def test_each_seat_of_a_person_tells_its_time(world: World, now: list[int]) -> None:
    """What is used and left, since when the clock runs, and until when; anybody may read it, an AI has none."""
    ann, bob = world.somebody("Ann"), world.somebody("Bob")
    table = world.open(ann, bob, game="manitou", clock=FISCHER)
    now[0] += 20_000
    seat, move = choice_of(world, table, 1)
    played = accepted(ann.post(f"/v1/tables/{table}/moves?include=table", world.moving(table, seat, move)))

    told = accepted(world.nobody.get(f"/v1/tables/{table}"))["seats"]
    assert told == played["table"]["seats"]
    assert told[0]["clock"] == {"used_ms": 20_000, "bank_ms": 285_000, "running_since": None, "deadline": None}
    assert told[1]["clock"] == {
        "used_ms": 0,
        "bank_ms": 300_000,
        "running_since": "2026-09-21T14:13:20.000Z",
        "deadline": "2026-09-21T14:18:20.000Z",
    }
    with_ai = accepted(ann.post("/v1/tables", OPEN | {"clock": FISCHER}), 201)["seats"]
    assert [seat["clock"] is None for seat in with_ai] == [False, True]


def test_events_tell_how_long_a_person_took(world: World, now: list[int]) -> None:
    """The first event of each move, on every way that events take; what nobody decided has no time."""
    ann, bob = world.somebody("Ann"), world.somebody("Bob")
    table = world.open(ann, bob, game="manitou", clock=FISCHER)
    now[0] += 7_000
    seat, move = choice_of(world, table, 1)
    played = accepted(ann.post(f"/v1/tables/{table}/moves", world.moving(table, seat, move)))
    paged = accepted(world.nobody.get(f"/v1/tables/{table}/events?limit=1000"))["events"]
    first = played["events"][0]["version"]

    assert played["events"][0]["used_ms"] == 7_000
    assert [(row["version"], row["used_ms"]) for row in paged if "used_ms" in row] == [(first, 7_000)]


def test_a_past_moment_tells_its_own_times(world: World, now: list[int]) -> None:
    """As it was then: the clocks of a version do not go on."""
    ann, bob = world.somebody("Ann"), world.somebody("Bob")
    table = world.open(ann, bob, game="manitou", clock=FISCHER)
    before = accepted(ann.get(f"/v1/tables/{table}"))
    now[0] += 20_000
    world.play(table, ann, bob, moves=2)

    assert accepted(ann.get(f"/v1/tables/{table}?at={before['version']}"))["seats"] == before["seats"]


def test_a_bank_that_ran_out_is_granted_anew(world: World, now: list[int]) -> None:
    """By default the others wait as long as the bank was at first."""
    ann, bob = world.somebody("Ann"), world.somebody("Bob")
    table = world.open(ann, bob, game="manitou", clock=FISCHER)
    now[0] += 300_000
    handler = world.services.handler
    decision = handler.history(table).table.decision_of(1)
    assert decision
    expire(handler, table, 1, decision.recorded_id)
    told = accepted(bob.post(f"/v1/tables/{table}/seats/1/wait", {}))["seats"][0]["clock"]

    assert (told["used_ms"], told["bank_ms"], told["deadline"]) == (300_000, 300_000, "2026-09-21T14:23:20.000Z")


def test_notation_carries_the_clock(world: World) -> None:
    """As a tag, which a text that is loaded tells again; nobody's time is told of a text."""
    ann = world.somebody()
    table = accepted(ann.post("/v1/tables", OPEN | {"clock": FISCHER}), 201)["id"]
    world.finish(table)
    text = ann.get(f"/v1/tables/{table}/notation").text
    assert "[Clock fischer increment_s=5 initial_s=300]" in text
    loaded = accepted(ann.post("/v1/transcripts", {"text": text}), 201)["id"]
    told = accepted(ann.get(f"/v1/tables/{loaded}?at=1"))

    assert told["clock"] == FISCHER
    assert [seat["clock"] for seat in told["seats"]] == [None, None]


@pytest.mark.parametrize("tag", ["[Clock]", "[Clock sand]", "[Clock fischer initial_s=5]", "[Clock days days=none]"])
def test_a_clock_that_no_table_can_have_is_no_notation(world: World, tag: str) -> None:
    """The problem says where it stands, and how a clock is written."""
    ann = world.somebody()
    table = accepted(ann.post("/v1/tables", OPEN | {"clock": FISCHER}), 201)["id"]
    world.finish(table)
    text = ann.get(f"/v1/tables/{table}/notation").text.replace("[Clock fischer increment_s=5 initial_s=300]", tag)
    problem = ann.post("/v1/transcripts", {"text": text})

    assert problem.status_code == 422
    assert "initial_s=300" in problem.text


@pytest.mark.parametrize(
    ("clock", "english", "french"),
    [
        (None, "for 2 players.", "pour 2 joueurs."),
        (
            {"kind": "decision", "decision_s": 60},
            "with 60 seconds for each decision.",
            "avec 60 secondes par décision.",
        ),
        ({"kind": "days", "days": 1}, "with 1 day for each decision.", "avec 1 jour par décision."),
        ({"kind": "days", "days": 3}, "with 3 days for each decision.", "avec 3 jours par décision."),
        (
            FISCHER,
            "with 300 seconds for the game, and 5 more with each decision.",
            "avec 300 secondes pour la partie, et 5 de plus à chaque décision.",
        ),
    ],
)
def test_the_first_event_says_the_clock_in_words(world: World, clock: Any, english: str, french: str) -> None:
    """In both languages, of every kind."""
    table = accepted(world.somebody().post("/v1/tables", OPEN | {"clock": clock}), 201)["id"]
    for language, words in (("en", english), ("fr", french)):
        first = accepted(world.nobody.get(f"/v1/tables/{table}/events?language={language}"))["events"][0]
        assert first["words"].endswith(words)


def choice_of(world: World, table: str, seat: int) -> tuple[int, dict[str, Any]]:
    """A legal move of this seat."""
    rng = random.Random(3)
    while chosen := world.move(table, rng):
        if chosen[0] == seat:
            return chosen
    raise AssertionError("the game is over")
