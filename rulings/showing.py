"""A case as people watch it: moment by moment, each with what happened in words and the whole table after it."""

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from games import GAMES
from games.kernel import AnyGame, MoveRefused, Transition
from projections.recording import new_events_of
from rulings.caseplaying import as_json, played
from rulings.cases import Act, Case, Outcome, cases
from rulings.words import explanation, move_words, sentence


# A case takes some hundredths of a second and up to a quarter of a megabyte; who steps through one asks once.
@lru_cache(maxsize=64)
def shown(slug: str, name: str, language: str) -> dict[str, Any]:
    """A case under each of its readings; raises `KeyError` if the game has no such case."""
    case = cases(slug)[name]
    outcomes = [_outcome(GAMES[slug], case, outcome, language) for outcome in case.then]
    return {"game": slug, "case": name, "title": case.title, "rule": case.rule, "outcomes": outcomes}


def _outcome(game: AnyGame, case: Case, outcome: Outcome, language: str) -> dict[str, Any]:
    moments: list[dict[str, Any]] = []
    refused = None
    try:
        for act, turn in played(game, case, outcome.options):
            moments.append(_moment(game, act, turn, language, told=act is not None or case.when is None))
    except MoveRefused as refusal:
        refused = refusal.rule
        moments.append(_refused(game, case, moments[-1], language))
    return {"says": outcome.says, "options": outcome.options, "refused": refused, "moments": moments}


def _moment(game: AnyGame, act: Act | None, turn: Transition[Any], language: str, *, told: bool) -> dict[str, Any]:
    """What a move led to. How the game began is told where the case is about that: else it may be given otherwise."""
    happened = list(_happened(game, turn, language)) if told else []
    return {**_asked(game, act, language), "happened": happened, "view": as_json(game.open_view(turn.state))}


def _refused(game: AnyGame, case: Case, before: dict[str, Any], language: str) -> dict[str, Any]:
    return {**_asked(game, case.when, language), "happened": [], "view": before["view"]}


def _asked(game: AnyGame, act: Act | None, language: str) -> dict[str, Any]:
    if act is None:
        return {"seat": None, "move": None, "words": None}
    return {"seat": act.seat, "move": act.move, "words": _worded(game, act.move, language)}


def _worded(game: AnyGame, move: Any, language: str) -> str | None:
    """A move in words; one that has not the form of a move has none."""
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
