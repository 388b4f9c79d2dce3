"""Finds an example of every type of event, in games that are played: `python -m tests.service.api.event_examples`.

`make openapi` runs it. What is found is the same every time.
"""

import json
import random
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from importlib.resources import files
from pathlib import Path
from typing import Any

from events.lifecycle import TYPES
from games import GAMES
from games.kernel import AnyGame, Transition
from games.payloads import event_type, payload_of
from projections.history import TableHistory
from rulings.archive_format import read_history
from tests import corpus
from tests.disputed_tables import ruling_by
from tests.forgeries.stories import archive_of, worker_process
from tests.tables import ANN
from wintercount.testing.random_games import chance_from, random_move, random_options

TARGET = Path(str(files("service.api"))) / "event_examples.json"
MOST_GAMES = 600  # of each game; its rarest event comes in one of some dozens
STORIES = ("clocked", "banked", "left", "voted", "branched")  # at which everything happens that may happen at a table

Row = dict[str, Any]


def examples() -> dict[str, dict[str, Row]]:
    """For every type of event a row: of each game by its name, of the table under `table`."""
    found = {"table": _first(TYPES, _recorded())}
    for slug, game in GAMES.items():
        found[slug] = _first({event_type(event): event for event in game.events}, _played(game))
    return found


def _first(kinds: Mapping[str, Any], rows: Iterable[Row]) -> dict[str, Row]:
    """The first row of each type, in the order of the types."""
    found: dict[str, Row] = {}
    for row in rows:
        if row["type"] in kinds:
            found.setdefault(row["type"], row)
        if len(found) == len(kinds):
            break
    return {type_: found[type_] for type_ in kinds if type_ in found}


def _recorded() -> Iterator[Row]:
    for archive in (*map(corpus.lines_of, corpus.OF_EACH_GAME), *map(archive_of, STORIES)):
        yield from _rows(read_history(archive))
    yield from _rows(_looked())


def _rows(history: TableHistory) -> Iterator[Row]:
    for event in history.events:
        kept = event.envelope
        yield _row(kept.type, kept.schema, event.payload, kept.readers)


def _looked() -> TableHistory:
    """A dispute for which the arbiter looks through a seat."""
    with worker_process("looked") as (court, _):
        table, ruling = court.table_with(ruling_by("MA-5.3"), "manitou", "ann ben")
        dispute = court.dispute(table, ANN, ruling, ruling.envelope.payload["rules"][0])
        return court.look(table, dispute, 2).history


def _played(game: AnyGame) -> Iterator[Row]:
    """Games of every number of players, under other house rules each time but the first ones."""
    made: Counter[str] = Counter()
    for number in range(MOST_GAMES):
        rng, players = random.Random(number), game.players[number % len(game.players)]
        options = random_options(game, rng) if number >= len(game.players) else {}
        chance = chance_from(rng)
        turn: Transition[Any] | None = game.start(players, game.read_options(options, players), chance)
        while turn:
            for before, event, _ in turn.steps:
                yield _row(event_type(event), event.schema, payload_of(event), game.readers(before, event))
            state, turn = turn.state, None
            if acting := game.to_act(state):
                seat = rng.choice(acting)
                turn = game.play(state, seat, _seldom(game, state, seat, made, rng), chance)


def _seldom(game: AnyGame, state: Any, seat: int, made: Counter[str], rng: random.Random) -> Any:
    """A move of a type that was made seldom so far, or else any."""
    moves = [random_move(game, state, seat, rng) for _ in range(4)]
    chosen: Any = min(moves, key=lambda move: made[event_type(move)])
    made[event_type(chosen)] += 1
    return chosen


def _row(type_: str, schema: int, payload: Mapping[str, Any], readers: Mapping[str, Any]) -> Row:
    return {"type": type_, "schema": schema, "payload": payload, "readers": readers}


if __name__ == "__main__":
    TARGET.write_text(json.dumps(examples(), indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
