"""Golden analyses: decisions of ten games of the corpus, a line each, are evaluated as recorded, byte for byte.

`python -m tests.worker.test_golden_analyses` renews the files; read the diff like code. What changes them without
another version of the player that values, or other thresholds, is a fault.
"""

from pathlib import Path

import msgspec
import pytest
from tqdm import tqdm

from tests.corpus import history_of
from worker.analysis.evaluating import Effort
from worker.analysis.finished import decisions, evaluate_decision

SEVERAL, EFFORT = 7, Effort(2, 3)
FOLDER = Path(__file__).parent / "golden_analyses"
GAMES = [
    "manitou-3-online",
    "big-manitou-2-uniform",
    "big-manitou-3-uniform",
    "big-manitou-4-greedy",
    "big-manitou-5-disputed",
    "manitou-2-greedy",
    "tomahawk-2-greedy",
    "plenty-coups-4-defaults",
    "plenty-coups-5-to-unallied",
    "plenty-coups-6-individual",
]


def file_of(name: str) -> Path:
    """Where the analysis of a game is kept."""
    return FOLDER / f"{name}.jsonl"


def quick_analysis(name: str) -> bytes:
    """Decisions from all over a game of the corpus, with little effort."""
    history = history_of(name)
    found = list(decisions(history))
    rows = [evaluate_decision(history.table.id, row, EFFORT) for row in found[:: len(found) // SEVERAL]]
    return msgspec.json.Encoder().encode_lines(rows)


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_an_analysis_is_what_it_was(name: str) -> None:
    """Whatever machine works it out, and whenever."""
    assert quick_analysis(name) == file_of(name).read_bytes()


def test_every_golden_file_belongs_to_a_game() -> None:
    """None is left of a game that is not analysed any more."""
    assert sorted(FOLDER.iterdir()) == sorted(map(file_of, GAMES))


if __name__ == "__main__":
    for game in tqdm(GAMES, unit="game"):
        file_of(game).write_bytes(quick_analysis(game))
