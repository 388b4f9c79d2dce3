"""What AI players searched for the moves of a table: it costs as much to compute them again."""

from events.recorded import Recorded
from service.tables.recheck.ai_moves import of_ai


def iterations_of(event: Recorded) -> int:
    """The iterations that an AI player had for the move that an event begins; the oldest tell only those it used."""
    used = of_ai(event)
    return int(used.get("budget", used.get("iterations", 0)))
