"""Plays a case of the register: what the game decides in it, and where that differs from what the case says."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec
from jsonpointer import JsonPointerException, resolve_pointer, set_pointer

from events.canonical import canonical
from games import GAMES
from games.kernel import AnyGame, MoveRefused, T, Transition
from projections.recording import new_events_of
from rulings.cases import Act, Case, CaseBroken, Happened, Outcome, Seen
from rulings.replay import event_row

NOWHERE = object()


def faults(slug: str, case: Case, outcome: Outcome) -> Iterator[str]:
    """Where the game decides differently from the case, in words."""
    game = GAMES[slug]
    try:
        decided, state = decide(game, case, outcome.options)
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


def _wrong_events(decided: Sequence[Mapping[str, Any]], outcome: Outcome) -> Iterator[str]:
    expected = [event.type for event in outcome.events]
    shown = [row for row in decided if row["type"] in {*expected, *outcome.without}]
    if [row["type"] for row in shown] != expected:
        yield f"the events are {[row['type'] for row in decided]}"
        return
    for row, event in zip(shown, outcome.events, strict=True):
        yield from _wrong_fields(row, event)


def _wrong_fields(row: Mapping[str, Any], event: Happened) -> Iterator[str]:
    for name, value in event.payload.items():
        found = row["payload"].get(name, msgspec.UNSET)
        if found is msgspec.UNSET or canonical(found) != canonical(value):
            yield f"{event.type}: {name} is {found}"
    if event.readers is not None and row["readers"] != event.readers:
        yield f"{event.type}: its readers are {row['readers']}"


def _wrong_sight(game: AnyGame, state: Any, seen: Seen) -> Iterator[str]:
    found = resolve_pointer(as_json(game.view(state, seen.seat)), seen.place, NOWHERE)
    wanted = NOWHERE if seen.value is msgspec.UNSET else seen.value
    if found is NOWHERE or wanted is NOWHERE:
        if found is not wanted:
            yield f"seat {seen.seat} sees at {seen.place} {'nothing' if found is NOWHERE else found}"
    elif canonical(found) != canonical(wanted):
        yield f"seat {seen.seat} sees at {seen.place} {found}"


class Script:
    """The luck of a case: a draw takes first what the case names, then the rest in order."""

    def __init__(self, luck: Mapping[str, Sequence[Sequence[Any]]]) -> None:
        self._left = {kind: list(draws) for kind, draws in luck.items()}

    def __call__(self, kind: str, population: Sequence[T], count: int) -> tuple[T, ...]:
        """The first `count` of a population in that order."""
        rest, first = list(population), []
        for item in self._left[kind].pop(0) if self._left.get(kind) else ():
            if item in rest:
                rest.remove(item)
                first.append(item)
        return (*first, *rest)[:count]


def decide(game: AnyGame, case: Case, options: Mapping[str, Any]) -> tuple[list[dict[str, Any]], Any]:
    """The events that follow under these house rules, and the state after them; raises `MoveRefused`, `CaseBroken`."""
    *_, (_, turn) = played(game, case, options)
    return [event_row(event) for event in new_events_of(game, turn)], turn.state


def played(game: AnyGame, case: Case, options: Mapping[str, Any]) -> Iterator[tuple[Act | None, Transition[Any]]]:
    """The case as it is played: how the game begins, the moves given, the move in question, each with what it leads to.

    Raises `MoveRefused` if the move in question is refused, `CaseBroken` if anything before it is.
    """
    given, script = case.given, Script(case.given.luck)
    read_options = game.read_options({**given.options, **options}, given.players)
    turn = game.start(given.players, read_options, Script({}) if given.state else script)
    turn = turn._replace(state=laid_over(game, turn.state, given.state))
    yield None, turn
    for act in given.moves:
        try:
            turn = _play(game, turn.state, act, script)
        except MoveRefused as refusal:
            raise CaseBroken(f"a move that is given is refused: {refusal}") from None
        yield act, turn
    if case.when:
        yield case.when, _play(game, turn.state, case.when, script)


def _play(game: AnyGame, state: Any, act: Act, script: Script) -> Transition[Any]:
    return game.play(state, act.seat, game.read_move(act.move), script)


def laid_over(game: AnyGame, state: Any, places: Mapping[str, Any]) -> Any:
    """The state with other values in these places; raises `CaseBroken` if the game has no such state."""
    plain = as_json(state)
    try:
        for place, value in places.items():
            set_pointer(plain, place, value)
        made = msgspec.convert(plain, game.state_type)
    except (JsonPointerException, LookupError, TypeError, ValueError) as error:
        raise CaseBroken(f"the state given is none of {game.slug}: {error}") from None
    if canonical(made) != canonical(plain):
        raise CaseBroken(f"a place given is none in a state of {game.slug}")
    return made


def as_json(value: Any) -> Any:
    """A state, a view or an event as JSON values."""
    return msgspec.json.decode(msgspec.json.encode(value))
