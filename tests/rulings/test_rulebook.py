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


TEXTS = {  # of each place where a rule may stand
    "a paragraph with bullets": ("BM-5.4", "BM-5.4a One hero"),
    "a bullet": ("BM-5.4b", '^\\(`contest: pair`\\), the sacrifice\\.(.|\\n)*`pair_attack_weaker: "illegal"`\\)\\.$'),
    "a table below": ("BM-1.5", r"\| `chief` \| `rainmaker`, `scout`, `sorcerer` \| `matriarch` \|"),
    "a row": ("BM-4.1c", "^the game is over$"),
    "within a paragraph": ("BM-4.2b", "^a card appears twice$"),
    "one of two in a bullet": ("PC-4.46", "^One or two cards, all weapons.$"),
    "a lettered bullet": ("TO-5.3a", "^`sky_power`: its value becomes"),
    "an example": ("TO-E23", "```$"),
    "who sees what": ("BM-7.3", r"\*public when\*: game over$"),
}


@pytest.mark.parametrize("where", TEXTS)
def test_a_rule_has_its_own_text(where: str) -> None:
    rule_id, text = TEXTS[where]
    slug = next(slug for slug in SLUGS if prefix(slug) == rule_id[:2])
    assert re.search(text, rulebook.rule(slug, rule_id).text)


def test_rules_and_examples_have_titles() -> None:
    titles = {"BM-5.4": "Trial of strength", "BM-7.3": "a seat's party"}
    assert {rule_id: rulebook.rule("big-manitou", rule_id).title for rule_id in titles} == titles
    assert rulebook.rule("tomahawk", "TO-E23").title == "One judgement in full"
