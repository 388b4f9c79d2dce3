"""The games on record are those that the players of today play: figures of strength speak of no others."""

import pytest

from benchmarks.matches import play
from benchmarks.strength import Line, match_of, record, recorded
from service.levels import LEVELS
from tests.long import long_but_for


def one_of_each_pairing() -> list[Line]:
    """The quickest game of each pairing and budget."""
    found: dict[str, Line] = {}
    for row in sorted(record(), key=milliseconds):
        found.setdefault(name_of(row), row)
    return [found[name] for name in sorted(found)]


def milliseconds(row: Line) -> float:
    """What all moves of a game took."""
    return sum(map(sum, row["ms"].values()))


def name_of(row: Line) -> str:
    """A pairing, with its budget where it is not the whole."""
    levels = "-".join(sorted(row["by"], key=lambda name: (row["levels"].count(name), name)))
    return f"{row['game']}-{len(row['levels'])}-{levels}-{row['scale']}"


def is_short(row: Line) -> bool:
    """Whether nobody searches."""
    return not any(LEVELS[name].searches for name in row["by"])


@pytest.mark.slow
@pytest.mark.parametrize("row", long_but_for(is_short, one_of_each_pairing(), name_of))
def test_a_recorded_game_is_played_again_as_it_was(row: Line) -> None:
    """The same places and totals, by levels whose versions and budgets are the same."""
    again = recorded(play(match_of(row)))
    assert {name: again[name] for name in ("by", "ranks", "totals")} == {
        name: row[name] for name in ("by", "ranks", "totals")
    }
