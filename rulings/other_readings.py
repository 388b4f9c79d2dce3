"""Remedies of a ruling: another reading under which it would differ, or a correction to an outcome it could have had.

While the game runs, only public knowledge says whether a reading makes a difference. An option names the types of
events in which it shows (`Option.shows`); what else it may change can depend on hidden cards. A reading by any other
option is not settled before the dispute is decided.
"""

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from functools import reduce
from itertools import zip_longest
from typing import Any, NamedTuple

import msgspec

from events.canonical import canonical
from events.envelopes import NewEvent, Recorded
from events.lifecycle import Remedy
from games.kernel import AnyGame, Event, Option
from games.payloads import as_json, payload_of
from projections.event_conversion import as_of_today, event_of
from projections.history import TableHistory, readable
from projections.table import Table
from rulings.replay import Batch, Decider, PlayedAgain, ReplayState, batch_at, corrected_moves


class Judgement(NamedTuple):
    """What a remedy leads to, as everybody may know it while the game runs.

    `differs` is None if that is not settled; `number` is that of a correction among the alternatives. `version` is that
    of the first event that would differ, `event` what it would be (None: not that event, or one that may show hidden
    cards), `refused` the rule that then forbids the move, `states` the game as it was decided and after that event, or
    before a move that is refused.
    """

    rule: str
    remedy: Remedy
    differs: bool | None
    number: int | None = None
    version: int | None = None
    event: NewEvent | None = None
    refused: str | None = None
    states: tuple[Any, Any] | None = None


class Ruling(NamedTuple):
    """A ruling in its history: the event, and the batch of the move that caused it."""

    history: TableHistory
    event: Recorded
    batch: Batch

    @property
    def game(self) -> AnyGame:
        """The game's rules."""
        return self.history.table.game

    @property
    def then(self) -> Table:
        """The table before the move."""
        return self.history.at(self.batch.before)

    @property
    def options(self) -> dict[str, Any]:
        """The house rules under which it was decided."""
        return self.history.at(self.batch.last).options

    @property
    def number(self) -> int:
        """How many events the batch's moves led to before it."""
        return self.event.version - self.batch.played[0].version


def ruling_at(history: TableHistory, version: int) -> Ruling | None:
    """Returns the ruling of that version; None if no move caused it."""
    batch = batch_at(history, version)
    return Ruling(history, history.events[version - 1], batch) if batch else None


def remedies(ruling: Ruling) -> Iterator[Judgement]:
    """Yields what a seat may ask for: each other value of a house rule by the rules applied, then each correction."""
    in_force, rules = ruling.history.table.options, ruling.event.envelope.payload["rules"]
    for rule in rules:
        for option in readings(ruling.game, rule):
            for value in option.values:
                if value != in_force[option.name]:
                    yield judge(ruling, rule, Remedy(reading={option.name: value}))
    for number, payload in enumerate(alternatives(ruling), 1):
        yield _correction(ruling, rules[0], payload, number)


def readings(game: AnyGame, rule: str) -> list[Option]:
    """Returns the house rules that a rule lets tables choose, and that may change during a game."""
    return [option for option in game.options if option.ruling == rule and not option.shapes_setup]


# Corrections


def alternatives(ruling: Ruling) -> list[dict[str, Any]]:
    """Returns the payloads of the outcomes that a trial or an award could have had instead, the likeliest first.

    Of a ruling that was corrected before, the first is what the rules lead to. None if a part of it is secret.
    """
    if ruling.event.envelope.readers:
        return []
    before = ruling.history.at(ruling.event.version - 1).state
    recorded, by_rules = event_of(ruling.game, ruling.event), decided_by_rules(ruling)
    found = [by_rules, *ruling.game.outcomes(before, by_rules)]
    return [as_json(payload_of(event)) for event in found if event != recorded]


def decided_by_rules(ruling: Ruling) -> Event:
    """Returns the event to which the rules lead, even if it was corrected."""
    place = place_of(ruling)
    for one in ruling.batch.corrections:
        if _placed(one.payload) == place:
            return msgspec.convert(one.payload["decided"], ruling.game.kinds[one.payload["ruling"]])
    return event_of(ruling.game, ruling.event)


def kept_corrections(
    ruling: Ruling, options: Mapping[str, Any], new: Mapping[str, Any] | None = None
) -> list[Mapping[str, Any]]:
    """Returns the corrections that hold when the moves are played again under these house rules, a new one last.

    That of another ruling holds if the rules lead to it again, with all that holds before it.
    """
    place, kept, last = place_of(ruling), list[Mapping[str, Any]](), [new] if new else []
    for one in sorted([event.payload for event in ruling.batch.corrections], key=_placed):
        held = [*kept, *last] if _placed(one) > place else kept
        found = _placed(one) != place and _where_again(_played_again(ruling, options, held), one)
        if found and _played_again(ruling, options, [*held, found]).holds(found):
            kept.append(found)
    return [*kept, *last]


def _where_again(again: PlayedAgain, correction: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """Returns a correction with the place at which its move leads to its ruling again; None if it does not."""
    events, was = again.events_of(correction["move"]), (correction["ruling"], canonical(correction["decided"]))
    found = (number for number, event in enumerate(events) if (event.type, canonical(event.payload)) == was)
    return next(({**correction, "event": number} for number in found), None)


def _placed(correction: Mapping[str, Any]) -> tuple[int, int]:
    return correction["move"], correction["event"]


def correction_of(history: TableHistory, event: Recorded) -> Recorded | None:
    """Returns the event that corrected a ruling to what it is; None if it is as the rules have it."""
    first, last = event.envelope.batch
    corrections = (one for one in history.events[first - 1 : last] if one.envelope.type == "RulingCorrected")
    return next((one for one in corrections if _corrected_to(one.payload, event)), None)


def _corrected_to(correction: Mapping[str, Any], event: Recorded) -> bool:
    by_rules, holds, payload = map(canonical, (correction["decided"], correction["corrected"], event.envelope.payload))
    return correction["ruling"] == event.envelope.type and by_rules != holds == payload


def place_of(ruling: Ruling) -> tuple[int, int]:
    """Returns which of the batch's moves led to the ruling, and which of its events it is, both counted from 0."""
    number, last = ruling.number, len(ruling.batch.moves) - 1
    if last == 0:
        return 0, number
    kept = [one.payload for one in ruling.batch.corrections]
    for move, decided in enumerate(_played_again(ruling, ruling.options, kept).decisions):
        if number < len(decided.new_events) or move == last:
            return move, number
        number -= len(decided.new_events)
    raise ValueError("the moves do not lead to the ruling")


def _correction(ruling: Ruling, rule: str, payload: dict[str, Any], number: int) -> Judgement:
    event, version = NewEvent(ruling.event.envelope.type, payload, {}), ruling.event.version
    states = ruling.history.at(version).state, _after(ruling, ruling.history.at(version - 1).state, [event])
    return Judgement(rule, Remedy(correction=payload), True, number, version, event, states=states)


# Other readings


def judge(ruling: Ruling, rule: str, remedy: Remedy) -> Judgement:
    """Returns what a remedy leads to; a correction has to be one of the alternatives."""
    if remedy.correction is not None:
        number = alternatives(ruling).index(remedy.correction) + 1
        return _correction(ruling, rule, remedy.correction, number)
    bare = Judgement(rule, remedy, None)
    was, now = ruling.options, ruling.history.table.options | (remedy.reading or {})
    changed = [option for option in ruling.game.options if was[option.name] != now[option.name]]
    if not all(option.shows for option in changed):
        return bare
    if not changed:
        return bare._replace(differs=False)
    return _compared(ruling, bare, changed, now)


def _compared(ruling: Ruling, bare: Judgement, changed: Sequence[Option], options: Mapping[str, Any]) -> Judgement:
    """Returns whether the move is decided otherwise under these house rules, where everybody can tell."""
    again, first = _played_again(ruling, options, kept_corrections(ruling, options)), ruling.batch.played[0].version
    if again.refused:
        states = ruling.history.at(ruling.event.version).state, ruling.then.state
        return bare._replace(differs=True, version=first, refused=again.refused.rule, states=states)
    recorded, end = recorded_events(ruling), _end(ruling, bare.rule)
    place = first_difference(ruling.game, recorded[:end], again.new_events[:end])
    if place is None:
        return bare._replace(differs=False)
    shown = {kind for option in changed for kind in option.shows}
    was_there, now_there = _at(recorded, place, shown), _at(again.new_events, place, shown)
    if not (was_there or now_there):
        return bare._replace(differs=False)
    bare = bare._replace(differs=True, version=first + place, event=now_there)
    if now_there is None:
        return bare
    after = _after(ruling, _world(ruling, options).state, again.new_events[: place + 1])
    return bare._replace(states=(ruling.history.at(min(first + place, ruling.batch.last)).state, after))


def _played_again(ruling: Ruling, options: Mapping[str, Any], kept: Sequence[Mapping[str, Any]]) -> PlayedAgain:
    """Plays the moves of the batch again under these house rules, with the corrections that are kept."""
    world = _world(ruling, options)
    return Decider(ruling.history.table).play_again(world, ruling.batch.moves, corrected_moves(ruling.game, kept))


def _world(ruling: Ruling, options: Mapping[str, Any]) -> ReplayState:
    """Returns the moment before the moves, under these house rules."""
    parsed = Decider(ruling.history.table).options(options)
    return ReplayState(ruling.then.state, ruling.then.draws).under(parsed)


def _after(ruling: Ruling, state: Any, events: Iterable[NewEvent]) -> Any:
    """Returns the state after these events."""
    game = ruling.game
    return reduce(game.evolve, (msgspec.convert(one.payload, game.kinds[one.type]) for one in events), state)


def recorded_events(ruling: Ruling) -> list[NewEvent]:
    """Returns the events of the batch's moves as they were recorded."""
    return [as_of_today(ruling.game, event) for event in ruling.batch.played]


def _end(ruling: Ruling, rule: str) -> int:
    """Returns the number of the next event by the same rule, which is another ruling; else that after the last."""
    events = ruling.batch.played
    later = range(ruling.number + 1, len(events))
    return next((n for n in later if rule in events[n].envelope.payload.get("rules", ())), len(events))


def _at(events: Sequence[NewEvent], number: int, types: Container[str]) -> NewEvent | None:
    """Returns the event of that number if it is of one of these types."""
    return next((event for event in events[number : number + 1] if event.type in types), None)


def first_difference(game: AnyGame, was: Sequence[NewEvent], now: Sequence[NewEvent]) -> int | None:
    """Returns the number of the first event that everybody reads otherwise, the rules that it states aside."""
    stated = {"rules", *(option.name for option in game.options)}

    def public(event: NewEvent) -> bytes:
        payload = readable(event.payload, event.readers, None)
        decided = {name: value for name, value in payload.items() if name not in stated}
        return canonical([event.type, decided, event.readers])

    pairs = enumerate(zip_longest(map(public, was), map(public, now)))
    return next((number for number, (one, other) in pairs if one != other), None)
