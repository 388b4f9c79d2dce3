"""What the other reading of a disputed ruling was worth, over HTTP: who asks, who is told, and when."""

from typing import Any

import pytest

from service.analyses.keeping import Name
from service.limits.costs import ROLLOUT_MS, worth_s
from tests import corpus
from tests.service.api.test_looks import Disputed
from tests.service.api.world import Somebody, World, accepted, refused
from worker.analysis import readings
from worker.analysis.slices import go_on


class Settled:
    """A finished game of Tomahawk that was taken in, with a dispute that was overturned."""

    def __init__(self, world: World) -> None:
        self.world, self.ann, self.bob = world, world.somebody("Ann"), world.somebody("Bob")
        sent = {"data": b"".join(corpus.lines_of("tomahawk-2-disputed")), "content_type": "application/x-ndjson"}
        self.table = accepted(world.operator.send("POST", "/v1/archives", **sent), 201)["table"]
        (self.dispute,) = world.services.handler.history(self.table).table.disputes
        self.path = f"/v1/tables/{self.table}/disputes/{self.dispute.name}/worth"
        analyses, name = world.services.analyses.analyses, Name(self.table, self.dispute.dispute)
        if found := analyses.find(name):  # of another test: an archive has one name for all
            analyses.remove(name, found)

    def work(self, slices: int = 1000) -> None:
        """What a worker does, so many slices of it."""
        services = self.world.services
        history, name = services.handler.history(self.table), Name(self.table, self.dispute.dispute)
        for _ in range(slices):
            if not go_on(services.analyses.analyses, name, history, lambda: True):
                return


@pytest.fixture
def settled(world: World, monkeypatch: pytest.MonkeyPatch) -> Settled:
    monkeypatch.setattr(readings, "WORLDS", 2)
    return Settled(world)


def test_from_question_to_answer(settled: Settled) -> None:
    """202 until it is done, then 200 with all of it, for whoever may see the table."""
    nobody = settled.world.nobody
    refused(nobody.get(settled.path), 404, "no-such-analysis")
    asked = accepted(settled.bob.post(settled.path), 202)
    assert (asked["dispute"], asked["status"], asked["done"], asked["of"]) == (settled.dispute.name, "waiting", 0, None)
    settled.work(slices=2)
    assert {"status": "running", "done": 1, "of": 2, "worth": None}.items() <= accepted(
        nobody.get(settled.path)
    ).items()
    settled.work()
    found = accepted(nobody.get(settled.path))
    assert (found["status"], found["done"]) == ("done", 2)
    worth = found["worth"]
    assert (worth["ruling"], worth["options"]) == (settled.dispute.version, {"picto_scope": "each_player"})
    assert (worth["worlds"], worth["budget"], [seat["seat"] for seat in worth["seats"]]) == (2, 8, [1, 2])
    assert accepted(settled.ann.post(settled.path)) == found
    by_record = settled.path.replace(settled.dispute.name, settled.dispute.dispute)
    assert accepted(nobody.get(by_record)) == found


def all_of(who: Somebody, path: str) -> list[Any]:
    return [who.post(path), who.get(path), who.delete(path)]


def test_while_the_game_runs_nobody_is_told(world: World) -> None:
    """Not the seats, nor an arbiter who has looked through every one of them; nor by a name that no dispute has."""
    table = Disputed(world)
    table.look(1)
    table.look(2)
    for who in (table.ann, table.bob, table.ida):
        for path in (f"{table.dispute}/worth", f"{table.path}/disputes/d9/worth"):
            for answer in all_of(who, path):
                refused(answer, 409, "table-not-over")


def test_who_may_ask(settled: Settled) -> None:
    """An account that may play; what no dispute is called is not found."""
    world = settled.world
    refused(world.nobody.post(settled.path), 401, "unauthenticated")
    refused(world.again(settled.ann, ["watch"]).post(settled.path), 403, "scope-missing")
    for answer in all_of(settled.ann, f"/v1/tables/{settled.table}/disputes/d9/worth"):
        refused(answer, 404, "no-such-dispute")


def test_of_a_private_table_only_its_people_are_told(world: World) -> None:
    """And a dispute that asks for no other reading has no worth."""
    ann, bob = world.somebody("Ann"), world.somebody("Bob")
    path, body = world.disputable(ann, bob)
    dispute = accepted(ann.post(f"{path}/disputes", body), 201)["disputes"][0]["dispute"]
    for who, seat in ((ann, 1), (bob, 2)):
        answer = who.post(f"{path}/disputes/{dispute}/votes", {"seat": seat, "overturn": False})
        if accepted(answer)["disputes"][0]["outcome"]:
            break
    world.finish(path.rpartition("/")[2])
    refused(ann.post(f"{path}/disputes/{dispute}/worth"), 409, "no-other-reading")
    refused(ann.get(f"{path}/disputes/{dispute}/worth"), 404, "no-such-analysis")


def test_only_whoever_asked_calls_it_off(settled: Settled) -> None:
    refused(settled.bob.delete(settled.path), 404, "no-such-analysis")
    accepted(settled.bob.post(settled.path), 202)
    refused(settled.ann.delete(settled.path), 403, "not-allowed")
    settled.work(slices=2)
    assert settled.bob.delete(settled.path).status_code == 204
    refused(settled.world.nobody.get(settled.path), 404, "no-such-analysis")


def test_it_counts_as_an_analysis_and_is_exported(settled: Settled) -> None:
    """Beside an analysis of the same table; with the dispute that it is about."""
    accepted(settled.bob.post(settled.path), 202)
    accepted(settled.bob.post(f"/v1/tables/{settled.table}/analysis"), 202)
    rows = {row["quota"]: row for row in accepted(settled.bob.get("/v1/players/me/quotas"))["quotas"]}
    assert rows["analyses"]["used"] == 2
    exported = accepted(settled.bob.get("/v1/players/me/export"))["analyses"]
    assert [(row["kind"], row.get("dispute")) for row in exported] == [
        ("dispute", settled.dispute.dispute),
        ("quick", None),
    ]


def test_it_is_paid_for_by_the_games_that_are_played_out() -> None:
    """A fixed figure for each seat: as many as the comparison really plays."""
    for game, cost_ms in ROLLOUT_MS.items():
        assert worth_s(game, 3) == pytest.approx(3 * 2 * readings.WORLDS * cost_ms / 1000)
