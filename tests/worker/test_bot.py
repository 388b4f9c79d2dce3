"""Our own players as bots: over the public API alone they see what they see in the house, and play whole games."""

import contextlib
import os
import random
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from games import GAMES
from projections.history import TableHistory
from service.levels import LEVELS
from tests.long import long_but_for
from tests.servers import wait_until
from tests.service.api.world import Somebody, World, embedded_store
from tests.service.web import serving
from wintercount.processes.dispatcher_process import project_until
from worker.ai_process import Question
from worker.bot import Bot
from worker.client import Api
from worker.players import require_module

PATIENCE_S = 120.0
BUDGET = {"manitou": 24, "big-manitou": 24, "tomahawk": 24, "plenty-coups": 10}
EXAMPLE = Path(__file__).parent.parent.parent / "examples" / "bot.py"
QUICK_GAMES = {"manitou", "tomahawk"}
whole_games = pytest.mark.parametrize("game", long_but_for(QUICK_GAMES.__contains__, GAMES, is_slow="manitou".__eq__))


@pytest.fixture(scope="module")
def world() -> Iterator[World]:
    with embedded_store() as url, contextlib.closing(World(url)) as found:
        yield found


@pytest.fixture(scope="module")
def address(world: World) -> Iterator[str]:
    """A web server, with a lobby that is kept up to date."""
    stop = threading.Event()
    handler = world.services.handler
    projecting = threading.Thread(target=project_until, args=(stop, handler.log, handler.cache))
    projecting.start()
    with serving(world.url) as found:
        yield found
    stop.set()
    projecting.join()


def account(world: World, name: str) -> Somebody:
    """A bot's account."""
    made = world.nobody.post("/v1/players", {"name": name, "bot": True}).json
    return Somebody(world.app, made["id"], made["token"]["secret"])


@contextlib.contextmanager
def playing(address: str, *bots: tuple[Somebody, Any]) -> Iterator[None]:
    """Bots at work, until the block ends."""
    stop, failed = threading.Event(), list[BaseException]()

    def work(somebody: Somebody, level: Any) -> None:
        try:
            Bot(Api(address, somebody.token), level).run(stop)
        except BaseException as error:
            failed.append(error)
            raise

    threads = [threading.Thread(target=work, args=bot, daemon=True) for bot in bots]
    for thread in threads:
        thread.start()
    yield
    stop.set()
    assert failed == []


def history(world: World, table: str) -> TableHistory:
    return world.services.handler.history(table)


@pytest.mark.slow
@whole_games
def test_bots_play_a_whole_game(world: World, address: str, game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """One that searches against one that does not, in every game, to its end; both are marked as bots."""
    monkeypatch.setitem(require_module("search", game).ITERATIONS, "expert", BUDGET[game])
    one, two = account(world, "search"), account(world, "greedy")
    with playing(address, (one, LEVELS["expert"]), (two, LEVELS["greedy"])):
        table = world.open(one, two, game=game)
        wait_until(lambda: history(world, table).table.over, PATIENCE_S)
    ended = history(world, table)

    assert ended.table.closed == "game_over"
    assert all(seat.bot for seat in ended.table.seats)
    assert all("ai" not in event.envelope.by for event in ended.events)


@pytest.mark.slow
def test_a_command_plays_as_a_bot(world: World, address: str) -> None:
    """`wintercount bot` sits down at a table, plays it, and ends when it is told to."""
    ann = account(world, "Ann")
    seats = [{"kind": "me"}, {"kind": "open"}]
    table = ann.post("/v1/tables", {"game": "manitou", "seats": seats}).json["id"]
    bot = [sys.executable, "-m", "wintercount", "bot", "--level", "greedy"]
    command = [*bot, "--server", address, "--sit", table, "2"]
    environment = {name: value for name, value in os.environ.items() if name != "WINTERCOUNT_TOKEN"}
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=environment) as process:
        assert process.stdout is not None
        assert process.stdout.readline().startswith(b"WINTERCOUNT_TOKEN=wc_")
        with playing(address, (ann, LEVELS["uniform"])):
            wait_until(lambda: history(world, table).table.over, PATIENCE_S)
        process.terminate()
        assert process.wait(10) == 0


@whole_games
def test_the_example_plays_a_whole_game(world: World, address: str, game: str) -> None:
    """Two of it, each with a seat of its own, in fewer than a hundred lines."""
    assert len(EXAMPLE.read_text(encoding="utf-8").splitlines()) < 100
    ann = account(world, "Ann")
    table = ann.post("/v1/tables", {"game": game, "seats": [{"kind": "me"}, {"kind": "open"}]}).json["id"]
    command = [sys.executable, str(EXAMPLE), address]
    bare = {name: value for name, value in os.environ.items() if name != "WINTERCOUNT_TOKEN"}
    with (
        subprocess.Popen(command, env=bare | {"WINTERCOUNT_TOKEN": str(ann.token)}) as one,
        subprocess.Popen([*command, table, "2"], env=bare, stdout=subprocess.DEVNULL) as two,
    ):
        wait_until(lambda: history(world, table).table.over, PATIENCE_S)
        running = one.poll(), two.poll()
        one.kill()
        two.kill()
    assert running == (None, None)


@pytest.mark.slow
@pytest.mark.parametrize("game", long_but_for({"manitou", "big-manitou"}.__contains__, GAMES))
def test_a_bot_sees_what_a_seat_in_the_house_sees(world: World, address: str, game: str) -> None:
    """View and feed out of the API are, at every decision, those that an AI seat would be handed."""
    players = [world.somebody("Ann"), world.somebody("Bob")]
    table = world.open(*players, game=game)
    bots = [Bot(Api(address, player.token), LEVELS["greedy"]) for player in players]
    rng = random.Random(3)
    for _ in range(40):
        moved = world.move(table, rng)
        if moved is None:
            break
        seat, move = moved
        known = history(world, table)
        decision = known.table.decision_of(seat)
        assert decision
        asked = bots[seat - 1].question(bots[seat - 1].api.get(f"/v1/tables/{table}"), decision.public_id)
        assert asked == Question(
            ("greedy", 2), game, known.table.game.view(known.table.state, seat), known.feed(seat), asked.seed, 0
        )
        body = world.moving(table, seat, move)
        assert players[seat - 1].post(f"/v1/tables/{table}/moves", body).status_code == 200


def test_what_was_undone_is_not_in_the_feed(world: World, address: str) -> None:
    """Play that was taken back never was."""
    ann, bob = world.somebody("Ann"), world.somebody("Bob")
    table = world.open(ann, bob, game="manitou")
    world.play(table, ann, bob, moves=8, seed=4)
    mover = history(world, table).events[-1].envelope.by["seat"]
    one, other = (ann, bob) if mover == 1 else (bob, ann)
    asked = one.post(f"/v1/tables/{table}/offers", {"kind": "takeback", "seat": mover}).json
    if asked["offer"]:
        body = {"seat": 3 - mover, "agrees": True}
        other.post(f"/v1/tables/{table}/offers/{asked['offer']['id']}/answer", body)
    known = history(world, table)
    assert "PlayTakenBack" in {event.envelope.type for event in known.events}

    bot = Bot(Api(address, one.token), LEVELS["greedy"])
    assert bot.question(bot.api.get(f"/v1/tables/{table}"), "1-1").feed == known.feed(mover)


def test_a_decision_that_is_settled_is_left_alone(world: World, address: str) -> None:
    """A bot that comes too late, or is told twice, plays nothing and falls over nothing."""
    ann, bob = world.somebody("Ann"), world.somebody("Bob")
    table = world.open(ann, bob, game="manitou")
    bot = Bot(Api(address, ann.token), LEVELS["greedy"])
    wait_until(lambda: table in ann.get("/v1/inbox").text)
    frame = next(found for found in bot.api.stream("/v1/inbox") if found and found.data["table"] == table)
    bot.answer(frame)
    played = history(world, table).events
    bot.answer(frame)

    assert len(played) > 0
    assert history(world, table).events == played
