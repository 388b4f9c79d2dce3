"""What the terminal calls things: the names of cards from the games' words, the kinds of move from the page's."""

import json
from collections.abc import Callable, Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from games import GAMES
from rulings.words import card_name, move_words, name_of

LANGUAGE = "en"


@cache
def page_words() -> dict[str, str]:
    """The words of the page in English."""
    source = files("service.page").joinpath("static", "i18n", f"{LANGUAGE}.json")
    found: dict[str, str] = json.loads(source.read_text(encoding="utf-8"))
    return found


def kind_of_move(kind: str) -> str:
    """What a kind of move is called: 'Lay a card'."""
    return page_words().get(f"move.{kind}", plain(kind).capitalize())


def asked_for(kind: str, count: int) -> str:
    """The sentence that asks for a number of cards: 'Choose 7 cards for your party'."""
    words = page_words()
    sentence = words.get(f"prompt.{kind}.{'one' if count == 1 else 'other'}", words.get(f"prompt.{kind}"))
    return (sentence or kind_of_move(kind)).replace("{n}", str(count))


def sentence_of(game: str, move: Mapping[str, Any]) -> str:
    """What a move does, in a sentence; its fields, for a game that is not installed here."""
    if game in GAMES:
        return move_words(game, move, LANGUAGE)
    fields = ", ".join(f"{plain(name)} {value}" for name, value in move.items() if name != "type")
    return f"{kind_of_move(move['type'])}: {fields}" if fields else kind_of_move(move["type"])


def namer(game: str) -> Callable[[str], str]:
    """What gives the readable name of a card, a tile or a word of the game."""
    if game not in GAMES:
        return plain

    def named(word: str) -> str:
        card = card_name(game, word, LANGUAGE)
        return card if card != word else name_of(game, word, LANGUAGE)

    return named


def plain(word: str) -> str:
    """A name as programs write it, as people do."""
    return word.replace("_", " ")
