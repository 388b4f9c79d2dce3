"""Remedies over REST, in every game: previewed, asked for, decided, and known to everything that reads the record."""

import random
from itertools import count
from typing import Any, NamedTuple

import msgspec
import pytest

from rulings.archive_format import read_history, replay_archive
from rulings.notation import parse, replay, write
from service.tables.record_again import Reruns
from tests.long import long_but_for
from tests.service.api.world import Somebody, World, accepted, refused

GAMES: dict[str, tuple[str, dict[str, Any]]] = {
    "big-manitou": ("big-manitou", {}),
    "manitou": ("manitou", {}),
    "manitou online": ("manitou", {"edition": "online"}),
    "tomahawk": ("tomahawk", {}),
    "plenty-coups": ("plenty-coups", {"display_refresh": "sweep"}),  # of which another reading differs each turn
}
KINDS, DECIDERS = ("reading", "correction"), ("arbiter", "vote")
STORIES = [(game, kind, by) for game in GAMES for kind in KINDS for by in DECIDERS]
QUICK = [
    ("big-manitou", "correction", "vote"),
    ("manitou online", "correction", "arbiter"),
    ("tomahawk", "reading", "vote"),
]
MOST_TABLES, MOST_MOVES = 8, 120
Row = dict[str, Any]


class Ruled(NamedTuple):
    """A table of Ann and Bob with Ida as arbiter, a ruling, and a remedy that makes a difference."""

    world: World
    table: str
    people: tuple[Somebody, Somebody, Somebody]
    ruling: Row
    remedy: Row

    @property
    def path(self) -> str:
        """Where the table is."""
        return f"/v1/tables/{self.table}"

    def open(self) -> str:
        """The path of the dispute that Ann opens."""
        asked = {name: self.remedy[name] for name in ("rule", "remedy")} | {"version": self.ruling["version"]}
        opened = accepted(self.people[0].post(f"{self.path}/disputes", asked | {"seat": 1, "claim": "No."}), 201)
        return f"{self.path}/disputes/{opened['id']}"

    def decide(self, dispute: str, by: str) -> Row:
        """The dispute after the verdict, or after both votes."""
        *players, ida = self.people
        if by == "arbiter":
            verdict = {"outcome": "overturned", "text": "So I saw it."}
            return dict(accepted(ida.post(f"{dispute}/resolution", verdict)))
        for seat, player in enumerate(players, 1):
            decided = accepted(player.post(f"{dispute}/votes", {"seat": seat, "overturn": True}))
            assert decided["outcome"] == (None if seat == 1 else "overturned")
        return dict(decided)

    def events(self, after: int) -> list[Row]:
        """The events after a version, as Ann reads them."""
        return list(accepted(self.people[0].get(f"{self.path}/events?limit=1000&after={after}"))["events"])


def ruled(world: World, game: str, kind: str, by: str) -> Ruled:
    """Plays until a ruling has a remedy of that kind."""
    ann, bob, ida = (world.somebody(name) for name in ("Ann", "Bob", "Ida"))
    ida = world.again(ida, ["watch", "arbitrate"])
    slug, options = GAMES[game]
    opening: Row = {"disputes": {"by": by}, "arbiter": ida.player if by == "arbiter" else None, "options": options}
    for attempt in range(MOST_TABLES):
        table = world.open(ann, bob, game=slug, **opening)
        rng, seen = random.Random(attempt), 0
        for _ in range(MOST_MOVES):
            if (made := world.move(table, rng)) is None:
                break
            seat, move = made
            accepted((ann, bob)[seat - 1].post(f"/v1/tables/{table}/moves", {"game": slug, "seat": seat, "move": move}))
            rows = accepted(ann.get(f"/v1/tables/{table}/rulings"))["rulings"]
            for row in [row for row in rows if row["version"] > seen]:
                if found := _remedy(ann, table, row, kind):
                    return Ruled(world, table, (ann, bob, ida), row, found)
            seen = max((row["version"] for row in rows), default=seen)
    raise AssertionError("no ruling has such a remedy")


def _remedy(ann: Somebody, table: str, ruling: Row, kind: str) -> Row | None:
    answer = ann.post(f"/v1/tables/{table}/disputes/preview", {"version": ruling["version"]})
    if answer.status_code in (404, 409):  # of the set-up, or the game is over
        return None
    told = accepted(answer)
    assert told["ruling"] == ruling
    return next((row for row in told["remedies"] if kind in row["remedy"] and row["differs"]), None)


@pytest.mark.parametrize("story", long_but_for(QUICK.__contains__, STORIES, "-".join))
def test_a_remedy_is_granted_and_known_to_the_record(world: World, story: tuple[str, str, str]) -> None:
    """What was previewed is what happens; audit, archive and notation hold, and lead to the same end."""
    game, kind, by = story
    here = ruled(world, game, kind, by)
    version = accepted(here.people[0].get(here.path))["version"]
    decided = here.decide(here.open(), by)

    assert (decided["outcome"], decided["version"]) == ("overturned", here.ruling["version"])
    events = here.events(version + 1)
    types = [event["type"] for event in events if event["type"] != "DisputeVoted"]
    corrected = ["RulingCorrected"] * (kind == "correction")
    assert types[: 2 + len(corrected)] == ["PlayTakenBack", *corrected, "DisputeResolved"]
    check_as_previewed(here, events, kind)
    finish(here)
    check_record(here)


def check_as_previewed(here: Ruled, events: list[Row], kind: str) -> None:
    """The first event that differs is the previewed one, and all later events follow from it."""
    back = next(event for event in events if event["type"] == "PlayTakenBack")["payload"]
    played = events[next(n for n, event in enumerate(events) if event["type"] == "DisputeResolved") + 1 :]
    if here.remedy["refused"]:
        assert (back["again"], played) == ([], [])
        return
    other = played[here.remedy["version"] - back["first"]]
    if here.remedy["type"]:
        assert other["type"] == here.remedy["type"]
        assert {name: other["payload"][name] for name in here.remedy["figures"]} == here.remedy["figures"]
    if kind == "correction":
        corrected = next(event for event in events if event["type"] == "RulingCorrected")["payload"]
        assert corrected["decided"] == here.ruling["figures"] != corrected["corrected"] == other["payload"]
        assert (corrected["rule"], corrected["ruling"]) == (here.remedy["rule"], here.ruling["type"])


def finish(here: Ruled) -> None:
    """Plays the game to its end."""
    for seed in count():
        if accepted(here.people[0].get(here.path))["status"] == "finished":
            return
        here.world.play(here.table, *here.people[:2], moves=200, seed=seed)


def check_record(here: Ruled) -> None:
    """The audit, the archive read again, and the notation, each replayed to the same end."""
    ann, end = here.people[0], here.world.services.handler.history(here.table).table.state
    audit = accepted(ann.get(f"{here.path}/audit"))
    assert (audit["holds"], audit["divergence"], audit["chain"]["faults"]) == (True, None, [])
    history = read_history(ann.get(f"{here.path}/archive").data.splitlines(keepends=True))
    report = replay_archive(history, rerun=Reruns())
    assert (report.same, report.fault, history.table.state) == (True, None, end)
    text = ann.get(f"{here.path}/notation").text
    document = parse(text)
    assert write(document) == text
    assert msgspec.to_builtins(replay(document).state) == msgspec.to_builtins(end)


@pytest.mark.fault
def test_a_trial_without_another_reading_is_corrected_by_all_or_not_at_all(world: World) -> None:
    """A matriarch beat a chief (BM-5.4), a vote upheld the claim, and the same move led to the same ruling again.

    Now only a remedy that changes something opens a dispute, all people have to vote for it, and the hero stands.
    """
    here = ruled(world, "big-manitou", "correction", "vote")
    while here.ruling["type"] != "TrialOfStrengthResolved":
        here = ruled(world, "big-manitou", "correction", "vote")
    ann, bob, _ = here.people
    asked = {"seat": 1, "version": here.ruling["version"], "rule": "BM-5.4", "claim": "The chief stands."}
    previewed = accepted(ann.post(f"{here.path}/disputes/preview", {"version": asked["version"], "rule": "BM-5.4"}))
    assert all("correction" in row["remedy"] for row in previewed["remedies"])
    refused(ann.post(f"{here.path}/disputes", asked), 422, "invalid")
    for remedy, status, code in (
        ({}, 422, "contradictory"),
        ({"reading": {"pair_attack_weaker": "illegal"}}, 422, "option_refused"),
        ({"correction": 99}, 422, "no_such_remedy"),
        ({"correction": here.ruling["figures"]}, 422, "no_such_remedy"),
    ):
        refused(ann.post(f"{here.path}/disputes", asked | {"remedy": remedy}), status, code)
    problem = refused(
        ann.post(f"{here.path}/disputes", asked | {"rule": "BM-5.7", "remedy": {"correction": 1}}), 404, "no_such_rule"
    )
    assert problem["rules"] == [rule["id"] for rule in here.ruling["rules"]]

    dispute = here.open()
    assert accepted(ann.post(f"{dispute}/votes", {"seat": 1, "overturn": True}))["outcome"] is None
    assert accepted(bob.post(f"{dispute}/votes", {"seat": 2, "overturn": True}))["outcome"] == "overturned"
    trials = [event["payload"] for event in here.events(0) if event["type"] == "TrialOfStrengthResolved"]
    assert trials[-1]["turned_down"] == here.remedy["figures"]["turned_down"] != trials[-2]["turned_down"]


def test_one_vote_against_keeps_what_only_a_correction_would_change(world: World) -> None:
    """The ruling stands, and the remedy may be asked for again."""
    here = ruled(world, "manitou", "correction", "vote")
    dispute = here.open()
    assert accepted(here.people[1].post(f"{dispute}/votes", {"seat": 2, "overturn": False}))["outcome"] == "upheld"
    rulings = accepted(here.people[0].get(f"{here.path}/rulings"))["rulings"]
    assert [row["undone"] for row in rulings if row["version"] == here.ruling["version"]] == [False]
    here.open()


def test_a_reading_that_decides_the_same_is_refused_with_what_was_compared(world: World) -> None:
    """The house rule in force, asked for as if it were another one."""
    here = ruled(world, "big-manitou", "reading", "arbiter")
    (name,) = here.remedy["remedy"]["reading"]
    in_force = accepted(here.people[0].get(here.path))["options"][name]
    body = {"seat": 1, "version": here.ruling["version"], "rule": here.remedy["rule"], "claim": "No."}
    same = body | {"remedy": {"reading": {name: in_force}}}
    problem = refused(here.people[0].post(f"{here.path}/disputes", same), 409, "remedy_changes_nothing")
    first, last = problem["compared"]
    assert first <= here.ruling["version"] <= last


def test_an_arbiter_may_correct_what_was_asked_to_be_read_otherwise_and_back(world: World) -> None:
    """Another remedy than the one asked for; the corrected ruling may be corrected again, to what the rules say."""
    here = ruled(world, "big-manitou", "reading", "arbiter")
    ann, _, ida = here.people
    while not (offered := [row for row in _all(here) if "correction" in row["remedy"]]):
        here = ruled(world, "big-manitou", "reading", "arbiter")
        ann, _, ida = here.people
    verdict = {"outcome": "overturned", "text": "Neither.", "remedy": offered[0]["remedy"]}
    assert accepted(ida.post(f"{here.open()}/resolution", verdict))["outcome"] == "overturned"
    corrected = here.events(0)[-1]["version"]
    rulings = accepted(ann.get(f"{here.path}/rulings"))["rulings"]
    alike = [row["version"] for row in rulings if row["type"] == here.ruling["type"]]
    again = max(version for version in alike if version <= corrected)
    first = accepted(ann.post(f"{here.path}/disputes/preview", {"version": again, "remedy": {"correction": 1}}))
    assert first["remedies"][0]["figures"] == here.ruling["figures"]
    back = here._replace(ruling={"version": again}, remedy=first["remedies"][0])
    assert back.decide(back.open(), "arbiter")["outcome"] == "overturned"
    finish(here)
    check_record(here)


def _all(here: Ruled) -> list[Row]:
    return list(
        accepted(here.people[0].post(f"{here.path}/disputes/preview", {"version": here.ruling["version"]}))["remedies"]
    )
