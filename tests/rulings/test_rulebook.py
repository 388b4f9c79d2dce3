"""The rulebook finds every rule of every document under its id, with its own text and no more."""

import re

import pytest

from games import GAMES
from rulings import rulebook

SLUGS = sorted(GAMES)
MENTIONED = r"{prefix}-(?:[RE]\d+|\d+\.\d+[a-z]?)\b"


def prefix(slug: str) -> str:
    return next(iter(rulebook.rules(slug)))[:2]


@pytest.mark.parametrize("slug", SLUGS)
def test_every_id_that_a_document_mentions_is_a_rule_of_it(slug: str) -> None:
    mentioned = re.findall(MENTIONED.format(prefix=prefix(slug)), rulebook.document(slug))
    assert set(mentioned) <= set(rulebook.rules(slug))


@pytest.mark.parametrize("slug", SLUGS)
def test_every_rule_has_a_text_and_stands_in_a_section(slug: str) -> None:
    for rule_id, rule in rulebook.rules(slug).items():
        assert rule.id == rule_id
        assert rule.text.strip() == rule.text != ""
        assert re.match(r"\d+\. ", rule.section) or rule.section == ""
        assert "\n#" not in rule.text
        assert not rule.text.endswith("---")


@pytest.mark.parametrize("slug", SLUGS)
def test_a_rule_ends_where_the_next_one_begins(slug: str) -> None:
    for rule in rulebook.rules(slug).values():
        others = [match["id"] for match in rulebook.BOLD.finditer(rule.text)]
        assert all(other.startswith(rule.id) for other in others), (rule.id, others)


@pytest.mark.parametrize("slug", SLUGS)
def test_every_ruling_has_a_question_and_a_default(slug: str) -> None:
    rulings = rulebook.rulings(slug)
    assert list(rulings) == [f"{prefix(slug)}-R{number}" for number in range(1, len(rulings) + 1)]
    assert all(ruling.question and ruling.default for ruling in rulings.values())


@pytest.mark.parametrize("slug", SLUGS)
def test_the_worked_examples_are_numbered_from_one(slug: str) -> None:
    examples = rulebook.examples(slug)
    assert list(examples) == [f"{prefix(slug)}-E{number}" for number in range(1, len(examples) + 1)]


def test_a_paragraph_keeps_its_bullets_and_a_bullet_stands_alone() -> None:
    whole, part = rulebook.rule("big-manitou", "BM-5.4"), rulebook.rule("big-manitou", "BM-5.4b")
    assert whole.title == "Trial of strength"
    assert "BM-5.4a One hero" in whole.text
    assert "`TrialOfStrengthResolved`: `hunt`" in whole.text
    assert part.text.startswith("(`contest: pair`), the sacrifice.")
    assert part.text.endswith('`pair_attack_weaker: "illegal"`).')


def test_a_table_below_a_rule_belongs_to_it() -> None:
    assert "| `chief` | `rainmaker`, `scout`, `sorcerer` | `matriarch` |" in rulebook.rule("big-manitou", "BM-1.5").text


def test_a_refusal_in_a_table_row() -> None:
    assert rulebook.rule("big-manitou", "BM-4.1c").text == "the game is over"


def test_a_refusal_within_a_paragraph() -> None:
    assert rulebook.rule("big-manitou", "BM-4.2b").text == "a card appears twice"
    assert rulebook.rule("big-manitou", "BM-4.7b").text == "it lies there already"


def test_two_rules_in_one_bullet() -> None:
    assert rulebook.rule("plenty-coups", "PC-4.46").text == "One or two cards, all weapons."


def test_a_lettered_bullet() -> None:
    assert rulebook.rule("tomahawk", "TO-5.3a").text.startswith("`sky_power`: its value becomes")


def test_a_worked_example_ends_before_the_next_heading() -> None:
    example = rulebook.rule("tomahawk", "TO-E23")
    assert example.title == "One judgement in full"
    assert example.text.endswith("```")


def test_a_ruling_row() -> None:
    ruling = rulebook.rulings("big-manitou")["BM-R19"]
    assert ruling.question == "Several seats tie for most tomahawks; nobody has any."
    assert ruling.default.startswith("Nobody scores")
    assert ruling.alternatives == '`tomahawk_tie`: `"all"`'
    assert rulebook.rulings("big-manitou")["BM-R3"].alternatives == ""


def test_a_row_of_who_sees_what_labels_its_cells() -> None:
    rule = rulebook.rule("big-manitou", "BM-7.3")
    assert rule.title == "a seat's party"
    assert rule.text.endswith("*public when*: game over")


@pytest.mark.parametrize("slug", ["chess", "../rules/big-manitou", "README", ""])
def test_an_unknown_game_has_no_rules(slug: str) -> None:
    with pytest.raises(KeyError):
        rulebook.rule(slug, "BM-1.1")


def test_an_unknown_id_is_not_a_rule() -> None:
    with pytest.raises(KeyError):
        rulebook.rule("big-manitou", "BM-9.9")
