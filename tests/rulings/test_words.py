"""Every event, adjudication and move of every game is put into words, in every language, for whoever reads it."""

import random
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import pytest
from jinja2 import UndefinedError

from games import GAMES
from games.kernel import as_read, snake_case
from games.payloads import event_type, payload_of
from rulings import words
from tests.games.laws import Played, plain
from tests.games.random_play import spread_options

GAMES_AND_LANGUAGES = [(slug, language) for slug in GAMES for language in words.LANGUAGES]
in_words = pytest.mark.parametrize(("slug", "language"), GAMES_AND_LANGUAGES)


@cache
def games_of(slug: str) -> list[Played]:
    """A few games that between them have seen every house rule."""
    game = GAMES[slug]
    return [
        Played(game, players, options, seed=players)
        for players in game.players
        for options in spread_options(game, random.Random(players))
    ]


@cache
def read_by_all(slug: str) -> list[tuple[str, dict[str, Any]]]:
    """Events of those games as somebody reads them, each different set of fields and values of a type once."""
    found: dict[str, tuple[str, dict[str, Any]]] = {}
    for played in games_of(slug):
        for event, readers in zip(played.events, played.readers, strict=True):
            for read in [event, *(as_read(event, readers, seat) for seat in played.observers)]:
                payload = plain(payload_of(read))
                found.setdefault(outline(payload, event_type(type(event))), (event_type(type(event)), payload))
    return list(found.values())


def outline(payload: dict[str, Any], name: str) -> str:
    """What a template may distinguish: which fields there are, which are null or empty, and which words they hold."""
    parts = sorted(f"{key}={value if isinstance(value, str | bool) else bool(value)}" for key, value in payload.items())
    return f"{name} {' '.join(parts)} {payload.get('rules')}"


@in_words
def test_every_type_of_event_and_move_has_its_words(slug: str, language: str) -> None:
    vocabulary, game = words.vocabulary(slug, language), GAMES[slug]
    assert set(vocabulary) == {"events", "rulings", "moves", "names"}
    assert set(vocabulary["events"]) == {event_type(event) for event in game.events}
    assert set(vocabulary["rulings"]) == {event_type(e) for e in game.events if "rules" in e.__struct_fields__}
    assert set(vocabulary["moves"]) == {snake_case(move.__name__) for move in game.moves}


@pytest.mark.parametrize("slug", GAMES)
def test_the_languages_name_the_same_things(slug: str) -> None:
    first, *others = (words.vocabulary(slug, language) for language in words.LANGUAGES)
    for other in others:
        assert {table: set(entries) for table, entries in other.items()} == {t: set(e) for t, e in first.items()}


@in_words
def test_every_event_is_told_to_everybody(slug: str, language: str) -> None:
    for name, payload in read_by_all(slug):
        said = words.sentence(slug, name, payload, language)
        assert said, name
        assert_reads_well(said)
        explained = words.explanation(slug, name, payload, language)
        assert_reads_well(explained)
        assert len(explained) >= len(said) or "rules" in payload


@in_words
def test_every_move_is_put_into_words(slug: str, language: str) -> None:
    for played in games_of(slug):
        for move in {type(step.move): step.move for step in played.steps[1:]}.values():
            assert_reads_well(words.move_words(slug, plain(move), language))


def assert_reads_well(text: str) -> None:
    """A text has no trace of what it was made from."""
    for trace in ("{{", "{%", "}}", "None", "Undefined", "True", "False", "['", "[]", "  "):
        assert trace not in text, (trace, text)
    assert text[-1:] in {".", "!", "?", ":"} or text == text.strip() != ""


@pytest.mark.parametrize("slug", GAMES)
def test_french_leaves_no_word_untranslated(slug: str, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: set[str] = set()
    monkeypatch.setattr(words, "name_of", noting(words.name_of, asked))
    words._environment.cache_clear()
    words._template.cache_clear()
    for name, payload in read_by_all(slug):
        words.explanation(slug, name, payload, "fr")
        words.sentence(slug, name, payload, "fr")
    assert asked - set(words.vocabulary(slug, "fr")["names"]) == set()


def noting(look_up: Callable[[str, str, str], str], asked: set[str]) -> Callable[[str, str, str], str]:
    def noted(game: str, word: str, language: str) -> str:
        asked.add(word)
        return look_up(game, word, language)

    return noted


def words_file(monkeypatch: pytest.MonkeyPatch, **tables: dict[str, str]) -> None:
    """Puts tables of words in the place of a game's file."""
    empty: dict[str, dict[str, str]] = {"events": {}, "rulings": {}, "moves": {}, "names": {}}

    def vocabulary(game: str, language: str) -> dict[str, dict[str, str]]:
        return empty | tables

    monkeypatch.setattr(words, "vocabulary", vocabulary)
    words._environment.cache_clear()
    words._template.cache_clear()


@pytest.fixture(autouse=True)
def _fresh_templates() -> Iterator[None]:
    yield
    words._environment.cache_clear()
    words._template.cache_clear()


def test_a_hidden_field_is_undefined(monkeypatch: pytest.MonkeyPatch) -> None:
    template = "Seat {{ seat }} draws{% if cards is defined %} {{ cards | cards }}{% else %} {{ count }}{% endif %}."
    words_file(
        monkeypatch, events={"CardsDrawn": template, "Careless": "{{ cards | cards }}"}, names={"hunter": "hunter"}
    )
    full = {"seat": 2, "count": 2, "cards": ["hunter-7", "hunter-5-1"]}
    assert words.sentence("a-game", "CardsDrawn", full, "en") == "Seat 2 draws hunter 7, hunter 5-1."
    assert words.sentence("a-game", "CardsDrawn", {"seat": 2, "count": 2}, "en") == "Seat 2 draws 2."
    with pytest.raises(UndefinedError):
        words.sentence("a-game", "Careless", {"seat": 2, "count": 2}, "en")


@pytest.mark.parametrize(
    ("language", "seats", "said"),
    [
        ("en", [], "nobody"),
        ("en", [2], "seat 2"),
        ("en", [1, 3], "seats 1 and 3"),
        ("fr", [], "personne"),
        ("fr", [1, 2, 4], "places 1, 2 et 4"),
    ],
)
def test_seats_are_listed(monkeypatch: pytest.MonkeyPatch, language: str, seats: list[int], said: str) -> None:
    words_file(monkeypatch, events={"Tied": "{{ seats | seats }}"})
    assert words.sentence("a-game", "Tied", {"seats": seats}, language) == said


@pytest.mark.parametrize(
    ("card", "said"),
    [("chief-1", "Chief 1"), ("bison-3-2", "Bison (3) 2"), ("u3", "u3"), ("horse", "Horse"), ("b-9-x", "b-9-x")],
)
def test_a_card_is_named_by_its_longest_stem(monkeypatch: pytest.MonkeyPatch, card: str, said: str) -> None:
    names = {"chief": "Chief", "bison": "Bison", "bison-3": "Bison (3)", "horse": "Horse"}
    words_file(monkeypatch, events={"CardPlayed": "{{ card | card }}"}, names=names)
    assert words.sentence("a-game", "CardPlayed", {"card": card}, "en") == said


def test_an_explanation_keeps_its_lines_and_a_sentence_has_one(monkeypatch: pytest.MonkeyPatch) -> None:
    template = "Seat  1 has 5.\n\n   Seat 2 has\t4.\n"
    words_file(monkeypatch, events={"Judged": template}, rulings={"Judged": template})
    assert words.sentence("a-game", "Judged", {}, "en") == "Seat 1 has 5. Seat 2 has 4."
    assert words.explanation("a-game", "Judged", {}, "en") == "Seat 1 has 5.\nSeat 2 has 4."


def test_what_is_no_adjudication_is_explained_by_its_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    words_file(monkeypatch, events={"HuntStarted": "Hunt {{ hunt }} begins."})
    assert words.explanation("a-game", "HuntStarted", {"hunt": 2}, "en") == "Hunt 2 begins."


def test_a_template_cannot_reach_into_the_program(monkeypatch: pytest.MonkeyPatch) -> None:
    words_file(monkeypatch, events={"Sly": "{{ ''.__class__.__mro__ }}"})
    with pytest.raises(Exception, match="__class__"):
        words.sentence("a-game", "Sly", {}, "en")


def test_an_unknown_language_or_type_is_a_key_error() -> None:
    slug = next(iter(GAMES))
    with pytest.raises(KeyError):
        words.sentence(slug, "GameStarted", {}, "de")
    with pytest.raises(KeyError):
        words.sentence(slug, "GameStopped", {}, "en")


@pytest.mark.parametrize("kind", [{}, {"kind": "decision"}])
def test_a_clock_for_each_decision_is_told_whether_its_kind_is_named(kind: dict[str, str]) -> None:
    """Some records name it."""
    opened = {"players": 2, "clock": {"decision_s": 60, **kind}}
    assert words.sentence("tomahawk", "TableOpened", opened, "en").endswith("with 60 seconds for each decision.")
