"""Rulings as the caller may read them: with figures, words and rules."""

from typing import Any

from events.recorded import Recorded, as_read
from projections.table import Table
from rulings.rulebook import rule, rules
from rulings.words import explanation
from service.tables.viewing import Viewer


def is_ruling(event: Recorded) -> bool:
    """Whether the event is a ruling: it names the rules that it applied."""
    return "rules" in event.envelope.payload


def ruling_row(event: Recorded, table: Table, viewer: Viewer, language: str) -> dict[str, Any]:
    """A ruling with its figures, its reason in words, and its rules with the house rules that shaped them."""
    row = as_read(event, viewer.seat, over=viewer.over)
    return {
        "version": event.version,
        "type": event.envelope.type,
        "at": event.envelope.at,
        "figures": row["payload"],
        "words": explanation(table.opened.game, event.envelope.type, row["payload"], language),
        "rules": [rule_row(table, rule_id) for rule_id in row["payload"]["rules"]],
    }


def rule_row(table: Table, rule_id: str) -> dict[str, Any]:
    """A rule with its text, and if it is a ruling with options: the value in force and those a table may choose."""
    found = rule(table.opened.game, rule_id)
    options = [option for option in table.game.options if option.ruling == rule_id]
    now = table.options
    return {
        "id": found.id,
        "title": found.title,
        "text": found.text,
        "options": [
            {"option": option.name, "in_force": now[option.name], "values": list(option.values)} for option in options
        ],
    }


def rule_text(game: str, rule_id: str) -> str | None:
    """The text of a rule, if the game has it."""
    return rules(game)[rule_id].text if rule_id in rules(game) else None
