"""Recomputes AI moves: what a player considered, and whether it would choose the same again.

This is possible only when the game is over: before, the seed of a choice and what the player saw are secret.
"""

import hashlib
from collections.abc import Iterator
from typing import Any

import msgspec

from events.canonical import canonical
from events.envelopes import Recorded
from projections.history import TableHistory
from projections.table import Table
from service.errors import Refused
from worker.ai_process import CutOff, Question, budget, think_here
from worker.play_turn import Think
from worker.players import PLAYERS, Candidate, Chosen

replace = msgspec.structs.replace

SAMPLED = 3  # AI moves that an audit recomputes
SAMPLE_COST = 1.0  # their total cost, in searches of an expert
MOST_SHOWN = 100  # candidates, the best first

MEANINGS = {  # of the candidates' values, by player
    "uniform": "how likely the entry was; every entry of the list of legal moves is equally likely",
    "novice": "points by the rule of thumb of the greedy player, each misjudged by luck",
    "greedy": "points by the rule of thumb of the greedy player",
    "search": "the mean reward of the visits, from 0 to 1",
}


class Weighed(msgspec.Struct, frozen=True):
    """A move that the player considered, the number of times it tried it, and its value."""

    move: Any
    visits: int
    value: float


class Computed(msgspec.Struct, frozen=True):
    """The recomputed choice of the player, and the moves that it considered, the best first."""

    move: Any
    iterations: int
    weighed: int
    candidates: tuple[Weighed, ...]


class Explanation(msgspec.Struct, frozen=True):
    """An AI player's move: who made it, from which version and seed, and the result of recomputing it.

    `same` is null if it cannot be recomputed; `detail` is the result in words, `meaning` explains the values.
    """

    table: str
    version: int
    seat: int
    ai: dict[str, Any]
    seen: int
    seed: str
    recorded: Any
    meaning: str | None
    computed: Computed | None = None
    same: bool | None = None
    detail: str = ""


def explain(history: TableHistory, version: int, think: Think = think_here) -> Explanation:
    """Explains the AI move that caused an event; raises `Refused` for other events, or before the game is over."""
    table = history.table
    if not 1 <= version <= table.version:
        raise Refused("no_such_version", f"the table has the versions 1 to {table.version}")
    first = history.events[history.events[version - 1].envelope.batch[0] - 1]
    if not _is_choice(first):
        raise Refused("no_ai_move", f"event {version} was not caused by an AI's move")
    if not table.over:
        raise Refused("table_not_over", "an AI's choice can be explained when the game is over", version=table.version)
    return _explained(history, first, think)


def _is_choice(event: Recorded) -> bool:
    return "ai" in event.envelope.by and {"move", "ai_seed"} <= event.envelope.secrets.keys()


def _explained(history: TableHistory, event: Recorded, think: Think) -> Explanation:
    player = player_of(event)
    found = Explanation(
        table=history.table.id,
        version=event.version,
        seat=event.envelope.by["seat"],
        ai=maker_of(event),
        seen=maker_of(event)["seen"],
        seed=event.sealed["ai_seed"].value,
        recorded=event.sealed["move"].value,
        meaning=MEANINGS.get(player[0]),
    )
    if player not in PLAYERS:
        return replace(found, detail=f"version {player[1]} of the player {player[0]} no longer exists")
    try:
        computed = _computed(think(_question(history, event)))
    except CutOff as cut_off:
        same = False if cut_off.why == "failed" else None  # it fails every time, so it cannot have chosen the move
        return replace(found, same=same, detail=f"asked again, the player was cut off: {cut_off.why}")
    same = canonical([computed.move, computed.iterations]) == canonical([found.recorded, found.ai["iterations"]])
    detail = f"asked again, the player chooses {'the recorded move' if same else 'another move'}"
    return replace(found, computed=computed, same=same, detail=detail)


def _computed(chosen: Chosen) -> Computed:
    candidates = chosen.candidates or (Candidate(chosen.move, 0, 0.0),)  # a player without a choice lists none
    rows = candidates[:MOST_SHOWN]
    weighed = tuple([Weighed(msgspec.to_builtins(row.move), row.visits, row.value) for row in rows])
    return Computed(msgspec.to_builtins(chosen.move), chosen.iterations, len(candidates), weighed)


def maker_of(event: Recorded) -> dict[str, Any]:
    """Returns the AI that made a move, and its effort, which is sealed while the game is running."""
    made: dict[str, Any] = event.envelope.by["ai"] | event.sealed["ai_used"].value
    return made


def player_of(event: Recorded) -> tuple[str, int]:
    """Returns the player that made a move, and its version."""
    maker = maker_of(event)
    return maker["player"], maker["version"]


def _question(history: TableHistory, event: Recorded) -> Question:
    seat, made = event.envelope.by["seat"], maker_of(event)
    table: Table = history.at(made["seen"])
    view, feed = table.game.view(table.state, seat), history.feed(seat, until=made["seen"])
    return Question(player_of(event), table.opened.game, view, feed, event.sealed["ai_seed"].value, made["budget"])


class Sample(msgspec.Struct, frozen=True):
    """A sample of recomputed AI moves: the versions checked, and those that came out differently.

    Of all AI `moves`, `gone` were made by player versions that no longer exist.
    """

    moves: int
    gone: int
    checked: tuple[int, ...]
    different: tuple[int, ...]


def sample(history: TableHistory, think: Think = think_here, most: int = SAMPLED, cost: float = SAMPLE_COST) -> Sample:
    """Recomputes at most `most` AI moves within a cost; which ones is unpredictable while the game is running."""
    choices = [event for event in history.events if _is_choice(event)]
    there = [event for event in choices if player_of(event) in PLAYERS]
    picked = list(_picked(history, there, most, cost)) if history.table.over else []
    found = [row for event in picked if (row := _explained(history, event, think)).same is not None]
    different = tuple([row.version for row in found if not row.same])
    return Sample(len(choices), len(choices) - len(there), tuple([row.version for row in found]), different)


def _picked(history: TableHistory, choices: list[Recorded], most: int, cost: float) -> Iterator[Recorded]:
    head, expert = history.table.head.hash, budget("expert", history.table.opened.game) or 1
    choices = sorted(choices, key=lambda event: hashlib.sha256(head + event.hash).digest())
    for event in choices:
        iterations = maker_of(event)["budget"]
        if most and iterations <= cost * expert:
            most, cost = most - 1, cost - iterations / expert
            yield event
