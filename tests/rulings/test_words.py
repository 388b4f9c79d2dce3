"""Every event, adjudication and move of every game has words, in every language, for every reader."""

from collections.abc import Callable

import pytest

from games import GAMES
from games.kernel import snake_case
from games.payloads import event_type
from rulings import sentences as words
from wintercount.testing.words import everything_reads_well, read_by_all

GAMES_AND_LANGUAGES = [(slug, language) for slug in GAMES for language in words.LANGUAGES]
in_words = pytest.mark.parametrize(("slug", "language"), GAMES_AND_LANGUAGES)


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
def test_every_event_and_move_is_told_to_everybody(slug: str, language: str) -> None:
    everything_reads_well(slug, language)


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
