"""French is French: nothing on a page is left in English, and it is set as French is printed."""

import json
import re
import subprocess
from collections.abc import Iterator
from typing import Any

import pytest

from games import GAMES
from rulings import sentences as words
from rulings.sentences import NARROW, french
from service.errors import PROBLEMS
from service.levels import LEVELS
from service.page import ASSETS, FOLDER
from tests.service.test_help import GOLDEN, help_of
from tests.service.test_page import words as page_words
from tools.node import NODE

# What both languages write alike, in small letters; `{}` stands for what is filled in.
SAME = frozenset(
    """10 7 8 9 actions alliance animal api bison bonus camp camps caribou coup coups english expert français goldsieber
    manitou moment occasion page pause phase pile piles points prestige puma raid scalp scalps sections table terrain
    tipi tipis tomahawk tomahawks total totem verdict volume webhooks {} + ± = big plenty branches""".split()  # noqa: SIM905 - shorter than a list of them
)
# Where what is counted is always there: people in a list, players whom a table waits for, events, moves looked at.
NEVER_NOUGHT = {"word", "waiting.title", "verify.holds_of", "dispute.down", "dispute.stands"} | {
    f"review.{name}" for name in ("covers.quick", "covers.deep", "meaning")
}
PAGE_WORDS = FOLDER / "static" / "js" / "i18n.js"
BADLY_SET = re.compile(r"\w'\w| [:;!?»]|« ")


def leaves(value: Any, place: str = "") -> Iterator[tuple[str, str]]:
    """Every text in a table of texts, with its place."""
    if isinstance(value, str):
        yield place, value
    elif isinstance(value, dict):
        for name, item in value.items():
            yield from leaves(item, f"{place}/{name}")


def untranslated(english: Any, french_words: Any) -> list[str]:
    """The places where both languages say the same, though they should not."""
    other = dict(leaves(french_words))
    return [f"{place}: {text}" for place, text in leaves(english) if other[place] == text and not alike(text)]


def alike(text: str) -> bool:
    """Whether French has every word of an English text."""
    return set(re.sub(r"\{\w+\}", "{}", text.lower()).split()) <= SAME


def test_every_word_of_the_page_is_translated() -> None:
    assert untranslated(page_words("en"), page_words("fr")) == []


def test_french_says_one_of_nought_too() -> None:
    """So what is said of one names the number, except where there is always one at least."""
    ones = {key.removesuffix(".one"): text for key, text in page_words("fr").items() if key.endswith(".one")}
    assert {key for key, text in ones.items() if "{n}" not in text} == NEVER_NOUGHT


@pytest.mark.parametrize("slug", GAMES)
def test_every_word_of_help_is_translated(slug: str) -> None:
    assert untranslated(help_of(slug, "en"), help_of(slug, "fr")) == []


@pytest.mark.parametrize("language", words.LANGUAGES)
def test_what_the_service_names_has_a_word_of_the_page(language: str) -> None:
    """Kinds of scores, levels, problems: the page asks for each by its name."""
    asked = {f"score.{name}" for slug in GAMES for name in score_fields(slug)}
    asked |= {f"level.{level}" for level in LEVELS} | {f"level.about.{level}" for level in LEVELS}
    asked |= {f"problem.{code}" for code in PROBLEMS} | {f"title.{slug}" for slug in GAMES}
    assert asked - page_words(language).keys() == set()


def score_fields(slug: str) -> set[str]:
    """The parts of a score that a game tells, as numbers."""
    events = json.loads(next((GOLDEN / slug).glob("*.json")).read_text(encoding="utf-8"))["events"]
    row = events[-1]["payload"]["scores"][0]
    return {name for name, value in row.items() if type(value) is int and name not in ("seat", "rank")}


@pytest.mark.parametrize("slug", [*GAMES, words.TABLE])
def test_sentences_are_set_as_french_is_printed(slug: str) -> None:
    """The templates, that is; what people wrote goes into them as it is."""
    vocabulary = words.vocabulary(slug, "fr")
    assert [
        text for _, text in leaves(vocabulary) if BADLY_SET.search(re.sub(r"\{\{.*?\}\}|\{%.*?%\}", "", text))
    ] == []


def test_a_sentence_keeps_its_no_break_spaces() -> None:
    """They are no white space that may become a plain one."""
    told = words.sentence("big-manitou", "TurnPassed", {"seat": 2, "hand_count": 3, "turn": 4}, "fr")
    assert told == "La place 2 ne peut poser aucune de ses 3 cartes et passe son tour 4."
    told = words.sentence("tomahawk", "CardsKeptHidden", {"turn": 1, "pile": 3, "territory": "p3-1", "slot": 1}, "fr")
    assert told == f"Pile 3{NARROW}: le rang 1 reste caché dans la forêt."


def test_french_typography() -> None:
    """Apostrophes, narrow spaces before high signs and inside quotation marks; operators of a template stay."""
    assert french("L'arbitre : « oui » ; d'{{ card }} !") == (
        f"L’arbitre{NARROW}: «{NARROW}oui{NARROW}»{NARROW}; d’{{{{ card }}}}{NARROW}!"
    )
    assert french("{% if picto != 'none' %}") == "{% if picto != 'none' %}"


def test_the_page_sets_french_likewise() -> None:
    """All French texts that it loads, by its own module."""
    sources = [page_words("fr"), *(help_of(slug, "fr") for slug in GAMES)]
    texts = [text for source in sources for _, text in leaves(source)]
    texts += [ASSETS[f"rules/{slug}.fr.md"].content.decode() for slug in GAMES]
    script = (
        f"import {{ typeset }} from {json.dumps(PAGE_WORDS.as_uri())};"
        "let text = ''; for await (const part of process.stdin) text += part;"
        "console.log(JSON.stringify(typeset(JSON.parse(text), 'fr')));"
    )
    answer = subprocess.run(
        [NODE, "--input-type=module", "-e", script], input=json.dumps(texts), capture_output=True, text=True, check=True
    )
    assert [text for text in json.loads(answer.stdout) if BADLY_SET.search(text)] == []
    assert answer.stdout.count(NARROW) > 100
