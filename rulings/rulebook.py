"""The rules of each game by id: the text behind the id in a refusal or a ruling.

They are read from `rules.json` in the game's package, which `rulings.rules_markdown` makes of its rules document.
"""

from functools import cache
from importlib.resources import files

import msgspec

from games import GAMES

COMPILED = "rules.json"


class Rule(msgspec.Struct, frozen=True):
    """A rule of the document: `text` is Markdown; `section` is the heading above it."""

    id: str
    title: str
    text: str
    section: str


class Ruling(msgspec.Struct, frozen=True):
    """What was decided where the source is silent; `default` and `alternatives` are Markdown."""

    id: str
    question: str
    default: str
    alternatives: str


class Rulebook(msgspec.Struct, frozen=True):
    """All rules and rulings of a game by id, in the order of their numbers."""

    rules: dict[str, Rule] = {}
    rulings: dict[str, Ruling] = {}


@cache
def rulebook(slug: str) -> Rulebook:
    """The rules of a game, none if it brings no document; raises `KeyError` for an unknown game."""
    source = files(GAMES[slug].package) / COMPILED
    return msgspec.json.decode(source.read_bytes(), type=Rulebook) if source.is_file() else Rulebook()


def rule(slug: str, rule_id: str) -> Rule:
    """The rule with this id; raises `KeyError` if the document has none."""
    return rules(slug)[rule_id]


def rules(slug: str) -> dict[str, Rule]:
    """All rules of a game by id, worked examples included."""
    return rulebook(slug).rules


def rulings(slug: str) -> dict[str, Ruling]:
    """All rulings of a game by id: the question, what holds by default and why, and what a table may choose instead."""
    return rulebook(slug).rulings


def examples(slug: str) -> dict[str, Rule]:
    """The worked examples of a game by id."""
    return {rule_id: one for rule_id, one in rules(slug).items() if rule_id.partition("-")[2].startswith("E")}
