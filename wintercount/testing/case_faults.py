"""Where a game decides differently from a case of the register, in words."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec
from jsonpointer import resolve_pointer

from events.canonical import canonical
from games import GAMES
from games.kernel import AnyGame, MoveRefused
from games.payloads import as_json
from rulings.cases import Case, Happened, Outcome, Seen, decide_case

NOWHERE = object()


def faults(slug: str, case: Case, outcome: Outcome) -> Iterator[str]:
    """Where the game decides differently from the case, in words."""
    game = GAMES[slug]
    try:
        decided, state = decide_case(game, case, outcome.options)
    except MoveRefused as refusal:
        if outcome.refused != refusal.rule:
            yield f"the move is refused: {refusal}"
        return
    if outcome.refused:
        yield f"the move is accepted, and not refused by {outcome.refused}"
        return
    yield from _wrong_events(decided, outcome)
    for seen in outcome.seen:
        yield from _wrong_sight(game, state, seen)


def undisputable(game: AnyGame, case: Case) -> Iterator[str]:
    """Where readings differ, but a dispute cannot ask for the other: no event shows it, or none cites the ruling."""
    accepted = [outcome.options for outcome in case.then if not outcome.refused]
    for option in game.options:
        one, *others = [decide_case(game, case, each)[0] for each in accepted if option.name in each] or [[]]
        for other in others if option.shows else ():
            first = next((pair for pair in zip(one, other, strict=False) if len({*map(_decided, pair)}) > 1), ())
            if first and not any(event["type"] in option.shows for event in first):
                yield f"{option.name} makes a difference in {first[0]['type']}, which it does not name"
            elif first and not any(option.ruling in event["payload"].get("rules", ()) for event in (*one, *other)):
                yield f"{option.name} makes a difference, but no event cites {option.ruling}"


def _decided(event: Mapping[str, Any]) -> bytes:
    """What an event says to everybody, the rules that it cites aside."""
    hidden = {"rules", *event["readers"]}
    return canonical([event["type"], {name: value for name, value in event["payload"].items() if name not in hidden}])


def _wrong_events(decided: Sequence[Mapping[str, Any]], outcome: Outcome) -> Iterator[str]:
    expected = [event.type for event in outcome.events]
    shown = [row for row in decided if row["type"] in {*expected, *outcome.without}]
    if [row["type"] for row in shown] != expected:
        yield f"the events are {[row['type'] for row in decided]}, and the case has {expected}"
        return
    for row, event in zip(shown, outcome.events, strict=True):
        yield from _wrong_fields(row, event)


def _wrong_fields(row: Mapping[str, Any], event: Happened) -> Iterator[str]:
    for name, value in event.payload.items():
        found = row["payload"].get(name, msgspec.UNSET)
        if found is msgspec.UNSET or canonical(found) != canonical(value):
            yield f"{event.type}: {name} is {found}, not {value}"
    if event.readers is not None and row["readers"] != event.readers:
        yield f"{event.type}: its readers are {row['readers']}"


def _wrong_sight(game: AnyGame, state: Any, seen: Seen) -> Iterator[str]:
    found = resolve_pointer(as_json(game.view(state, seen.seat)), seen.place, NOWHERE)
    wanted = NOWHERE if seen.value is msgspec.UNSET else seen.value
    if found is NOWHERE or wanted is NOWHERE:
        if found is not wanted:
            yield f"seat {seen.seat} sees at {seen.place} {'nothing' if found is NOWHERE else found}"
    elif canonical(found) != canonical(wanted):
        yield f"seat {seen.seat} sees at {seen.place} {found}, not {wanted}"
