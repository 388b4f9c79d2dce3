"""Every decision of the recorded games with its legal moves, a line each: what the page's composer is driven over."""

from collections.abc import Iterator

import msgspec

from service.tables.reading import open_decisions
from tests import corpus


def decisions(name: str) -> Iterator[bytes]:
    """The decisions of a recorded game as the API gives them, with the name of the game; none twice."""
    history = corpus.history_of(name)
    seen: set[bytes] = set()
    for table in history.walk(1, history.table.version):
        for decision in table.decisions:
            (row,) = open_decisions(table, decision.seat)
            moves = msgspec.json.encode(row["moves"])
            if moves not in seen:
                seen.add(moves)
                yield msgspec.json.encode({"game": table.opened.game, **row})
