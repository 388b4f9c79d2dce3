"""The register of rulings: every ruling of the documents has cases, in each reading, and the games decide them so."""

import json
from collections.abc import Sequence
from typing import Any

import msgspec
import pytest

from games import GAMES
from games.kernel import Option
from rulings import rulebook
from rulings.casemaking import differences
from rulings.cases import (
    Act,
    Case,
    CaseBroken,
    Given,
    Happened,
    Outcome,
    Script,
    Seen,
    case_files,
    cases,
    decide,
    laid_over,
    read,
    written,
)
from tests.rulings.checking import faults

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
def test_a_case_tells_a_moment_that_the_box_allows(slug: str, name: str) -> None:
    """Every card, tile and token of the box is somewhere, and once."""
    case, game = cases(slug)[name], GAMES[slug]
    began = game.start(case.given.players, game.read_options(case.given.options, case.given.players), Script({})).state
    assert game.census(laid_over(game, began, case.given.state)) == game.census(began)


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
    assert path.read_text(encoding="utf-8") == written(cases(slug)[name]) + "\n"
    assert name.startswith(cases(slug)[name].rule)


# What a case can be wrong in

WEAKER = cases("big-manitou")["BM-R6"]
LOSES, ILLEGAL = WEAKER.then


def told(outcome: Outcome, case: Case = WEAKER) -> list[str]:
    """What is wrong with an outcome of a case."""
    return list(faults("big-manitou", case, outcome))


def test_a_refusal_that_does_not_come_is_told() -> None:
    """Nor one by another rule, nor a refusal where events are expected."""
    assert told(replace(ILLEGAL, options=LOSES.options)) == ["the move is accepted, and not refused by BM-4.5c"]
    assert told(replace(ILLEGAL, refused="BM-4.5b"))[0].startswith("the move is refused: BM-4.5c: ")
    assert told(replace(LOSES, options=ILLEGAL.options))[0].startswith("the move is refused: BM-4.5c: ")


def test_other_events_are_told() -> None:
    """Of the types named one too few, one too many, another order, and one that must not come; not others besides."""
    trial = LOSES.events[-1]
    played = Happened("CardPlayed")
    types = "the events are ['CardPlayed', 'TrialOfStrengthResolved']"
    for events in ((trial, trial), (trial, played), (Happened("TurnPassed"),)):
        assert told(replace(LOSES, events=events)) == [types]
    assert told(replace(LOSES, without=("CardPlayed",))) == [types]
    assert told(replace(LOSES, without=("TurnPassed",))) == []
    parts: tuple[tuple[Happened, ...], ...] = ((played, trial), (played,), (trial,), ())
    for part in parts:
        assert told(replace(LOSES, events=part)) == []


def test_other_fields_are_told() -> None:
    """A field that the event has not, another value, and other readers."""
    for payload, word in (
        ({"relation": "identical"}, "TrialOfStrengthResolved: relation is defender_beats"),
        ({"colour": "red"}, "TrialOfStrengthResolved: colour is UNSET"),
    ):
        assert told(replace(LOSES, events=(Happened("TrialOfStrengthResolved", payload),))) == [word]
    assert told(replace(LOSES, events=(Happened("CardPlayed", readers={"card": [2]}),))) == [
        "CardPlayed: its readers are {}"
    ]


@pytest.mark.parametrize(
    ("seen", "fault"),
    [
        (Seen(None, "/grounds/0/sides/0/cards/0/card", "scout-1"), []),
        (Seen(2, "/hand/7"), []),
        (Seen(None, "/hunt", 2), ["seat None sees at /hunt 1"]),
        (Seen(None, "/hunt"), ["seat None sees at /hunt 1"]),
        (Seen(1, "/no/place", 1), ["seat 1 sees at /no/place nothing"]),
    ],
)
def test_another_view_is_told(seen: Seen, fault: list[str]) -> None:
    """What a seat sees at a place, or that there is nothing."""
    assert told(replace(LOSES, seen=(seen,))) == fault


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
        decide(GAMES["big-manitou"], replace(WEAKER, given=given), {})


@pytest.mark.parametrize("data", [b"", b"{}", b"[]", b'{"rule": "BM-R6", "cases": []}', b"\xff"])
def test_a_file_that_holds_no_case_is_refused(data: bytes) -> None:
    """With a word on what is wrong with it."""
    with pytest.raises(CaseBroken):
        read(data)


def test_luck_is_as_it_lies_but_for_what_is_named() -> None:
    """Each draw of a kind has its own; what is named and cannot be drawn is passed over."""
    script = Script({"deal": [["d", "a"], ["x"]]})
    assert script("deal", "abcd", 3) == ("d", "a", "b")
    assert script("deal", "abcd", 2) == ("a", "b")
    assert script("deal", "abcd", 1) == ("a",)
    assert script("roll", [1, 2], 2) == (1, 2)


@pytest.mark.parametrize(
    ("was", "now", "places"),
    [
        ({"a": 1}, {"a": 1}, {}),
        ({"a": 1, "b": [1, 2]}, {"a": 2, "b": [1]}, {"/a": 2, "/b": [1]}),
        ({"a": {"b": None}}, {"a": {"b": None, "c": 3}}, {"/a/c": 3}),
        ({"a": {"b": 1, "c": 2}}, {"a": {"b": 1}}, {"/a": {"b": 1}}),
        ({"a": [{"b": 1}, {"b": 2}]}, {"a": [{"b": 1}, {"b": 3}]}, {"/a/1/b": 3}),
        ({"a": [{"b": 1}]}, {"a": []}, {"/a": []}),
        ({"a": [[], ["x"]]}, {"a": [["y"], ["x"]]}, {"/a/0": ["y"]}),
        ({"a": 1}, {"a": True}, {"/a": True}),
    ],
)
def test_a_state_is_told_by_what_is_otherwise(was: Any, now: Any, places: dict[str, Any]) -> None:
    """By places, as deep as the two are of one shape."""
    assert dict(differences(was, now)) == places


def lines(value: Any) -> Sequence[str]:
    """A value as it is written, line by line."""
    return written(value).splitlines()


def test_what_fits_stands_on_one_line() -> None:
    """Long lists of words are filled into lines, other things have a line each; nothing is wider than 120."""
    long = [f"hunter-{number}" for number in range(30)]
    assert lines({"a": [1, 2]}) == ['{"a": [1, 2]}']
    assert lines({"a": long, "b": 1})[1] == ' "a": ['
    assert len(lines({"a": long, "b": 1})) == 4 + 5
    rows = [{"word": word} for word in long]
    assert lines(rows)[1] == ' {"word": "hunter-0"},'
    for value in ({"a": long, "b": 1}, rows, {"a": {"b": rows, "c": long}}):
        assert json.loads(written(value)) == value
        assert max(map(len, lines(value))) <= 120
