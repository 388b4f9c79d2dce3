"""What the terminal says, in a language: names of cards from the games' words, kinds of move from the page's.

What the terminal alone says is in `phrases`; there too are the fields of views that the page has no word for.
"""

import json
import os
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from games import GAMES
from rulings.words import card_name, move_words, name_of

PHRASES, PAGE = Path(__file__).parent / "phrases", Path(__file__).parents[3] / "page/static/i18n"
LANGUAGES = ("en", "fr")
LOCALE = ("LC_ALL", "LC_MESSAGES", "LANG")  # the first that says something counts


def language_of(environment: Mapping[str, str] = os.environ) -> str:
    """The language of a shell by its locale; English for any that there are no words in."""
    said = next((environment[name] for name in LOCALE if environment.get(name)), "")
    return next((language for language in LANGUAGES if said.startswith(language)), LANGUAGES[0])


class Words:
    """The words of one language."""

    def __init__(self, language: str) -> None:
        self.language = language
        self._phrases = _read(PHRASES / f"{language}.json")
        self._page = _read(PAGE / f"{language}.json")

    def say(self, phrase: str, **figures: Any) -> str:
        """A phrase of the terminal's own."""
        return self._phrases[phrase].format(**figures)

    def field(self, name: str) -> str:
        """What a field of a view, or a column of points, is called."""
        found = (self._phrases.get(f"field.{name}"), self._page.get(f"word.{name}"), self._page.get(f"score.{name}"))
        return next((word for word in found if word and "{" not in word), plain(name))

    def title(self, game: str) -> str:
        """What a game is called."""
        return self._page.get(f"title.{game}", game)

    def phase(self, name: str) -> str:
        """What a phase of a game is called."""
        return self._page.get(f"phase.{name}", plain(name))

    def kind_of_move(self, kind: str) -> str:
        """What a kind of move is called: 'Lay a card'."""
        return self._page.get(f"move.{kind}", plain(kind).capitalize())

    def asked_for(self, kind: str, count: int) -> str:
        """The sentence that asks for a choice of so many cards: 'Choose 7 cards for your party'."""
        number = "one" if count == 1 else "other"
        sentence = self._page.get(f"prompt.{kind}.{number}", self._page.get(f"prompt.{kind}"))
        return (sentence or self.kind_of_move(kind)).replace("{n}", str(count))

    def sentence_of(self, game: str, move: Mapping[str, Any]) -> str:
        """What a move does, in a sentence; its fields, for a game that is not installed here."""
        if game in GAMES:
            return move_words(game, move, self.language)
        kind = self.kind_of_move(move["type"])
        fields = ", ".join(f"{plain(name)} {value}" for name, value in move.items() if name != "type")
        return self.say("labelled", label=kind, told=fields) if fields else kind

    def namer(self, game: str) -> Callable[[str], str]:
        """What gives the readable name of a card, a tile or a word of the game."""
        if game not in GAMES:
            return plain

        def named(word: str) -> str:
            card = card_name(game, word, self.language)
            name = card if card != word else name_of(game, word, self.language)
            return name if name != plain(word) else self._page.get(f"word.{word}", name)

        return named


@cache
def words_in(language: str) -> Words:
    """The words of a language."""
    return Words(language)


def _read(path: Path) -> dict[str, str]:
    found: dict[str, str] = json.loads(path.read_text(encoding="utf-8"))
    return found


def plain(word: str) -> str:
    """A name as programs write it, as people do."""
    return word.replace("_", " ")
