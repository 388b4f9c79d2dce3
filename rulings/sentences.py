"""Texts in English and French: names of cards, and sentences for moves and events."""

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
    """Applies French typography to a text or a template."""
    return _AFTER.sub(NARROW, _BEFORE.sub(NARROW, _APOSTROPHE.sub("’", text)))


LANGUAGES = ("en", "fr")
TABLE = ""  # stands for the events that tables of every game have


class Grammar(NamedTuple):
    """The words that the filters need."""

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
    """Describes an event on one line, given the part of its payload that the reader may see."""
    source = TABLE if event_type in LIFECYCLE_TYPES else game
    return _one_line(_template(source, language, "events", event_type).render(payload))


def explanation(
    game: str, event_type: str, payload: Mapping[str, Any], language: str, corrected: str | None = None
) -> str:
    """Explains an adjudication in one or several lines; returns the sentence of any other event.

    No rule leads to an outcome that was `corrected` after a dispute: the reason is that given there, or empty.
    """
    if corrected is not None:
        why = _template(TABLE, language, "rulings", "RulingCorrected").render(reason=corrected)
        return f"{sentence(game, event_type, payload, language)}\n{_one_line(why)}"
    if event_type not in vocabulary(game, language)["rulings"]:
        return sentence(game, event_type, payload, language)
    text = _template(game, language, "rulings", event_type).render(payload)
    return "\n".join(line for line in map(_one_line, text.splitlines()) if line)


def move_words(game: str, move: Mapping[str, Any], language: str) -> str:
    """Describes a move, or a summary of moves, on one line."""
    fields = {name: value for name, value in move.items() if name != "type"}
    return _one_line(_template(game, language, "moves", move["type"]).render(fields))


def name_of(game: str, word: str, language: str) -> str:
    """Returns the readable name of a word of the rules (a reason, a hero, a relation)."""
    names: dict[str, str] = vocabulary(game, language)["names"]
    return names.get(word, word.replace("_", " "))


def card_name(game: str, card: str, language: str) -> str:
    """Returns the readable name of a card or tile: by its id, or by the id's longest known stem and the rest."""
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
    """Returns the four tables of words of a game, or of `TABLE`; raises `KeyError` for an unknown language."""
    if language not in LANGUAGES:
        raise KeyError(language)
    source = files(GAMES[game].package if game != TABLE else "events") / "words" / f"{language}.toml"
    try:
        tables = tomllib.loads(source.read_text(encoding="utf-8")) if source.is_file() else {}
    except tomllib.TOMLDecodeError as error:
        error.add_note(f"in {source}")
        raise
    if language == "fr":
        tables = {name: {key: french(text) for key, text in table.items()} for name, table in tables.items()}
    return {"events": {}, "rulings": {}, "moves": {}, "names": {}, **tables}


@cache
def _template(game: str, language: str, table: str, key: str) -> Template:
    templates = vocabulary(game, language)[table]
    return _environment(game, language).from_string(templates[key] if templates else _plain(key))


def _plain(key: str) -> str:
    """Returns the text for a type without a template: `Stone kept` for `StoneKept`."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])|_", " ", key).capitalize()


@cache
def _environment(game: str, language: str) -> SandboxedEnvironment:
    """Returns the environment for a game's templates. They are plain text, so nothing is escaped."""
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
        *others, last = map(str, numbers)
        if not others:
            return f"{grammar.seat} {last}"
        return f"{grammar.seats} {', '.join(others)} {grammar.conjunction} {last}"

    def name(word: str) -> str:
        return name_of(game, word, language)

    return {"card": card, "cards": cards, "seats": seats, "name": name}


def _one_line(text: str) -> str:
    return re.sub(r"[^\S\u202f]+", " ", text).strip(" ")  # a narrow no-break space is meant
