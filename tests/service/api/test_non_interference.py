"""What an observer may not know changes no byte that he gets: two worlds that differ in it answer everything alike."""

import random
import re
import secrets
from collections.abc import Callable, Iterator
from typing import Any

import msgspec
import pytest
import yaml

from events.chain import commitment, new_salt
from events.recorded import Recorded
from events.store import RedisLog
from games import GAMES
from games.kernel import Summary
from projections import lobby
from projections.history import History
from service.accounts import NOBODY, Caller
from service.api.common import Services
from service.app import create_app
from service.config import Settings
from service.limits import Limits
from service.openapi import OPENAPI
from service.streams import Follow, Frames
from service.tables import playing, reading
from service.tables.forks import origin, witness_of
from tests.games.random_play import chance_from
from tests.service.api.twins import Pair, Twin, TwinHouse
from tests.service.api.world import GENEROUS, Somebody, World

MOVES = {"big-manitou": 30, "manitou": 26, "tomahawk": 9, "plenty-coups": 30}
by_game = pytest.mark.parametrize("game", list(GAMES))
Answers = dict[str, tuple[int, list[tuple[str, str]], bytes]]
Request = tuple[str, str, Any, dict[str, str]]


class Seen:
    """A table in a service, as observers see it."""

    def __init__(self, services: Services, table: str, players: list[Somebody]) -> None:
        limits = Limits(Settings(**GENEROUS), clock=lambda: 0.0)
        self.services, self.table, self.players = services._replace(limits=limits), table, players
        self.app = create_app(self.services)
        self.history = services.house.history(table)

    def answers(self, seat: int | None, *, audit: bool = False) -> Answers:
        """Status, headers and bytes of all that an observer can ask."""
        somebody, found = self.observer(seat), {}
        self.services.limits.counts.reset()  # what an observer has left depends on what it has asked for
        asked = [*requests(self, seat), *(audits(self) if audit else ())]
        for method, path, body, headers in asked:
            request = {"headers": headers} | ({} if body is None else {"json": body})
            answer = somebody.send(method, path, **request)
            assert answer.status_code < 500, (path, body, answer.text)
            found[f"{method} {path} {body} {headers}"] = (answer.status_code, sorted(answer.headers), answer.data)
        return found | self.frames(seat) | self.lobby()

    def observer(self, seat: int | None) -> Somebody:
        """Who looks on from a seat."""
        if seat is None:
            return Somebody(self.app)
        player = self.players[seat - 1]
        return Somebody(self.app, player.player, player.token)

    def frames(self, seat: int | None) -> Answers:
        """The events of the table as a stream sends them."""
        caller = self.services.accounts.caller(str(self.players[seat - 1].token)) if seat else NOBODY
        return {"stream": (200, [], Frames().behind(self.history, Follow(self.table, caller, 0, "en"), 0))}

    def lobby(self) -> Answers:
        """The table's row in the lobby, from which the inbox is made too."""
        return {"lobby": (200, [], msgspec.json.encode(lobby.row_of(self.history.table)))}


def a_table(world: World, game: str, seed: int) -> Seen:
    """A table in the middle of a game."""
    players = [world.somebody(f"seat {seat}") for seat in range(1, min(3, max(GAMES[game].players)) + 1)]
    table = world.open(*players, game=game)
    world.play(table, *players, moves=random.Random(seed).randint(4, MOVES[game]), seed=seed)
    found = Seen(world.services, table, players)
    assert found.history.table.status == "running"
    return found


def twin_of(seen: Seen, seat: int | None, seed: int) -> Seen:
    """The same table, but that all its secrets are others."""
    house = TwinHouse(seen.services.house.log, seen.table, Twin(seen.history, seat, seed))
    return Seen(seen.services._replace(house=house), seen.table, seen.players)


def leaks(one: Answers, other: Answers) -> list[str]:
    """The requests whose answers differ."""
    assert one.keys() == other.keys()
    return [request for request, answer in one.items() if answer != other[request]]


def requests(seen: Seen, seat: int | None) -> Iterator[Request]:
    """All that an observer may ask about a table: method, path, body and headers."""
    path, version = f"/v1/tables/{seen.table}", seen.history.table.version
    for at in range(1, version + 2):
        yield "GET", f"{path}?at={at}", None, {}
        yield "GET", f"{path}/rulings/{at}", None, {}
        yield "GET", f"{path}/moves/{at}/explanation", None, {}
    yield "GET", f"{path}?at_time={seen.history.table.at}", None, {}
    for other in range(1, len(seen.players) + 2):
        yield "GET", f"{path}?seat={other}", None, {}
    for form in ("application/json", "application/x-ndjson"):
        for language in ("", "?language=en", "?language=fr", "?limit=7&after=5"):
            yield "GET", f"{path}/events{language}", None, {"Accept": form}
    for language in ("en", "fr"):
        yield "GET", f"{path}/rulings", None, {"Accept-Language": language}
    yield "GET", f"{path}/archive", None, {}
    yield "GET", f"{path}/disputes", None, {}
    if isinstance(seen.services.house.log, RedisLog):  # what it lists are rows of the lobby
        yield "GET", f"{path}/forks", None, {}
    yield "GET", f"{path}/comparison?with={seen.table}", None, {}
    yield "GET", f"{path}/diff?from=1&to={version}", None, {}
    yield "GET", f"{path}/blame?path=/view", None, {}
    yield "GET", f"{path}/find?path=/view/over&value=true", None, {}
    yield "GET", f"{path}/moves", None, {}
    for body in bodies(seen, seat):
        yield "POST", f"{path}/moves/check", body, {}
    for body in refused(seen, seat):
        yield "POST", f"{path}/moves", body, {}


def audits(seen: Seen) -> Iterator[Request]:
    """What decides the whole game again, and so can only be asked where nothing but the secrets is made up."""
    yield "GET", f"/v1/tables/{seen.table}/audit", None, {}
    yield "POST", f"/v1/tables/{seen.table}/readjudications", {"options": {}}, {}


def bodies(seen: Seen, seat: int | None) -> Iterator[dict[str, Any]]:
    """Moves of every seat: those that the observer's own seat might make, and others."""
    table = seen.history.table
    for other in range(len(seen.players) + 2):
        yield {"seat": other, "move": {"type": "pass_turn"}}
        yield {"seat": other, "move": {"type": "no such move"}}
    for move in table.game.legal_moves(table.state, seat) if seat else ():
        chosen = move.sample(chance_from(random.Random(1))) if isinstance(move, Summary) else move
        yield {"seat": seat, "move": msgspec.to_builtins(chosen)}


def refused(seen: Seen, seat: int | None) -> Iterator[dict[str, Any]]:
    """Moves that are refused, with all that a refusal tells."""
    for body in bodies(seen, None):
        yield body | {"decision": "1-1"}
        if body["seat"] != seat:
            yield body


def observers(seen: Seen) -> list[int | None]:
    return [None, *range(1, len(seen.players) + 1)]


@by_game
@pytest.mark.parametrize("seed", range(2))
def test_secrets_change_no_byte(world: World, game: str, seed: int) -> None:
    """Every endpoint, every version, every observer: other hands, other choices and another order of the cards."""
    seen = a_table(world, game, seed)
    for seat in observers(seen):
        assert leaks(seen.answers(seat), twin_of(seen, seat, seed).answers(seat)) == [], f"seen by {seat}"


@by_game
def test_a_branch_of_a_twin_begins_alike(world: World, game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a branch of a running game starts from, sealed parts included, comes from what its player may see alone."""
    monkeypatch.setattr(secrets, "randbits", lambda bits: bits)
    seen = a_table(world, game, 0)
    for seat in observers(seen):
        asking = world.services.accounts.caller(str(seen.players[seat - 1].token)) if seat else NOBODY
        one, other = (branch_of(side.history, asking) for side in (seen, twin_of(seen, seat, 0)))
        assert one == other, f"forked by {seat}"


def branch_of(parent: History, asking: Caller) -> dict[str, Any]:
    """What a branch from the newest version starts from, without the hash that it names."""
    now = parent.table
    return origin(parent, now, witness_of(now, asking), now.options) | {"parent_head": None}


@by_game
def test_a_twin_is_another_world(world: World, game: str) -> None:
    """So that the tests here compare something: nobody sees the same table when the game lies open."""
    seen = a_table(world, game, 0)
    for seat in observers(seen):
        twin = twin_of(seen, seat, 0)
        assert twin.history.table.state != seen.history.table.state
        assert [event.sealed for event in twin.history.events] != [event.sealed for event in seen.history.events]


RANDOM = re.compile(rb"[0-9a-f]{64}")  # hashes and commitments
TAG = re.compile(r"(\d+-)[0-9a-f]{8}(-)")


def without_hashes(answers: Answers) -> Answers:
    """Hashes and commitments of different secrets differ; nobody can tell anything else from them."""
    return {
        request: (status, [(name, TAG.sub(r"\1\2", value)) for name, value in headers], RANDOM.sub(b"", body))
        for request, (status, headers, body) in answers.items()
    }


@by_game
def test_a_secret_choice_changes_no_byte(world: World, game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A seat chooses otherwise, and the game goes on until it is its turn: nobody else can tell."""
    pair = Pair(world, monkeypatch, game, 7)
    one, other = (Seen(side.services, side.id, pair.players) for side in pair.sides)
    assert one.history.table.state != other.history.table.state
    for seat in {*observers(one)} - {pair.secretive}:
        assert (
            leaks(without_hashes(one.answers(seat, audit=True)), without_hashes(other.answers(seat, audit=True))) == []
        ), f"seen by {seat}"


def test_every_operation_on_a_table_is_asked_for(world: World) -> None:
    """A new resource of a table has to be asked for here too."""
    seen = a_table(world, "big-manitou", 0)
    asked = {path for _, path, _, _ in [*requests(seen, 1), *audits(seen)]}
    paths = yaml.load(OPENAPI.read_text(encoding="utf-8"), Loader=yaml.CSafeLoader)["paths"]
    readable = [path for path, item in paths.items() if "{table}" in path and "get" in item]
    for path in readable:
        form = re.compile(path.replace("{table}", seen.table).replace("{version}", "[0-9]+") + r"(\?.*)?")
        assert any(form.fullmatch(one) for one in asked), path


@pytest.mark.parametrize("value", [None, 0, "hunter-1", ["hunter-1"] * 60, {"card": "chief-1", "ground": 3}])
def test_a_commitment_tells_nothing_of_the_size_of_a_secret(value: Any) -> None:
    assert len(commitment(new_salt(), value)) == 64
    assert commitment(new_salt(), value) != commitment(new_salt(), value)


def shows_a_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    """A view that shows everybody what seat 1 holds."""
    game = GAMES["manitou"]
    right = game.view
    monkeypatch.setattr(game, "view", lambda state, _: right(state, 1))


def opens_seals(monkeypatch: pytest.MonkeyPatch) -> None:
    """Events that tell their secrets to everybody."""
    monkeypatch.setattr(Recorded, "may_read", lambda *_: True)


def names_no_readers(monkeypatch: pytest.MonkeyPatch) -> None:
    """A game that calls nothing secret: all is written into the public envelope."""
    monkeypatch.setattr(GAMES["manitou"], "readers", lambda *_: {})


def lists_the_moves_of_all(monkeypatch: pytest.MonkeyPatch) -> None:
    """Decisions that tell which moves the seat has."""
    right = reading.open_decisions
    monkeypatch.setattr(
        "service.api.moves.open_decisions",
        lambda table, _: [row for seat in range(1, 4) for row in right(table, seat)],
    )


def explains_too_much(monkeypatch: pytest.MonkeyPatch) -> None:
    """A refusal that says what the other seats hold."""

    def check_seat(table: Any, seat: int, player: str | None) -> None:
        if 1 <= seat <= len(table.seats) and table.seats[seat - 1].player != player:
            raise playing.Refused("not-your-seat", f"it holds {table.state.camps[seat - 1].hand}")

    monkeypatch.setattr(playing, "check_seat", check_seat)


def tags_with_the_state(monkeypatch: pytest.MonkeyPatch) -> None:
    """An entity tag made of the whole state."""
    monkeypatch.setattr("service.api.tables.etag", lambda table, _: f'"{hash(table.state)}"')


LEAKS = (shows_a_hand, opens_seals, names_no_readers, lists_the_moves_of_all, explains_too_much, tags_with_the_state)


@pytest.mark.parametrize("plant", LEAKS)
def test_a_planted_leak_is_found(
    world: World, plant: Callable[[pytest.MonkeyPatch], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each in one of the two ways in which worlds are compared."""
    plant(monkeypatch)
    pair = Pair(world, monkeypatch, "manitou", 7)
    one, other = (Seen(side.services, side.id, pair.players) for side in pair.sides)
    watching = 3 - pair.secretive
    found = leaks(without_hashes(one.answers(watching)), without_hashes(other.answers(watching)))
    found += leaks(one.answers(None), twin_of(one, None, 7).answers(None))
    assert found
