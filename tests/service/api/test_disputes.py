"""The names of disputes and offers: each names a history, and not a number alone."""

import re
from typing import Any

import pytest

from events.store import connect
from tests import damage
from tests.service.api.world import World, accepted, refused


class Gone:
    """A table of Ann and Bob, a dispute or an offer of Bob's at it, and what others opened there at the same version.

    In between the store went back: `lost` is the name that clients still have, `now` the one that they are told.
    """

    def __init__(self, world: World, kind: str) -> None:
        self.kind, self.store = kind, connect(world.url)
        self.ann, self.bob = world.somebody("Ann"), world.somebody("Bob")
        if kind == "dispute":
            self.path, self._body = world.disputable(self.ann, self.bob)
        else:
            table = world.open(self.ann, self.bob, game="manitou")
            world.play(table, self.ann, self.bob, moves=8)
            self.path, self._body = f"/v1/tables/{table}", {"kind": "takeback", "seat": 2}
        copy = damage.copy_of(self.store)
        self.lost = self._opened()
        damage.put_back(self.store, copy)
        refused(self.ann.get(self.path), 500, "log_damaged")
        self.now = self._opened()
        self.recorded = self.now.partition("-")[0]

    def _opened(self) -> str:
        if self.kind == "dispute":
            told = accepted(self.ann.post(f"{self.path}/disputes", self._body), 201)["id"]
        else:
            told = accepted(self.bob.post(f"{self.path}/offers", self._body))["offer"]["id"]
        return str(told)

    def listed(self) -> str:
        """The name as the table or its list of disputes tells it."""
        if self.kind == "offer":
            return str(accepted(self.ann.get(self.path))["offer"]["id"])
        return str(accepted(self.ann.get(f"{self.path}/disputes"))["disputes"][-1]["id"])

    def answer(self, name: str) -> Any:
        """What a seat says to it, under a name."""
        if self.kind == "dispute":
            return self.bob.post(f"{self.path}/disputes/{name}/comments", {"text": "So it is."})
        return self.ann.post(f"{self.path}/offers/{name}/answer", {"seat": 1, "agrees": False})

    def told(self) -> Any:
        """The dispute or offer that the last event names."""
        events = accepted(self.ann.get(f"{self.path}/events?limit=1000"))["events"]
        return events[-1]["payload"][self.kind]


@pytest.fixture(params=["dispute", "offer"])
def gone(request: pytest.FixtureRequest, own: World) -> Gone:
    return Gone(own, request.param)


def test_a_name_of_a_lost_history_names_nothing(gone: Gone) -> None:
    """What others opened at the same version has another name: an answer to the lost one is refused."""
    assert re.fullmatch(r"[do]\d+-[0-9a-f]{8}", gone.now)
    assert (gone.listed(), gone.lost.partition("-")[0]) == (gone.now, gone.recorded)
    assert gone.lost != gone.now

    refused(gone.answer(gone.lost), 404, f"no_such_{gone.kind}")
    accepted(gone.answer(gone.now))
    assert gone.told() == gone.recorded


def test_a_disputed_table_waits_for_no_move_and_marks_what_was_undone(world: World) -> None:
    """While the dispute is open nobody has to decide; an overturned ruling stays in the list as undone."""
    ann, bob = world.somebody("Ann"), world.somebody("Bob")
    path, body = world.disputable(ann, bob, play="pauses")
    dispute = accepted(ann.post(f"{path}/disputes", body), 201)["id"]
    for person in (ann, bob):
        moves = accepted(person.get(f"{path}/moves"))
        assert (moves["decisions"], moves["waiting_for"]) == ([], [])
    for seat, person in enumerate((ann, bob), 1):
        accepted(person.post(f"{path}/disputes/{dispute}/votes", {"seat": seat, "overturn": True}))
    rulings = accepted(ann.get(f"{path}/rulings"))["rulings"]
    assert {row["version"]: row["undone"] for row in rulings}[body["version"]]
    problem = refused(ann.post(f"{path}/disputes", body | {"rule": "MA-1.1"}), 404, "no_such_rule")
    assert body["rule"] in problem["detail"]
    assert accepted(ann.get(f"{path}/moves"))["waiting_for"]
