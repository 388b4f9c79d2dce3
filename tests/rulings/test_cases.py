"""The register of rulings: every ruling of the documents has cases, in each reading, and the games decide them so."""

import json
from typing import Any

import msgspec
import pytest

from games import GAMES
from games.kernel import Option
from rulings import rulebook
from rulings.cases import (
    Act,
    CaseBroken,
    Given,
    ScriptedLuck,
    case_files,
    cases,
    decide_case,
    format_json,
    parse_case,
    with_places,
)
from rulings.register import present_case
from rulings.sentences import LANGUAGES
from wintercount.testing.case_faults import faults, undisputable

replace = msgspec.structs.replace
FILES = [(slug, name) for slug in GAMES for name in cases(slug)]
READINGS = [
    pytest.param(slug, name, number, id=f"{name}-{number}")
    for slug, name in FILES
    for number in range(len(cases(slug)[name].then))
]
NOT_SHOWN = "not shown"
by_game = pytest.mark.parametrize("slug", GAMES)
by_file = pytest.mark.parametrize(("slug", "name"), FILES)


@pytest.mark.parametrize(("slug", "name", "number"), READINGS)
def test_a_case_is_decided_as_the_register_says(slug: str, name: str, number: int) -> None:
    """Under the house rules of each of its outcomes."""
    case = cases(slug)[name]
    assert list(faults(slug, case, case.then[number])) == []


@by_game
def test_every_ruling_has_a_case_and_every_case_a_rule(slug: str) -> None:
    """So a new ruling needs a case, and one that is gone takes its cases with it. Disputes may be about any rule."""
    shown = {case.rule for case in cases(slug).values()}
    assert set(rulebook.rulings(slug)) <= shown <= set(rulebook.rules(slug))
    assert all(case.dispute for case in cases(slug).values() if case.rule not in rulebook.rulings(slug))


@by_game
def test_every_house_rule_is_shown_in_each_of_its_values(slug: str) -> None:
    """By cases of the ruling that it stems from; and a case varies nothing else."""
    shown: dict[str, list[Any]] = {option.name: [] for option in GAMES[slug].options}
    for case in cases(slug).values():
        for outcome in case.then:
            for name, value in outcome.options.items():
                shown[name].append((case.rule, json.dumps(value)))
    for option in GAMES[slug].options:
        wanted = {(option.ruling, json.dumps(value)) for value in option.values}
        assert wanted <= set(shown[option.name]), option.name


VALUES = [
    pytest.param(slug, option, value, id=f"{option.name}-{value}")
    for slug, game in GAMES.items()
    for option in game.options
    for value in option.values
]


@pytest.mark.parametrize(("slug", "option", "value"), VALUES)
def test_every_value_of_a_house_rule_is_told_from_the_others(slug: str, option: Option, value: Any) -> None:
    """For each other value some case says what would not be so under that one."""
    shown = [
        (case, outcome)
        for case in cases(slug).values()
        for outcome in case.then
        if json.dumps(outcome.options.get(option.name, NOT_SHOWN)) == json.dumps(value)
    ]
    for other in option.values:
        if json.dumps(other) != json.dumps(value):
            varied = [(case, replace(o, options={**o.options, option.name: other})) for case, o in shown]
            assert any(list(faults(slug, case, outcome)) for case, outcome in varied), other


@by_file
def test_what_a_house_rule_decides_can_be_disputed_by_its_ruling(slug: str, name: str) -> None:
    """Where two readings first differ in an event that shows it, one of them cites the ruling, as PC-R14 and PC-R44."""
    assert list(undisputable(GAMES[slug], cases(slug)[name])) == []


@by_file
def test_a_case_tells_a_moment_that_the_box_allows(slug: str, name: str) -> None:
    """Every card, tile and token of the box is somewhere, and once."""
    case, game = cases(slug)[name], GAMES[slug]
    began = game.start(
        case.given.players, game.read_options(case.given.options, case.given.players), ScriptedLuck({})
    ).state
    assert game.census(with_places(game, began, case.given.state)) == game.census(began)


@by_file
def test_every_outcome_can_fail(slug: str, name: str) -> None:
    """It says in words what follows, and in figures what the game has to agree with."""
    for outcome in cases(slug)[name].then:
        assert outcome.says
        assert bool(outcome.refused) != bool(outcome.events or outcome.without or outcome.seen)


@by_file
def test_a_file_is_written_as_cases_are_written(slug: str, name: str) -> None:
    """So that a case made by a command differs from its file in what it says alone."""
    path = next(path for path in case_files(slug) if path.name == f"{name}.json")
    assert path.read_text(encoding="utf-8") == format_json(cases(slug)[name]) + "\n"
    assert name.startswith(cases(slug)[name].rule)


# What a case can be wrong in

WEAKER = cases("big-manitou")["BM-R6"]


@pytest.mark.parametrize(
    "given",
    [
        Given(players=3, state={"/turns": "six"}),
        Given(players=3, state={"/seats/7/hand": []}),
        Given(players=3, state={"/colour": "red"}),
        Given(players=3, state={"turns": 6}),
        Given(players=3, moves=(Act(1, {"type": "pass_turn"}),)),
    ],
)
def test_a_moment_that_the_game_does_not_have_is_refused(given: Given) -> None:
    """A value of another kind, a place that is none, a move that is not legal."""
    with pytest.raises(CaseBroken):
        decide_case(GAMES["big-manitou"], replace(WEAKER, given=given), {})


@pytest.mark.parametrize("data", [b"", b"{}", b"[]", b'{"rule": "BM-R6", "cases": []}', b"\xff"])
def test_a_file_that_holds_no_case_is_refused(data: bytes) -> None:
    """With a word on what is wrong with it."""
    with pytest.raises(CaseBroken):
        parse_case(data)


@by_file
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
