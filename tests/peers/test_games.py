"""What the peers are given to do is done by the rules; where they are installed, by `make peers`."""

import random
from pathlib import Path
from typing import Any

import pytest

from benchmarks import research
from benchmarks.engine import Luck
from benchmarks.peers import nodes
from events.memory import MemoryLog

INSTALLED = Path(".venv/peers")


@pytest.fixture(autouse=True)
def _installed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Peers are found in their folders."""
    for folder in sorted(INSTALLED.glob("*/")):
        monkeypatch.syspath_prepend(folder)


with_node = pytest.mark.skipif(not nodes.INSTALLED.exists(), reason="make peers installs boardgame.io")


@pytest.fixture
def aggregates() -> Any:
    """The aggregates of the library."""
    pytest.importorskip("eventsourcing")
    from benchmarks.peers import aggregates as found

    return found


def test_an_aggregate_plays_the_same_game(aggregates: Any, tmp_path: Path) -> None:
    """To its end, read anew from SQLite before each move; what is read is what was played."""
    sqlite = {"PERSISTENCE_MODULE": "eventsourcing.sqlite", "SQLITE_DBNAME": str(tmp_path / "tables.sqlite")}
    app, luck = aggregates.Tables(sqlite), Luck(1)
    table_id = app.open(2, luck)
    while aggregates.RULES.to_act(app.repository.get(table_id).state):
        app.play(table_id, *aggregates.chosen(app, table_id, luck), luck)
    ended = app.repository.get(table_id)
    assert ended.version > aggregates.EVENTS
    assert app.repository.get(table_id).state == ended.state
    assert aggregates.RULES.scores(ended.state)


@pytest.mark.parametrize("kept", [False, True])
def test_commands_begin_at_200_events(aggregates: Any, kept: bool) -> None:
    """On both sides each command appends to as many."""
    log = MemoryLog()
    name = aggregates.prepared(log, Luck(1))
    assert aggregates.EVENTS <= log.head(name).version < aggregates.EVENTS + 10
    app = aggregates.Tables(aggregates.CACHED if kept else {})
    opened = app.repository.get(aggregates.opened(app, Luck(1)))
    assert aggregates.EVENTS <= opened.version < aggregates.EVENTS + 10


def test_a_game_of_chess_is_replayed_to_any_position() -> None:
    """By its moves and by its PGN."""
    pytest.importorskip("chess")
    import chess.pgn

    from benchmarks.peers import positions

    game = positions.game_of(positions.VERSIONS, random.Random(1))
    assert positions.chess_walk(game.move_stack) == positions.VERSIONS
    assert positions.chess_read(str(chess.pgn.Game.from_board(game))) == positions.VERSIONS
    plies = positions.at_random(1)
    assert {next(plies) for _ in range(5000)} == set(range(1, positions.VERSIONS + 1))


@pytest.mark.parametrize("name", research.OPENSPIEL)
def test_a_game_of_openspiel_is_played_to_its_end(name: str) -> None:
    """Each step is a player's; chance is none's."""
    pyspiel = pytest.importorskip("pyspiel")
    assert research.openspiel_play(pyspiel.load_game(name))(random.Random(1)) > 0


@with_node
@pytest.mark.slow
@pytest.mark.parametrize("is_kept", [False, True])
def test_a_match_of_boardgame_io_is_played_to_its_end(is_kept: bool, tmp_path: Path) -> None:
    """In as many moves as is told of it; a seat sees its own hand and bid alone."""
    with nodes.server(tmp_path if is_kept else None) as url, nodes.driver(url) as driver:
        assert driver.ask(open="tolerant", matches=1) == {"matches": 1}
        found = driver.ask(whole=True)
    assert found["moves"] == 168
    assert any(tmp_path.iterdir()) is is_kept
    assert len(found["points"]) == 4
    assert found["seen"] == [[seat] for seat in "0123"]


ONCE = """
const { Match } = require("./match");
const told = (seat) => new Promise((resolve) => {
  seat.socket.once("sync", (_, { state }) => resolve(state));
  seat.socket.emit("sync", seat.match.id, seat.id, seat.credentials, 4);
});
Match.open(process.argv[1], process.argv[2]).then(async (match) => {
  match.seats.forEach((seat) => seat.send("bid", 3));
  for (const seat of match.seats) await told(seat);
  const states = await Promise.all(match.seats.map(told));
  console.log(states.map(({ G }, seat) => G.bids !== null || G.players[seat].bid === 3));
  process.exit();
});
"""  # sends each choice once, and looks who has chosen


@with_node
@pytest.mark.slow
@pytest.mark.parametrize(("game", "accepted"), [("tolerant", 4), ("strict", 1)])
def test_a_choice_made_before_others_arrived(game: str, accepted: int) -> None:
    """Is taken where the game says so, and refused by default: then one of four is accepted."""
    with nodes.server() as url, nodes.node("-e", ONCE, url, game) as child:
        told, _ = child.communicate(timeout=30)
    assert told.count("true") == accepted
    assert told.count("false") == 4 - accepted


@with_node
@pytest.mark.slow
@pytest.mark.parametrize(("game", "requests"), [("tolerant", 12), ("strict", 30)])
def test_choices_at_once_are_all_accepted_in_the_end(game: str, requests: int) -> None:
    """Three matches of four seats; of those refused, one fewer is sent again each time."""
    with nodes.server() as url, nodes.driver(url) as driver:
        driver.ask(open=game, matches=3)
        found = driver.ask(bid=True)
    assert (found["accepted"], len(found["latencies"])) == (12, 3)
    assert found["sent"] <= requests
    assert (found["sent"] == 12) is (game == "tolerant")
    assert set(nodes.versions()) == {"Node.js", "boardgame.io", "node-persist", "socket.io-client"}
