"""The register of rulings: each with its choices and its cases, and each case moment by moment."""

from collections.abc import Iterator
from functools import cache, lru_cache
from typing import Any

from msgspec.structs import asdict

from games import GAMES
from games.kernel import AnyGame, MoveRefused, Option, Transition
from games.payloads import as_json
from projections.event_conversion import new_events_of
from rulings import rulebook
from rulings.cases import Act, Case, Outcome, cases, play_case
from rulings.rulebook import Ruling
from rulings.sentences import explanation, move_words, sentence


@cache
def register(slug: str) -> tuple[dict[str, Any], ...]:
    """Returns the rulings of a game in order, followed by other rules that were disputed."""
    rulings = rulebook.rulings(slug)
    disputed = {case.rule: rulebook.rule(slug, case.rule) for case in cases(slug).values() if case.rule not in rulings}
    others = [Ruling(rule.id, rule.title, rule.text, "") for rule in disputed.values()]
    return tuple(_row(slug, ruling) for ruling in [*rulings.values(), *others])


def _row(slug: str, ruling: Ruling) -> dict[str, Any]:
    own = {name: case for name, case in cases(slug).items() if case.rule == ruling.id}
    choices = [row for option in GAMES[slug].options if option.ruling == ruling.id for row in _choices(option, own)]
    return asdict(ruling) | {
        "choices": choices,
        "cases": [_case_row(name, case) for name, case in own.items()],
    }


def _choices(option: Option, own: dict[str, Case]) -> Iterator[dict[str, Any]]:
    """Yields each value of an option with its cases; for an option without listed values, those in the cases."""
    for number, value in enumerate(option.values or _shown_values(option, own)):
        takes = [
            {"case": name, "title": case.title, "says": outcome.says}
            for name, case in own.items()
            for outcome in case.then
            if option.name in outcome.options and outcome.options[option.name] == value
        ]
        default = bool(option.values) and number == 0
        yield {"option": option.name, "value": value, "default": default, "takes": takes}


def _shown_values(option: Option, own: dict[str, Case]) -> list[Any]:
    outcomes = [outcome for case in own.values() for outcome in case.then]
    return [outcome.options[option.name] for outcome in outcomes if option.name in outcome.options]


def _case_row(name: str, case: Case) -> dict[str, Any]:
    """Returns a case with all its fields, including those that its file omits."""
    given = asdict(case.given) | {"moves": as_json(case.given.moves)}
    return {
        "id": name,
        "title": case.title,
        "dispute": as_json(case.dispute),
        "given": given,
        "when": as_json(case.when),
        "then": [
            asdict(outcome) | {"events": list(map(asdict, outcome.events)), "seen": as_json(outcome.seen)}
            for outcome in case.then
        ],
    }


# A case for people to watch: each moment with its events in words, and the whole table after it


# A case takes some hundredths of a second and up to a quarter of a megabyte; the page loads each once.
@lru_cache(maxsize=64)
def present_case(slug: str, name: str, language: str) -> dict[str, Any]:
    """Returns a case under each of its readings; raises `KeyError` if the game has no such case."""
    case = cases(slug)[name]
    outcomes = [_outcome(GAMES[slug], case, outcome, language) for outcome in case.then]
    return {"id": name, "game": slug, "title": case.title, "rule": case.rule, "outcomes": outcomes}


def _outcome(game: AnyGame, case: Case, outcome: Outcome, language: str) -> dict[str, Any]:
    moments: list[dict[str, Any]] = []
    refused = None
    try:
        for act, turn in play_case(game, case, outcome.options):
            moments.append(_moment(game, act, turn, language, with_events=act is not None or case.when is None))
    except MoveRefused as refusal:
        refused = refusal.rule
        moments.append({**_asked(game, case.when, language), "happened": [], "view": moments[-1]["view"]})
    return {"says": outcome.says, "options": outcome.options, "refused": refused, "moments": moments}


def _moment(
    game: AnyGame, act: Act | None, turn: Transition[Any], language: str, *, with_events: bool
) -> dict[str, Any]:
    """Returns a move and its result. The events of the start are left out unless the case is about the start."""
    happened = list(_happened(game, turn, language)) if with_events else []
    return {**_asked(game, act, language), "happened": happened, "view": as_json(game.open_view(turn.state))}


def _asked(game: AnyGame, act: Act | None, language: str) -> dict[str, Any]:
    if act is None:
        return {"seat": None, "move": None, "words": None}
    return {"seat": act.seat, "move": act.move, "words": _worded(game, act.move, language)}


def _worded(game: AnyGame, move: Any, language: str) -> str | None:
    """Returns a move in words, or None if it does not have the form of a move."""
    try:
        return move_words(game.slug, as_json(game.read_move(move)), language)
    except MoveRefused:
        return None


def _happened(game: AnyGame, turn: Transition[Any], language: str) -> Iterator[dict[str, Any]]:
    for event in new_events_of(game, turn):
        payload = as_json(event.payload)
        words = sentence(game.slug, event.type, payload, language)
        reason = explanation(game.slug, event.type, payload, language) if "rules" in payload else None
        yield {"type": event.type, "words": words, "explanation": reason, "rules": payload.get("rules", [])}
