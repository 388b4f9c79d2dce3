"""What an earlier release wrote is opened, verified, shown and played on; and what a later one wrote is not damaged."""

import contextlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from click.testing import CliRunner

from events.log import PARTITIONS, Batch
from events.recorded import BatchMetadata, NewEvent, record
from events.store import RedisLog, connect
from projections.history import Histories
from projections.registry import PROJECTIONS
from projections.runner import Runner
from projections.store import current
from service.runtime import embedded
from service.runtime.cli import main
from service.runtime.verifying import Status, stored_verdict
from tests.servers import data_directory, running
from tests.service.api.world import Somebody, World, accepted, refused
from tests.upgrade import DATA, NAMES, STORY, unpacked
from worker.turns import play_turns

MOST_BYTES = 300_000  # of a directory that is kept
LATER = 99  # a form that no release has yet


class Upgraded(NamedTuple):
    """A data directory of an earlier release, served by this one, and what was told of it when it was made."""

    world: World
    data: Path
    story: Any

    def person(self, name: str) -> Somebody:
        """Somebody with the token of that time."""
        known = self.story["people"][name]
        return Somebody(self.world.app, known["player"], known["token"])

    @property
    def log(self) -> RedisLog:
        """The log as it is now."""
        return RedisLog(connect(self.world.url), PARTITIONS)

    def tables(self) -> list[str]:
        """All tables of which the feeds tell."""
        partitions = range(self.log.partitions)
        return sorted({pointer.table for number in partitions for pointer in self.log.feed(number, 0)})


@pytest.fixture(params=NAMES)
def upgraded(request: pytest.FixtureRequest) -> Iterator[Upgraded]:
    with data_directory() as directory:
        data = unpacked(request.param, directory)
        with running(embedded.start(data)):
            url = embedded.url_of(data)
            with contextlib.closing(World(url, secret=None)) as world:
                yield Upgraded(world, data, json.loads((data / STORY).read_text()))


def test_directories_are_kept_and_small() -> None:
    """At least that of the first release that has this test."""
    assert NAMES[0] == "2026-11-22"
    assert all((DATA / f"{name}.tar.xz").stat().st_size < MOST_BYTES for name in NAMES)


def test_every_record_holds(upgraded: Upgraded) -> None:
    """Chain, seals, draws, decisions, requests, feed, due entries, lobby and standings; a branch with its parent."""
    upgraded.world.catch_up()  # as the dispatcher does when it starts
    found = {table: stored_verdict(upgraded.world.url, table) for table in upgraded.tables()}
    assert len(found) == 11
    assert {table: one.lines for table, one in found.items() if one.status is not Status.HOLDS} == {}


def test_people_find_what_they_left(upgraded: Upgraded) -> None:
    """Names, tokens, the text that was loaded, the webhook, standings."""
    ann, story, nobody = upgraded.person("Ann"), upgraded.story, upgraded.world.nobody
    assert accepted(ann.get("/v1/players/me"))["name"] == "Ann"
    for table in story["finished"].values():
        told = accepted(nobody.get(f"/v1/tables/{table}"))
        assert (told["status"], [seat["name"] for seat in told["seats"]]) == ("finished", ["Ann", "Ben"])
    assert accepted(ann.get(f"/v1/tables/{story['transcript']}"))["transcribed"]
    bot = Somebody(upgraded.world.app, story["bot"]["player"], story["bot"]["token"])
    assert accepted(bot.get("/v1/players/me/webhook"))["url"] == "https://example.org/"
    assert accepted(nobody.get("/v1/standings")) == story["standings"]
    assert len(accepted(ann.get("/v1/inbox"))["decisions"]) > 0


@pytest.mark.slow
def test_play_goes_on(upgraded: Upgraded) -> None:
    """Running tables are played to their end, votes are taken, an AI seat moves; all of it verifies."""
    world, story = upgraded.world, upgraded.story
    both = [upgraded.person("Ann"), upgraded.person("Ben")]
    for table in story["running"].values():
        world.finish(table)
    path = f"/v1/tables/{story['disputed']}"
    accepted(both[1].post(f"{path}/disputes/{story['dispute']}/votes", {"seat": 2, "overturn": False}))
    play_turns(world.services.handler, story["with_ai"])
    world.play(story["with_ai"], both[0], moves=1)
    world.catch_up()
    for table in (*story["running"].values(), story["disputed"], story["with_ai"], story["fork"]):
        assert stored_verdict(world.url, table).status is Status.HOLDS


@pytest.mark.slow
def test_projections_are_as_those_made_anew(upgraded: Upgraded) -> None:
    """Byte for byte, after they were brought up to date from where the earlier release left them."""
    upgraded.world.catch_up()
    for name in PROJECTIONS:
        before = list(current(upgraded.log, name).contents())
        Runner(upgraded.log, Histories(upgraded.log)).rebuild(name)
        assert list(current(upgraded.log, name).contents()) == before


@pytest.mark.slow
def test_a_backup_of_it_is_whole(upgraded: Upgraded, tmp_path: Path) -> None:
    """It holds every key that there is."""
    environment = {"WINTERCOUNT_REDIS_URL": upgraded.world.url, "WINTERCOUNT_DATA": str(upgraded.data)}
    told = CliRunner().invoke(main, ["backup", str(tmp_path / "a.backup")], env=environment)
    assert (told.exit_code, "11 tables" in told.output) == (0, True), told.output


def test_a_table_of_a_later_release_is_newer_and_keeps_no_other_waiting(upgraded: Upgraded, tmp_path: Path) -> None:
    """While old and new processes run together: nobody calls it damaged, nothing is written there, others play on."""
    world, (table, other) = upgraded.world, list(upgraded.story["running"].values())[:2]
    before = record_later(upgraded.log, table)
    ann = upgraded.person("Ann")
    refused(ann.get(f"/v1/tables/{table}"), 503, "log-newer")
    refused(ann.post(f"/v1/tables/{table}/moves", world.moving(other, 1, {"type": "pass"})), 503, "log-newer")
    assert upgraded.log.head(table) == before
    assert stored_verdict(world.url, table).status is Status.UNCHECKED
    world.finish(other)
    world.catch_up()
    assert stored_verdict(world.url, other).status is Status.HOLDS
    assert accepted(world.nobody.get(f"/v1/tables/{other}"))["status"] == "finished"
    environment = {"WINTERCOUNT_REDIS_URL": world.url, "WINTERCOUNT_DATA": str(upgraded.data)}
    told = CliRunner().invoke(main, ["backup", str(tmp_path / "a.backup")], env=environment)
    assert told.exit_code == 0, told.output


def record_later(log: RedisLog, table: str) -> Any:
    """Appends an event as a later release may record it, and gives the head behind it."""
    new = NewEvent("SeatTaken", {"seat": 1, "name": {"later": "still"}}, {}, LATER)
    last = log.read(table)[-1].envelope
    batch = record(table, log.head(table), [new], BatchMetadata(last.at, {"kind": "clock"}))
    log.append(table, Batch(log.head(table), batch))
    return log.head(table)
