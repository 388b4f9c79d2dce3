"""Cases of the register as people watch them."""

import pytest

from games import GAMES
from rulings.cases import cases
from rulings.register import present_case
from rulings.sentences import LANGUAGES

FILES = [(slug, name) for slug in GAMES for name in cases(slug)]


@pytest.mark.parametrize(("slug", "name"), FILES)
def test_every_case_is_played_in_each_reading(slug: str, name: str) -> None:
    """It begins, each move given is told, and the move in question last, with what happened or what forbids it."""
    case = cases(slug)[name]
    told = present_case(slug, name, "en")
    moves = [None, *case.given.moves, *([case.when] if case.when else [])]
    for outcome, reading in zip(case.then, told["outcomes"], strict=True):
        assert (reading["says"], reading["refused"]) == (outcome.says, outcome.refused)
        assert [moment["seat"] for moment in reading["moments"]] == [act and act.seat for act in moves]
        last = reading["moments"][-1]["happened"]
        assert (last == []) == bool(outcome.refused)
        assert {event.type for event in outcome.events} <= {event["type"] for event in last}


def test_a_case_is_told_in_both_languages() -> None:
    """BM-R6: a hero too weak for a pair falls; where the table forbids it, the move is refused."""
    english, french = (present_case("big-manitou", "BM-R6", language) for language in LANGUAGES)
    first, second = english["outcomes"]
    assert (first["refused"], second["refused"]) == (None, "BM-4.5c")
    assert second["moments"][-1]["words"] == first["moments"][-1]["words"]
    trial = next(event for event in first["moments"][-1]["happened"] if event["type"] == "TrialOfStrengthResolved")
    assert trial["rules"][-1] == "BM-R6"
    assert "falls alone" in trial["explanation"] or "attacker" in trial["explanation"]
    told = french["outcomes"][0]["moments"][-1]["happened"]
    assert any("Épreuve de force" in event["words"] for event in told)


def test_there_is_no_other_case() -> None:
    with pytest.raises(KeyError):
        present_case("big-manitou", "BM-R99", "en")
