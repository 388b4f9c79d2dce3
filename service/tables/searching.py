"""What AI players searched for the moves of a table: it costs as much to compute them again."""

from events.recorded import Recorded
from projections.history import History
from service.tables.recheck.ai_moves import of_ai


def iterations_of(event: Recorded) -> int:
    """The iterations that an AI player had for the move that an event begins; the oldest tell only those it used."""
    used = of_ai(event)
    return int(used.get("budget", used.get("iterations", 0)))


def iterations_at(history: History, version: int) -> int:
    """Those for the move that led to the event of a version; 0 where none did, or if there is no such version."""
    if not 1 <= version <= history.table.version:
        return 0
    first, _ = history.events[version - 1].envelope.batch
    return iterations_of(history.events[first - 1])


def most_iterations(history: History, moves: int) -> int:
    """What so many moves of a table had together, if they are those that had most."""
    return sum(sorted(map(iterations_of, history.events))[-moves:])
