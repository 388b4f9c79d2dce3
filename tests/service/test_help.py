"""Help in plain words: every piece, option, ruling, rule and refusal of every game has some, in both languages."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import games.big_manitou.components as big_manitou
import games.manitou.components as manitou
import games.plenty_coups.components as plenty_coups
import games.tomahawk.components as tomahawk
from games import GAMES
from rulings import rulebook
from service.page import ASSETS
from tests.test_rule_ids import refusals
from wintercount.testing.laws import declared_rules

GOLDEN = Path(__file__).parents[1] / "games" / "golden"
LANGUAGES = ("en", "fr")
PLACES = {
    "big-manitou": "ground hand pile reserve party discards bag cylinder.totem cylinder.horse",
    "manitou": "ground hand pile reserve party prisoner herd.small herd.large",
    "tomahawk": "territory pile hand heap.pile heap.cemetery supply scalp slot",
    "plenty-coups": "camp herd plain raid display pile discards hand proposal gift disdain",
}
each = pytest.mark.parametrize(("slug", "language"), [(slug, language) for slug in GAMES for language in LANGUAGES])


def help_of(slug: str, language: str) -> dict[str, Any]:
    """The words as the page loads them."""
    words: dict[str, Any] = json.loads(ASSETS[f"help/{slug}.{language}.json"].content)
    return words


def kinds(slug: str) -> set[str]:
    """Every kind of card and tile of a game, as the page names it."""
    cards: dict[str, set[str]] = {
        "big-manitou": {*big_manitou.BEATS, "hunter", "bison", "tipi", "horse", "totem", "tomahawk"},
        "manitou": {*manitou.BEATS, "hunter", "buffalo", "hide-thief"},
        "tomahawk": {
            "warrior",
            *(special.name for special in tomahawk.BALANCED_1.specials),
            *tomahawk.SPECIES,
            *tomahawk.SPECIES.values(),
            "puma",
            "gathering",
        },
        "plenty-coups": {re.sub(r"-(\w+-)?\d$", "", face) for face in plenty_coups.COPIES},
    }
    return cards[slug] | {*PLACES[slug].split()}


@pytest.mark.fault
@each
def test_a_card_has_one_name(slug: str, language: str) -> None:
    """In the help, on the card, in sentences and when it is spoken; the help may add what kind of piece it is."""
    texts, pieces = json.loads(ASSETS[f"i18n/{language}.json"].content), help_of(slug, language)["pieces"]
    for kind in kinds(slug) & pieces.keys():
        found = {texts[key].lower() for key in (f"card.{kind}", f"word.{kind}", f"spoken.{kind}") if key in texts}
        assert len(found) < 2, (kind, found)
        assert all(name in pieces[kind]["name"].lower() for name in found), (kind, found)


@each
def test_every_piece_says_what_it_does(slug: str, language: str) -> None:
    pieces = help_of(slug, language)["pieces"]
    assert kinds(slug) <= pieces.keys()
    assert all(piece["name"] and len(piece["text"]) > 10 for piece in pieces.values())


@each
def test_every_figure_of_the_scores_says_what_it_counts(slug: str, language: str) -> None:
    """As the rows of a finished game have them, under the names that the sheet gives them."""
    pieces = help_of(slug, language)["pieces"]
    row = next(rows[0] for rows in map(rows_at_the_end, GOLDEN.glob(f"{slug}/*.json")) if rows)
    figures = {name for name, value in row.items() if type(value) is int} - {"seat", "rank"}
    assert {f"score.{name}" for name in figures} == {name for name in pieces if name.startswith("score.")}


def rows_at_the_end(path: Path) -> list[dict[str, Any]]:
    """The scores with which a golden game ends."""
    events = json.loads(path.read_text(encoding="utf-8"))["events"]
    return next((list(event["payload"]["scores"]) for event in events if event["type"] == "GameEnded"), [])


@each
def test_every_option_and_value_has_words(slug: str, language: str) -> None:
    options = help_of(slug, language)["options"]
    assert list(options) == [option.name for option in GAMES[slug].options]
    for option in GAMES[slug].options:
        values = {str(value).lower() if isinstance(value, bool) else str(value) for value in option.values}
        assert values <= options[option.name]["values"].keys(), option.name
        assert options[option.name]["title"]
        assert options[option.name]["text"]


@each
def test_every_ruling_and_every_rule_that_decides_has_plain_words(slug: str, language: str) -> None:
    rules = help_of(slug, language)["rules"]
    assert (rulebook.rulings(slug).keys() | declared_rules(slug)) - rules.keys() == set()
    assert rules.keys() - rulebook.rules(slug).keys() == set()
    assert all(rule["title"] and rule["text"] for rule in rules.values())


@each
def test_every_refusal_says_why_in_plain_words(slug: str, language: str) -> None:
    assert help_of(slug, language)["refusals"].keys() == refusals(slug)


@each
def test_every_word_of_a_recorded_ruling_is_known(slug: str, language: str) -> None:
    """Kinds of events, fields and reasons, as they occur in the golden games; ids of cards are drawn."""
    found, page = help_of(slug, language), json.loads(ASSETS[f"i18n/{language}.json"].content)
    known = found["words"].keys() | found["pieces"].keys() | {key[5:] for key in page if key.startswith("word.")}
    assert {word for event in decided(slug) for word in words_of(event)} - known == set()


def decided(slug: str) -> Iterator[dict[str, Any]]:
    """The adjudications of a game's golden games."""
    for path in sorted((GOLDEN / slug).glob("*.json")):
        events = json.loads(path.read_text(encoding="utf-8"))["events"]
        yield from (event for event in events if "rules" in event["payload"])


def words_of(event: dict[str, Any]) -> Iterator[str]:
    """What the page shows as a word of an adjudication."""
    yield event["type"]
    yield from inside({name: value for name, value in event["payload"].items() if name != "rules"})


def inside(value: Any) -> Iterator[str]:
    """Names and words in a value; an id has a digit, but a group of warriors is none."""
    if isinstance(value, dict):
        yield from value
        for each_value in value.values():
            yield from inside(each_value)
    elif isinstance(value, list):
        for item in value:
            yield from inside(item)
    elif isinstance(value, str) and (not re.search(r"\d", value) or re.fullmatch(r"warrior-\d", value)):
        yield value


@pytest.mark.parametrize("slug", GAMES)
def test_both_languages_help_with_the_same_things(slug: str) -> None:
    english, french = (shape(help_of(slug, language)) for language in LANGUAGES)
    assert english == french


def shape(value: Any) -> Any:
    """The names in it, without the texts."""
    return {name: shape(item) for name, item in value.items()} if isinstance(value, dict) else type(value)


TOLD = {"plenty-coups": {f"PC-{rule}" for rule in ("5.3", "4.39", "4.55", "4.73", "4.88", "4.95", "4.102")}}


@pytest.mark.fault
@pytest.mark.parametrize("slug", GAMES)
def test_the_rules_pages_have_the_same_parts_pictures_and_rules_in_both_languages(slug: str) -> None:
    """And name no rule that the rulebook lacks, but those that players missed."""
    english, french = (ASSETS[f"rules/{slug}.{language}.md"].content.decode() for language in LANGUAGES)
    cited = re.compile(r"\[([A-Z]{2}-[\dR][\d.]*[a-z]?)\]")
    pictures = re.compile(r"^!\[.+\]\((.+)\)$", re.MULTILINE)
    for pattern in (cited, pictures, re.compile(r"^(#+) ", re.MULTILINE), re.compile(r"^(-|\d\.|\|)", re.MULTILINE)):
        assert pattern.findall(english) == pattern.findall(french)
    assert TOLD.get(slug, set()) <= set(cited.findall(english)) <= rulebook.rules(slug).keys()
    assert len(pictures.findall(english)) >= 3
