"""Every event, adjudication and move of every game has words, in every language, for every reader."""

import random
from collections.abc import Callable
from functools import cache
from typing import Any

import pytest

from games import GAMES
from games.kernel import snake_case
from games.payloads import as_read, event_type, payload_of
from rulings import sentences as words
from wintercount.testing.played import Played, plain
from wintercount.testing.playing import spread_options

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
