"""Words in a language: names of cards, moves and events as sentences, set as each language is printed."""

import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

from jinja2 import StrictUndefined, Template
from jinja2.sandbox import SandboxedEnvironment

from events.lifecycle import TYPES as LIFECYCLE_TYPES
from games import GAMES

NARROW = "\u202f"
_APOSTROPHE = re.compile(r"(?<=\w)'(?=\w|\{\{)")
_BEFORE = re.compile(r" (?=[:;?»]|!(?!=))")  # `!=` is an operator in a template
_AFTER = re.compile(r"(?<=«) ")


def french(text: str) -> str:
    """A French text, or the template of one, as it is printed."""
    return _AFTER.sub(NARROW, _BEFORE.sub(NARROW, _APOSTROPHE.sub("’", text)))


SETTERS = {"fr": french}


def typeset(value: Any, language: str) -> Any:
    """The texts in `value`, a text or a table of texts, as the language prints them."""
    setter = SETTERS.get(language)
    if setter is None:
        return value
    if isinstance(value, dict):
        return {name: typeset(item, language) for name, item in value.items()}
    return setter(value)


LANGUAGES = ("en", "fr")
TABLE = ""  # stands for the events that tables of every game have


class Grammar(NamedTuple):
    """The few words that the filters themselves need."""

    seat: str
    seats: str
    nobody: str
    nothing: str
    conjunction: str


GRAMMAR = {
    "en": Grammar("seat", "seats", "nobody", "none", "and"),
    "fr": Grammar("place", "places", "personne", "aucune", "et"),
}


def sentence(game: str, event_type: str, payload: Mapping[str, Any], language: str) -> str:
    """What an event says, on one line, out of as much of its payload as the reader has."""
    source = TABLE if event_type in LIFECYCLE_TYPES else game
    return _one_line(_template(source, language, "events", event_type).render(payload))


def explanation(game: str, event_type: str, payload: Mapping[str, Any], language: str) -> str:
    """How an adjudication came about, in one or several lines; for any other event its sentence."""
    if event_type not in vocabulary(game, language)["rulings"]:
        return sentence(game, event_type, payload, language)
    text = _template(game, language, "rulings", event_type).render(payload)
    return "\n".join(line for line in map(_one_line, text.splitlines()) if line)


def move_words(game: str, move: Mapping[str, Any], language: str) -> str:
    """What a move, or a summary of moves, asks for, on one line."""
    fields = {name: value for name, value in move.items() if name != "type"}
    return _one_line(_template(game, language, "moves", move["type"]).render(fields))


def name_of(game: str, word: str, language: str) -> str:
    """The readable name of a word of the rules (a reason, a hero, a relation)."""
    names: dict[str, str] = vocabulary(game, language)["names"]
    return names.get(word, word.replace("_", " "))


def card_name(game: str, card: str, language: str) -> str:
    """The readable name of a card or tile: by its id, else by the longest stem of it and what is left of the id."""
    names: dict[str, str] = vocabulary(game, language)["names"]
    stem, rest = card, ""
    while stem not in names:
        shorter = re.fullmatch(r"(.+)-([^-]+)", stem)
        if not shorter:
            return card
        stem, rest = shorter[1], f"-{shorter[2]}{rest}"
    return f"{names[stem]} {rest[1:]}".strip()


@cache
def vocabulary(game: str, language: str) -> dict[str, dict[str, str]]:
    """The four tables of words of a game, or of `TABLE`; raises `KeyError` for an unknown language."""
    if language not in LANGUAGES:
        raise KeyError(language)
    source = files(GAMES[game].package if game != TABLE else "events") / "words" / f"{language}.toml"
    written = tomllib.loads(source.read_text(encoding="utf-8")) if source.is_file() else {}
    return {"events": {}, "rulings": {}, "moves": {}, "names": {}, **typeset(written, language)}


@cache
def _template(game: str, language: str, table: str, key: str) -> Template:
    templates = vocabulary(game, language)[table]
    return _environment(game, language).from_string(templates[key] if templates else _plain(key))


def _plain(key: str) -> str:
    """How a game without words for it is told: `StoneKept` or `keep_stone`, and nothing of what they hold."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])|_", " ", key).capitalize()


@cache
def _environment(game: str, language: str) -> SandboxedEnvironment:
    """Where the templates of a game and language are rendered: plain text, so nothing is escaped here."""
    environment = SandboxedEnvironment(
        undefined=StrictUndefined, autoescape=False, trim_blocks=True, lstrip_blocks=True
    )
    environment.filters |= _filters(game, language)
    return environment


def _filters(game: str, language: str) -> dict[str, Callable[..., str]]:
    grammar = GRAMMAR[language]

    def card(card_id: str) -> str:
        return card_name(game, card_id, language)

    def cards(card_ids: Sequence[str]) -> str:
        return ", ".join(map(card, card_ids)) or grammar.nothing

    def seats(numbers: Sequence[int]) -> str:
        if not numbers:
            return grammar.nobody
        listed = _listed([str(number) for number in numbers], grammar.conjunction)
        return f"{grammar.seat if len(numbers) == 1 else grammar.seats} {listed}"

    def name(word: str) -> str:
        return name_of(game, word, language)

    return {"card": card, "cards": cards, "seats": seats, "name": name}


def _listed(items: Sequence[str], conjunction: str) -> str:
    """`1`, `1 and 3`, `1, 2 and 3`."""
    if len(items) == 1:
        return items[0]
    return f"{', '.join(items[:-1])} {conjunction} {items[-1]}"


def _one_line(text: str) -> str:
    return re.sub(r"[^\S\u202f]+", " ", text).strip(" ")  # a narrow no-break space is meant
