"""Time travel's own work on one core: decisions taken again, and archives verified."""

from collections.abc import Callable
from functools import partial

from benchmarks.engine import Luck
from benchmarks.figures import Aim, Figures, Size
from benchmarks.log import row_of, taken
from benchmarks.play import handler_on, people, play_to
from events.envelopes import chain_faults
from events.verify import archive_faults
from rulings.archive_format import lines
from rulings.replay import replay
from tests.memory_log import MemoryLog

REPEATS = 4  # of each, times the rounds


def audit(_: str, size: Size) -> Figures:
    """Events a second of each, over one table of Big Manitou."""
    handler = handler_on(MemoryLog())
    history = handler.history(play_to(handler, people(), size.events, Luck(1)).id)
    archive, count = list(lines(history, None, over=True)), len(history.events)
    asked: dict[str, Callable[[], object]] = {
        "decided again": partial(replay, history),
        "chain and seals, as the service checks them": lambda: list(chain_faults(history.events)),
        "an archive, by the verifier of one file": lambda: list(archive_faults(archive)),
    }
    repeats = REPEATS * size.rounds
    rows = [row_of(name, count * repeats, [taken(call) for _ in range(repeats)]) for name, call in asked.items()]
    aims = [
        Aim("events decided again a second", rows[0]["events/s"], 10_000, yard="plain"),
        Aim("events verified a second", min(row["events/s"] for row in rows[1:]), 60_000, yard="records"),
    ]
    return Figures(
        "Decision again, and verified", f"A table of {count} events; one call after the other on one core.", rows, aims
    )
