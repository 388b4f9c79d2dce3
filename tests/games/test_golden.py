"""Golden games: recorded luck and moves must give the recorded events, byte for byte.

A file holds the house rules, what luck gave, the moves (each with the number of entries in its list of legal moves) and
every event with its readers, one a line. `python -m tests.games.test_golden` renews all files, with the same luck and
moves where these are still possible; read the diff like code.
"""

import json
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import product
from pathlib import Path
from typing import Any

import msgspec
import pytest

from games import GAMES
from games.kernel import MoveRefused, OptionsRefused, T
from games.payloads import event_type, payload_of
from wintercount.testing.random_games import chance_from, random_move, spread_options

FOLDER = Path(__file__).parent / "golden"
VARIANTS = 2  # the defaults, and one mixture of house rules, for every number of players


class Recorder:
    """Luck that notes what it gave."""

    def __init__(self, rng: random.Random) -> None:
        self.chance = chance_from(rng)
        self.given: list[dict[str, Any]] = []

    def __call__(self, kind: str, population: Sequence[T], count: int) -> tuple[T, ...]:
        outcome = self.chance(kind, population, count)
        self.given.append({"kind": kind, "outcome": outcome})
        return outcome


class Script:
    """Luck that gives what was noted, provided that it is asked for the same and could have given it."""

    def __init__(self, noted: Sequence[dict[str, Any]]) -> None:
        self.noted = iter(noted)

    def __call__(self, kind: str, population: Sequence[T], count: int) -> tuple[T, ...]:
        noted = next(self.noted)
        assert (noted["kind"], len(noted["outcome"])) == (kind, count)
        by_text = {msgspec.json.encode(item): item for item in population}
        outcome = [msgspec.json.encode(item) for item in noted["outcome"]]
        assert not Counter(outcome) - Counter(map(msgspec.json.encode, population)), f"{kind} cannot give this"
        return tuple(by_text[item] for item in outcome)


def recorded(slug: str, players: int, variant: int) -> dict[str, Any]:
    """A random game of a set of house rules: its luck, moves and events."""
    game, rng = GAMES[slug], random.Random(1000 * players + variant)
    options = spread_options(game, rng)[variant]
    luck, moves = Recorder(rng), []
    state = game.start(players, game.read_options(options, players), luck).state
    while seats := game.to_act(state):
        seat = rng.choice(seats)
        move = random_move(game, state, seat, rng)
        moves.append({"seat": seat, "listed": len(game.legal_moves(state, seat)), "move": move})
        state = game.play(state, seat, move, luck).state
    head = {"game": slug, "players": players, "options": options}
    return replayed(msgspec.json.decode(msgspec.json.encode({**head, "luck": luck.given, "moves": moves})))


def replayed(golden: dict[str, Any]) -> dict[str, Any]:
    """The game of the recorded luck and moves, with the events that they give now."""
    game, luck = GAMES[golden["game"]], Script(golden["luck"])
    options = game.read_options(golden["options"], golden["players"])
    turn = game.start(golden["players"], options, luck)
    events, moves = list(written(game, None, turn.events)), []
    for made in golden["moves"]:
        state = turn.state
        moves.append({**made, "listed": len(game.legal_moves(state, made["seat"]))})
        turn = game.play(state, made["seat"], made["move"], luck)
        events += written(game, state, turn.events)
    return {**golden, "moves": moves, "events": events}


def written(game: Any, state: Any, events: Sequence[Any]) -> Iterator[dict[str, Any]]:
    """Events as they stand in the log, with their readers."""
    for event in events:
        yield {"type": event_type(type(event)), "payload": payload_of(event), "readers": game.readers(state, event)}
        state = game.evolve(state, event)


def as_text(golden: dict[str, Any]) -> str:
    """A golden game as JSON, with one outcome, move or event a line."""
    parts = []
    for name, value in golden.items():
        text = msgspec.json.encode(value).decode()
        if isinstance(value, list):
            text = "[\n" + ",\n".join(msgspec.json.encode(item).decode() for item in value) + "\n]"
        parts.append(f"{json.dumps(name)}: {text}")
    return "{\n" + ",\n".join(parts) + "\n}\n"


def games_to_record() -> Iterator[tuple[Path, str, int, int]]:
    for slug, game in GAMES.items():
        for players, variant in product(game.players, range(VARIANTS)):
            yield FOLDER / slug / f"{players}-players-{variant}.json", slug, players, variant


@pytest.mark.parametrize(
    "path", [path for path, *_ in games_to_record()], ids=lambda path: f"{path.parent.name}-{path.stem}"
)
def test_the_recorded_luck_and_moves_give_the_recorded_events(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert as_text(replayed(json.loads(text))).splitlines() == text.splitlines()


def test_every_golden_file_belongs_to_a_game() -> None:
    assert sorted(FOLDER.rglob("*.json")) == sorted(path for path, *_ in games_to_record())


def renewed(path: Path, slug: str, players: int, variant: int) -> dict[str, Any]:
    """The game of a file as it goes now; a new one if there is no file or its luck or moves are no longer possible."""
    try:
        return replayed(json.loads(path.read_text(encoding="utf-8")))
    except (FileNotFoundError, AssertionError, StopIteration, MoveRefused, OptionsRefused):
        return recorded(slug, players, variant)


def renew() -> None:
    """Brings all golden games up to date."""
    for path, slug, players, variant in games_to_record():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(as_text(renewed(path, slug, players, variant)), encoding="utf-8")


if __name__ == "__main__":
    renew()
