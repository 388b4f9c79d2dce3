"""Analyses over HTTP: who asks, who is told, when, how far they are, and who calls them off."""

import asyncio
from types import SimpleNamespace
from typing import Any

import pytest

from service.accounts.callers import NOBODY
from service.analyses import AnalysisStatus, Name
from service.streams.frames import AnalysisSubscription
from tests.service.api.world import Somebody, World, accepted, refused
from worker.analysis import finished, luck
from worker.analysis.evaluating import Effort
from worker.analysis.slices import run_slice


class Over:
    """A finished game of Tomahawk and the analyses of it."""

    def __init__(self, world: World) -> None:
        self.world, self.ann, self.bob = world, world.somebody("Ann"), world.somebody("Bob")
        self.table = self.played()
        self.path = f"/v1/tables/{self.table}/analysis"

    def played(self, **more: Any) -> str:
        table = self.world.open(self.ann, self.bob, game="tomahawk", **more)
        self.world.finish(table)
        return table

    def work(self, kind: str = "quick", slices: int = 1000) -> None:
        """What a worker does, so many slices of it."""
        services = self.world.services
        for _ in range(slices):
            if not run_slice(
                services.analyses.analyses, Name(self.table, kind), services.handler.history(self.table), lambda: True
            ):
                return

    def frames(self, head: str | None = None) -> bytes:
        """The whole stream of an analysis."""
        known = head or self.world.services.handler.history(self.table).table.head.hash.hex()

        async def gathered() -> bytes:
            subscription = AnalysisSubscription(NOBODY, Name(self.table, "quick"), known)
            return b"".join([frame async for frame in self.world.services.hub.frames(subscription)])

        return asyncio.run(gathered())


@pytest.fixture
def over(world: World, monkeypatch: pytest.MonkeyPatch) -> Over:
    for kind in finished.EFFORTS:
        monkeypatch.setitem(finished.EFFORTS, kind, Effort(2, 2))
    every = finished.decisions
    monkeypatch.setattr(finished, "decisions", lambda history: list(every(history))[-1:])
    monkeypatch.setattr(luck, "WORLDS", 2)
    return Over(world)


def test_from_question_to_answer(over: Over) -> None:
    """202 until it is done, then 200 with all of it, for everyone who may see the table."""
    nobody = over.world.nobody
    refused(nobody.get(over.path), 404, "no_such_analysis")
    asked = accepted(over.bob.post(over.path), 202)
    assert (asked["kind"], asked["status"], asked["done"], asked["of"]) == ("quick", "waiting", 0, None)
    assert accepted(over.ann.post(over.path, {"kind": "quick"}), 202) == asked
    over.work(slices=1)
    assert {"status": "running", "of": 1, "analysis": None}.items() <= accepted(nobody.get(over.path)).items()
    over.work()
    found = accepted(nobody.get(over.path))
    assert (found["status"], found["done"], found["of"]) == ("done", 1, 1)
    assert found["analysis"]["head"] == over.world.services.handler.history(over.table).table.head.hash.hex()
    assert len(found["analysis"]["evaluations"]) == 1
    assert accepted(over.bob.post(over.path)) == found
    refused(nobody.get(f"{over.path}?kind=deep"), 404, "no_such_analysis")


@pytest.mark.slow
def test_the_luck_of_a_game_is_asked_for_as_an_analysis(over: Over) -> None:
    """It is told beside those of decisions: each lead is the sum of its parts, and of the events that made it."""
    nobody, path = over.world.nobody, f"{over.path}?kind=luck"
    refused(nobody.get(path), 404, "no_such_analysis")
    accepted(over.bob.post(over.path, {"kind": "luck"}), 202)
    over.work(slices=1, kind="luck")
    moves = accepted(nobody.get(path))["of"] - 1
    over.work(kind="luck")
    found = accepted(nobody.get(path))
    assert (found["status"], found["kind"], found["analysis"]) == ("done", "luck", None)
    luck = found["luck"]
    assert len(luck["strokes"]) == 1 + moves
    for place, row in enumerate(luck["seats"]):
        assert row["margin"] == sum(row[part]["mean"] for part in ("expected", "chance", "own", "others", "ruled"))
        changed = [stroke[part][place] for stroke in luck["strokes"] for part in ("ruled", "choice", "chance")]
        assert row["expected"]["mean"] + sum(changed) == pytest.approx(row["margin"])
    assert accepted(over.bob.post(over.path, {"kind": "luck"})) == found
    refused(nobody.get(over.path), 404, "no_such_analysis")


def test_no_luck_is_split_in_a_game_that_ended_early(over: Over) -> None:
    """Its decisions can be evaluated."""
    table = over.world.open(over.ann, over.bob, game="tomahawk")
    over.world.play(table, over.ann, over.bob, moves=6)
    accepted(over.bob.post(f"/v1/tables/{table}/seats/2/resign"))
    path = f"/v1/tables/{table}/analysis"
    refused(over.ann.post(path, {"kind": "luck"}), 409, "ended_early")
    refused(over.ann.get(f"{path}?kind=luck"), 404, "no_such_analysis")
    accepted(over.ann.post(path, {"kind": "quick"}), 202)


def test_moves_of_a_running_game_are_secret(over: Over) -> None:
    """Also at a branch whose parent runs, though the branch is over; to all, whatever they have asked."""
    table = over.world.open(over.ann, over.bob, game="tomahawk")
    over.world.play(table, over.ann, over.bob, moves=6)
    version = accepted(over.ann.get(f"/v1/tables/{table}"))["version"]
    branch = accepted(over.ann.post(f"/v1/tables/{table}/forks", {"version": version}), 201)["id"]
    over.world.finish(branch)
    assert accepted(over.ann.get(f"/v1/tables/{branch}"))["status"] == "finished"
    for one in (table, branch):
        path = f"/v1/tables/{one}/analysis"
        for kind in ("quick", "deep", "luck"):
            for answer in (over.ann.post(path, {"kind": kind}), over.ann.get(f"{path}?kind={kind}")):
                refused(answer, 409, "table_not_over")


def test_who_may_ask_and_who_is_told(over: Over) -> None:
    """An account that may play; of a private table only those who may see it."""
    world = over.world
    refused(world.nobody.post(over.path), 401, "unauthenticated")
    refused(world.again(over.ann, ["watch"]).post(over.path), 403, "scope_missing")
    private = f"/v1/tables/{over.played(visibility='private')}/analysis"
    accepted(over.ann.post(private), 202)
    accepted(over.bob.get(private))
    for answer in (world.nobody.get(private), world.somebody("Eve").post(private)):
        refused(answer, 404, "no_such_table")
    for wrong in ({"kind": "slow"}, {"kind": 1}, {"depth": "quick"}):
        refused(over.ann.post(over.path, wrong), 422, "invalid")
    refused(over.ann.get(f"{over.path}?kind=slow"), 422, "invalid")


def test_only_whoever_asked_calls_it_off(over: Over) -> None:
    """And only before it is done."""
    refused(over.bob.delete(over.path), 404, "no_such_analysis")
    accepted(over.bob.post(over.path), 202)
    refused(over.ann.delete(over.path), 403, "not_allowed")
    over.work(slices=1)
    assert over.bob.delete(over.path).status_code == 204
    refused(over.world.nobody.get(over.path), 404, "no_such_analysis")
    accepted(over.ann.post(over.path), 202)
    over.work()
    refused(over.ann.delete(over.path), 404, "no_such_analysis")


def held(who: Somebody) -> tuple[int, int]:
    """How many analyses an account has, and may have."""
    rows = {row["name"]: row for row in accepted(who.get("/v1/players/me/quotas"))["quotas"]}
    return rows["analyses"]["used"], rows["analyses"]["most"]


def test_an_account_has_three_at_once(over: Over) -> None:
    """A fourth is refused; what is there already is told all the same, and what is done makes room."""
    tables = [over.table, *(over.played() for _ in range(3))]
    for table in tables[:3]:
        accepted(over.ann.post(f"/v1/tables/{table}/analysis"), 202)
    assert held(over.ann) == (3, 3)
    refused(over.ann.post(f"/v1/tables/{tables[3]}/analysis"), 409, "quota_reached")
    accepted(over.ann.post(over.path), 202)
    over.work()
    assert held(over.ann) == (2, 3)


def test_a_failed_one_is_begun_anew(over: Over) -> None:
    accepted(over.bob.post(over.path), 202)
    analyses, name = over.world.services.analyses.analyses, Name(over.table, "quick")
    found = analyses.find(name)
    assert found is not None
    analyses.note(name, found, found.analysis.becoming(status="failed", by=None, detail="no world was found"), {})
    assert accepted(over.bob.get(over.path))["detail"] == "no world was found"
    assert accepted(over.bob.post(over.path), 202)["status"] == "waiting"


def test_its_progress_is_a_stream(over: Over) -> None:
    """It ends when the analysis is over or gone; the stream of no analysis is refused."""
    stream = {"Accept": "text/event-stream"}
    refused(over.bob.get(over.path, **stream), 404, "no_such_analysis")
    accepted(over.bob.post(over.path), 202)
    assert over.bob.get(over.path, **stream).mimetype == "text/event-stream"
    refused(over.bob.get(over.path, Accept="text/html"), 406, "not_acceptable")
    over.work()
    told = over.frames().decode()
    assert '"status":"done","done":1,"of":1' in told
    assert told.endswith('event: end\ndata: {"reason":"analysis_over"}\n\n')
    assert over.frames("00").endswith(b'{"reason":"analysis_gone"}\n\n')


@pytest.mark.parametrize("closed", ["private", "running"])
def test_a_stream_looks_whether_its_table_may_still_be_told(
    over: Over, monkeypatch: pytest.MonkeyPatch, closed: str
) -> None:
    """Given a table that is not the caller's, or whose game goes on, then the stream ends at its next look."""
    ticks = iter(range(0, 500, 10))
    monkeypatch.setattr("service.streams.hub.time", SimpleNamespace(monotonic=lambda: next(ticks)))
    monkeypatch.setattr("service.streams.hub.PAUSE_S", 0.0)
    is_private, world = closed == "private", over.world
    over.table = over.played(visibility="private") if is_private else world.open(over.ann, over.bob, game="tomahawk")
    head = world.services.handler.history(over.table).table.head.hash.hex()
    asked = AnalysisStatus(head=head, by=over.ann.player, asked_at="2026-11-23T00:00:00.000Z")
    world.services.analyses.analyses.ask(Name(over.table, "quick"), None, asked)
    assert over.frames().endswith(b'{"reason":"access_ended"}\n\n')
