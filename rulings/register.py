"""The register of rulings as it is read: each with what may be chosen by it, and its cases."""

from collections.abc import Iterator
from functools import cache
from typing import Any

import msgspec

from games import GAMES
from games.kernel import Option
from rulings import rulebook
from rulings.caseplaying import as_json
from rulings.cases import Case, cases
from rulings.rulebook import Ruling


@cache
def register(slug: str) -> tuple[dict[str, Any], ...]:
    """The rulings of a game, in their order, and behind them other rules that were disputed."""
    rulings = rulebook.rulings(slug)
    disputed = {case.rule: rulebook.rule(slug, case.rule) for case in cases(slug).values() if case.rule not in rulings}
    others = [Ruling(rule.id, rule.title, rule.text, "") for rule in disputed.values()]
    return tuple(_row(slug, ruling) for ruling in [*rulings.values(), *others])


def _row(slug: str, ruling: Ruling) -> dict[str, Any]:
    own = {name: case for name, case in cases(slug).items() if case.rule == ruling.id}
    choices = [row for option in GAMES[slug].options if option.ruling == ruling.id for row in _choices(option, own)]
    return msgspec.structs.asdict(ruling) | {
        "choices": choices,
        "cases": [_told(name, case) for name, case in own.items()],
    }


def _choices(option: Option, own: dict[str, Case]) -> Iterator[dict[str, Any]]:
    """Each value of an option with what follows from it; of one that lists none, those that cases show."""
    for number, value in enumerate(option.values or _shown(option, own)):
        takes = [
            {"case": name, "title": case.title, "says": outcome.says}
            for name, case in own.items()
            for outcome in case.then
            if option.name in outcome.options and outcome.options[option.name] == value
        ]
        default = bool(option.values) and number == 0
        yield {"option": option.name, "value": value, "default": default, "takes": takes}


def _shown(option: Option, own: dict[str, Case]) -> list[Any]:
    outcomes = [outcome for case in own.values() for outcome in case.then]
    return [outcome.options[option.name] for outcome in outcomes if option.name in outcome.options]


def _told(name: str, case: Case) -> dict[str, Any]:
    """A case with everything in it, also what its file leaves out."""
    given = msgspec.structs.asdict(case.given) | {"moves": as_json(case.given.moves)}
    return {
        "case": name,
        "title": case.title,
        "dispute": as_json(case.dispute),
        "given": given,
        "when": as_json(case.when),
        "then": [
            {
                "says": outcome.says,
                "options": outcome.options,
                "refused": outcome.refused,
                "events": [{"payload": {}, "readers": None} | as_json(event) for event in outcome.events],
                "without": outcome.without,
                "seen": as_json(outcome.seen),
            }
            for outcome in case.then
        ],
    }
