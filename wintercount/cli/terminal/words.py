"""The words of the terminal in a language: cards from the games, kinds of move from the page, the rest in `phrases`."""

import json
import os
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from games import GAMES
from rulings.sentences import card_name, move_words, name_of

PHRASES, PAGE = Path(__file__).parent / "phrases", Path(__file__).parents[3] / "page/static/i18n"
LANGUAGES = ("en", "fr")
LOCALE = ("LC_ALL", "LC_MESSAGES", "LANG")  # the first that is set counts


def language_of(environment: Mapping[str, str] = os.environ) -> str:
    """Returns the language of the locale; English if there are no words in it."""
    said = next((environment[name] for name in LOCALE if environment.get(name)), "")
    return next((language for language in LANGUAGES if said.startswith(language)), LANGUAGES[0])


class Words:
    """The words of one language."""

    def __init__(self, language: str) -> None:
        self.language = language
        self._phrases = _read(PHRASES / f"{language}.json")
        self._page = _read(PAGE / f"{language}.json")

    def say(self, phrase: str, **figures: Any) -> str:
        """Returns a phrase of the terminal."""
        return self._phrases[phrase].format(**figures)

    def field(self, name: str) -> str:
        """Returns the name of a field of a view, or of a column of points."""
        found = (self._phrases.get(f"field.{name}"), self._page.get(f"word.{name}"), self._page.get(f"score.{name}"))
        return next((word for word in found if word and "{" not in word), plain(name))

    def title(self, game: str) -> str:
        """Returns the title of a game."""
        return self._page.get(f"title.{game}", game)

    def phase(self, name: str) -> str:
        """Returns the name of a phase."""
        return self._page.get(f"phase.{name}", plain(name))

    def kind_of_move(self, kind: str) -> str:
        """Returns the name of a kind of move: 'Lay a card'."""
        return self._page.get(f"move.{kind}", plain(kind).capitalize())

    def asked_for(self, kind: str, count: int) -> str:
        """Returns the sentence that asks for so many cards: 'Choose 7 cards for your party'."""
        number = "one" if count == 1 else "other"
        sentence = self._page.get(f"prompt.{kind}.{number}", self._page.get(f"prompt.{kind}"))
        return (sentence or self.kind_of_move(kind)).replace("{n}", str(count))

    def sentence_of(self, game: str, move: Mapping[str, Any]) -> str:
        """Returns a move in a sentence, or its fields for a game that is not installed here."""
        if game in GAMES:
            return move_words(game, move, self.language)
        kind = self.kind_of_move(move["type"])
        fields = ", ".join(f"{plain(name)} {value}" for name, value in move.items() if name != "type")
        return self.say("labelled", label=kind, text=fields) if fields else kind

    def namer(self, game: str) -> Callable[[str], str]:
        """Returns the function from a card, a tile or a word of the game to its readable name."""
        if game not in GAMES:
            return plain

        def named(word: str) -> str:
            card = card_name(game, word, self.language)
            name = card if card != word else name_of(game, word, self.language)
            return name if name != plain(word) else self._page.get(f"word.{word}", name)

        return named


@cache
def words_in(language: str | None) -> Words:
    """Returns the words of a language, by default that of the locale."""
    return Words(language or language_of())


def _read(path: Path) -> dict[str, str]:
    found: dict[str, str] = json.loads(path.read_text(encoding="utf-8"))
    return found


def plain(word: str) -> str:
    """Returns a name in snake_case with spaces."""
    return word.replace("_", " ")
