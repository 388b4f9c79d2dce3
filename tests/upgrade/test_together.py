"""Two releases on one store, as during an upgrade: what only the later one can read is `newer`, not damaged."""

import contextlib
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import pytest
import requests

from events.log import PARTITIONS
from events.store import RedisLog, connect
from games import GAMES
from games.kernel import MoveSet
from service.client import Api
from service.runtime import embedded
from service.runtime.verifying import Status, stored_verdict
from tests.games.random_play import chance_from
from tests.servers import data_directory, running, wait_until
from tests.service.web import process_of, serving, wait_until_ready
from tests.upgrade.newer import GAME, TYPE, made_in

pytestmark = pytest.mark.slow

SERVE = ("-P", "-m", "service.runtime.cli", "serve")  # -P: what lies in the working directory does not come first
DISPATCH = ("-P", "-m", "service.runtime.cli", "dispatch")
OTHER = "tomahawk"  # a game that the later release records as this one does
PATIENCE_S = 180.0  # for processes to start on a busy machine


class Player:
    """A person who plays by whichever server: chooses among the moves that it lists."""

    def __init__(self, name: str, address: str) -> None:
        self.api, self._rng = Api(address), random.Random(name)
        self.token = self.api.sign_up(name)
        self.id = self.api.get("/v1/players/me")["player"]

    def at(self, address: str) -> Api:
        """The server that he asks."""
        return Api(address, self.token)

    def move(self, address: str, table: str) -> int:
        """Plays the first of his open decisions there; how many he had."""
        asked = self.at(address).get(f"/v1/tables/{table}/moves")
        for decision in asked["decisions"][:1]:
            move = self.choose(asked["game"], decision["moves"])
            told = {"game": asked["game"], "seat": decision["seat"], "decision": decision["decision"], "move": move}
            self.at(address).post(f"/v1/tables/{table}/moves", told)
        return len(asked["decisions"])

    def choose(self, game: str, listed: list[Any]) -> Any:
        """Any of the moves that a server lists."""
        entry = self._rng.choice(listed)
        for kind in GAMES[game].move_sets:
            with contextlib.suppress(msgspec.ValidationError):
                summary: MoveSet = msgspec.convert(entry, kind)
                return msgspec.to_builtins(summary.sample(chance_from(self._rng)))
        return entry


class Two(NamedTuple):
    """Servers of this release and of a later one on one store, and two people."""

    store: str
    older: str
    newer: str
    later_release: Path
    people: tuple[Player, Player]

    @property
    def log(self) -> RedisLog:
        """The log."""
        return RedisLog(connect(self.store), PARTITIONS)

    def opened(self, address: str, game: str) -> str:
        """A table at which both sit."""
        ann, ben = self.people
        seats = [{"kind": "me"}, {"kind": "player", "player": ben.id}]
        table = str(ann.at(address).post("/v1/tables", {"game": game, "seats": seats})["table"])
        ben.at(address).post(f"/v1/tables/{table}/seats/2", {"arbiter": None})
        return table

    def played(self, address: str, table: str, moves: int = 1000) -> None:
        """Plays so many moves, or to the end."""
        for _ in range(moves):
            if not sum(one.move(address, table) for one in self.people):
                return

    def forms(self, table: str) -> set[int]:
        """The forms of the type whose form the later release has changed."""
        return {one.envelope.schema for one in self.log.read(table) if one.envelope.type == TYPE}


@pytest.fixture(scope="module")
def two(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Two]:
    later = made_in(tmp_path_factory.mktemp("later"))
    with contextlib.ExitStack() as stack:
        directory = stack.enter_context(data_directory())
        stack.enter_context(running(embedded.start(directory)))
        store = embedded.url_of(directory)
        newer, process = of_the_later(stack, store, later, *SERVE)
        older = stack.enter_context(serving(store))
        wait_until_ready(process, newer)
        yield Two(store, older, newer, later, (Player("Ann", older), Player("Ben", older)))


def of_the_later(stack: contextlib.ExitStack, store: str, release: Path, *command: str) -> Any:
    """Starts a process of the later release: the address that it has if it is a server, and the process."""
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("PYTHONPATH", str(release))
        return stack.enter_context(process_of(store, *command))


def refused(response: requests.Response) -> tuple[int, str]:
    """Status and code of a refusal."""
    return response.status_code, response.json()["code"]


def asked(two: Two, method: str, path: str, **options: Any) -> requests.Response:
    """What the older server answers to Ann, whatever it is."""
    headers = {"Authorization": f"Bearer {two.people[0].token}"}
    return requests.request(method, two.older + path, headers=headers, timeout=60, **options)


def test_what_the_later_release_wrote_is_newer_to_this_one(two: Two) -> None:
    """Nobody calls it damaged, nothing is written there, and the later server plays on to the end."""
    table = two.opened(two.newer, GAME)
    two.played(two.newer, table, moves=1)
    assert two.forms(table) == {2}
    before = two.log.head(table)
    body = {"game": GAME, "seat": 1, "decision": "1-1", "move": {"type": "pass"}}
    for method, path, options in (
        ("GET", "", {}),
        ("GET", "?at=3", {}),
        ("GET", "/events", {}),
        ("GET", "/audit", {}),
        ("POST", "/moves", {"json": body}),
    ):
        assert refused(asked(two, method, f"/v1/tables/{table}{path}", **options)) == (503, "log-newer"), path
    assert two.log.head(table) == before
    assert stored_verdict(two.store, table).status is Status.UNCHECKED
    two.played(two.newer, table)
    assert two.people[0].at(two.newer).get(f"/v1/tables/{table}")["status"] == "finished"


def test_both_play_at_what_both_can_read(two: Two) -> None:
    """Move by move by turns, at a game that they record alike, to the end."""
    table = two.opened(two.older, OTHER)
    servers = [two.older, two.newer]
    while sum(one.move(server, table) for one, server in zip(two.people, servers, strict=True)):
        servers.reverse()
    assert two.people[0].at(two.older).get(f"/v1/tables/{table}")["status"] == "finished"
    assert stored_verdict(two.store, table).status is Status.HOLDS


def test_a_table_turns_newer_while_the_older_server_has_it_in_memory(two: Two) -> None:
    """Its next move there meets events that it cannot read: newer too. Other tables of the game go on."""
    mine, other = two.opened(two.older, GAME), two.opened(two.older, GAME)
    ann, ben = two.people
    decision = ann.at(two.older).get(f"/v1/tables/{mine}/moves")["decisions"][0]
    move = {"game": GAME, "seat": 1, "decision": decision["decision"], "move": ann.choose(GAME, decision["moves"])}
    ben.move(two.newer, mine)
    before = two.log.head(mine)
    assert refused(asked(two, "POST", f"/v1/tables/{mine}/moves", json=move)) == (503, "log-newer")
    assert two.log.head(mine) == before
    two.played(two.older, other)
    assert two.forms(other) == {1}
    assert stored_verdict(two.store, other).status is Status.HOLDS
    assert ann.at(two.newer).get(f"/v1/tables/{other}")["status"] == "finished"


def test_the_dispatcher_of_the_later_release_ends_the_upgrade(two: Two) -> None:
    """With no dispatcher between, lobby and standings then tell of every table, in whichever form."""
    tables = {form: two.opened(server, GAME) for form, server in ((1, two.older), (2, two.newer))}
    for server, table in zip((two.older, two.newer), tables.values(), strict=True):
        two.played(server, table)
    assert {form: two.forms(table) for form, table in tables.items()} == {1: {1}, 2: {2}}
    with contextlib.ExitStack() as stack:
        of_the_later(stack, two.store, two.later_release, *DISPATCH)
        listed = two.people[0].at(two.older)
        path = "/v1/tables?status=finished&limit=100"
        wait_until(lambda: _finished(listed.get(path)["tables"]) >= set(tables.values()), PATIENCE_S)


def _finished(rows: list[dict[str, Any]]) -> set[str]:
    return {row["table"] for row in rows if row["status"] == "finished"}
