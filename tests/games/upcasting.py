"""Games told in the first form of their events: what upcasters make of them."""

import json
from collections.abc import Collection, Iterator, Mapping
from functools import reduce
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import replace

from games.kernel import AnyGame
from tests import corpus
from tests.games.spec import event_from
from tests.games.test_golden import FOLDER

Added = Mapping[str, Collection[str]]  # by type of event, the fields that came with the second form


def golden(game: AnyGame) -> list[Path]:
    """The golden games."""
    return sorted((FOLDER / game.slug).glob("*.json"))


def events_of(game: AnyGame, path: Path) -> list[Any]:
    """The events of a golden game."""
    rows = json.loads(path.read_text(encoding="utf-8"))["events"]
    return [event_from(row["type"], row["payload"], game.kinds[row["type"]]) for row in rows]


def told(game: AnyGame, path: Path) -> Iterator[tuple[Any, str, dict[str, Any]]]:
    """The events of a golden game: the state before each, its type and its payload."""
    state = None
    for row in json.loads(path.read_text(encoding="utf-8"))["events"]:
        yield state, row["type"], row["payload"]
        state = game.evolve(state, event_from(row["type"], row["payload"], game.kinds[row["type"]]))


def upcast_as_told(game: AnyGame, added: Added, state: Any, name: str, payload: dict[str, Any]) -> None:
    """An event of the first form gets what it left out, as it is told today, and is left alone itself."""
    then = {field: value for field, value in payload.items() if field not in added[name]}
    kept = dict(then)
    assert game.upcasters[name, 1](state, then) == payload
    assert then == kept


def earlier_forms(game: AnyGame) -> set[tuple[str, int]]:
    """Every form that an event had before that of today."""
    return {(name, form) for name, kind in game.kinds.items() for form in range(1, kind.schema)}


def states_of(name: str) -> str:
    """A digest of the states of a recorded table, at every version."""
    history, digest = corpus.history_of(name), sha256()
    for table in history.walk(1, history.table.version):
        digest.update(msgspec.json.encode(table.state) + b"\n")
    return digest.hexdigest()[:16]


def recorded_then(game: AnyGame) -> set[str]:
    """The recorded tables with events of an earlier form."""
    return {
        name
        for name in corpus.NAMES
        if corpus.history_of(name).table.opened.game == game.slug
        and any((e.envelope.type, e.envelope.schema) in game.upcasters for e in corpus.history_of(name).events)
    }


class Unread:
    """House rules that nobody may look at."""

    def __getattr__(self, name: str) -> Any:
        raise AssertionError(f"evolve read the option {name}")


def reads_no_option(game: AnyGame, path: Path) -> None:
    """The events of a golden game lead to the same state when the house rules cannot be read."""
    first, *others = events_of(game, path)
    seen = reduce(game.evolve, others, game.evolve(None, first))
    unseen = reduce(game.evolve, others, game.evolve(None, replace(first, options=Unread())))
    assert replace(unseen, options=seen.options) == seen
