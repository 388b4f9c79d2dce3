"""Counts how many recorded decisions a core decides again in a second, for `wintercount impact`."""

import time

from rulings.archive_format import read_columns, read_history
from rulings.rule_change_impact import Impact, impact
from tests import corpus

SECONDS = 2.0  # of each game


def rate(name: str) -> float:
    """Returns the decisions a second of processor time, the reading of lines included."""
    lines, done = corpus.lines_of(name), 0
    history, start = read_history(lines), time.process_time()
    while time.process_time() < start + SECONDS:
        found = impact(read_columns(lines), {}, lambda: history)
        done += found.decisions if isinstance(found, Impact) else 0
    return done / (time.process_time() - start)


def main() -> None:
    """Prints a line for each kind of game."""
    for name in corpus.OF_EACH_GAME:
        print(f"{name}: {rate(name):,.0f} decisions a second")


if __name__ == "__main__":
    main()
