"""Every door to a table that left the store: it answers as it did while the table was there."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from service.stores import log_at
from tests.service.api.world import Answer, Somebody, World, embedded_store
from tests.tables import catch_up
from worker.archiver import ANSWERED_MS, Archiver

READS = """
?at=1 ?at=40&seat=1 ?seat=all /events /events?from=7&limit=5 /rulings /diff?from=3&to=9 /blame?path=/scores
/find?path=/scores&from=1 /audit /archive /notation /forks
"""


class Archived:
    """A service with an archive, at which a game was played, disputed over, branched and finished."""

    def __init__(self, url: str, directory: Path) -> None:
        self.directory = directory
        self.world = self.started(url)
        self.ann, self.ben = self.world.somebody("Ann"), self.world.somebody("Ben")
        self.table = self.world.open(self.ann, self.ben, game="manitou")
        self.world.play(self.table, self.ann, self.ben, moves=20)
        self.world.finish(self.table)
        forked = self.ann.post(f"/v1/tables/{self.table}/forks", {"version": 10})
        assert forked.status_code == 201, forked.json
        self.branch = str(forked.json["id"])
        self.project()

    def started(self, url: str) -> World:
        """The service as it starts anew."""
        return World(url, archive=str(self.directory))

    def project(self) -> None:
        """Brings the projections up to date."""
        catch_up(log_at(self.world.url, self.world.settings))

    def archive(self) -> None:
        """Archives what has closed, as if a day had passed."""
        log = log_at(self.world.url, self.world.settings)
        assert Archiver(log, lambda: self.world.services.handler.now_ms() + ANSWERED_MS, 0).archive_due().tables == 1

    def told(self, world: World) -> dict[str, Any]:
        """What each door answers to the player and to nobody in particular."""
        ann = Somebody(world.app, self.ann.player, self.ann.token)
        paths = [f"/v1/tables/{self.table}{read}" for read in ("", *READS.split())]
        paths += ["/v1/feed?limit=200", "/v1/tables?status=finished", "/v1/standings", "/v1/inbox"]
        return {f"{path} {who is ann}": self._plain(who.get(path)) for path in paths for who in (ann, world.nobody)} | {
            "mine": self._plain(ann.get("/v1/tables?mine=true"))
        }

    @staticmethod
    def _plain(answer: Answer) -> tuple[int, Any]:
        body = answer.json if answer.is_json else answer.text
        if isinstance(body, dict):
            body = {name: value for name, value in body.items() if name not in ("request_id", "at")}
        return answer.status_code, body


@pytest.fixture
def archived(tmp_path: Path) -> Iterator[Archived]:
    """A finished game at a service with an archive."""
    with embedded_store() as url:
        found = Archived(url, tmp_path / "archive")
        yield found
        found.world.close()


@pytest.mark.slow
def test_every_read_of_an_archived_table_answers_as_before(archived: Archived) -> None:
    """Events, views at any version, rulings, differences, audit, archive, notation, branches, lists and the feed."""
    before = archived.told(archived.world)
    feed = archived.world.nobody.get("/v1/feed?limit=30").json["next"]
    behind = archived.world.nobody.get(f"/v1/feed?limit=200&cursor={feed}").json
    archived.archive()
    anew = archived.started(archived.world.url)

    after = archived.told(anew)
    assert {path: (before[path], after[path]) for path in before if before[path] != after[path]} == {}
    assert anew.nobody.get(f"/v1/feed?limit=200&cursor={feed}").json == behind
    assert behind["batches"]
    assert sum(status == 200 for status, _ in before.values()) > 25
    anew.close()


def test_an_archived_table_is_branched_compared_and_judged_again(archived: Archived) -> None:
    """What makes something new of a finished game goes on to work."""
    archived.archive()
    ann, table = archived.ann, archived.table
    branch = ann.post(f"/v1/tables/{table}/forks", {"version": 12})
    assert branch.status_code == 201, branch.json
    compared = ann.get(f"/v1/tables/{table}/comparison?with={archived.branch}")
    assert compared.status_code == 200, compared.json
    rulings = ann.get(f"/v1/tables/{table}/rulings").json["rulings"]
    assert ann.get(f"/v1/tables/{table}/rulings/{rulings[0]['version']}").status_code == 200
    archived.project()
    listed = ann.get(f"/v1/tables/{table}/forks").json["forks"]
    assert {row["id"] for row in listed} == {archived.branch, branch.json["id"]}


def test_nothing_can_be_done_at_an_archived_table(archived: Archived) -> None:
    """Moves, seats, disputes, offers and resignations are refused as at any finished table."""

    def refused(somebody: Somebody) -> list[tuple[int, str]]:
        table = f"/v1/tables/{archived.table}"
        asked = [
            somebody.post(f"{table}/moves", {"game": "manitou", "seat": 1, "move": {"type": "pass"}}),
            somebody.post(f"{table}/seats/1", {}),
            somebody.post(f"{table}/disputes", {"version": 5, "seat": 1, "claim": "no", "remedy": {"correction": 1}}),
            somebody.post(f"{table}/offers", {"kind": "abort", "seat": 1}),
            somebody.post(f"{table}/seats/1/resign"),
            somebody.delete(f"{table}/seats/1"),
        ]
        return [(answer.status_code, answer.json["code"]) for answer in asked]

    before = refused(archived.ann)
    archived.archive()
    anew = archived.started(archived.world.url)
    assert refused(Somebody(anew.app, archived.ann.player, archived.ann.token)) == before
    assert all(400 <= status < 500 for status, _ in before)
    anew.close()


def test_an_archive_that_is_away_is_told_as_a_store_that_is_away(archived: Archived, tmp_path: Path) -> None:
    """503 `store_unavailable` for the archived table alone; running tables go on."""
    running = archived.world.open(archived.ann, archived.ben, game="tomahawk")
    archived.archive()
    archived.directory.rename(tmp_path / "away")
    archived.directory.write_text("no directory")
    anew = archived.started(archived.world.url)

    answer = anew.nobody.get(f"/v1/tables/{archived.table}")
    assert (answer.status_code, answer.json["code"]) == (503, "store_unavailable")
    for path in (f"/v1/tables/{running}", "/v1/tables?status=running", "/v1/standings"):
        assert anew.nobody.get(path).status_code == 200
    assert anew.nobody.get("/v1/tables?status=finished").json["code"] == "store_unavailable"
    anew.close()
