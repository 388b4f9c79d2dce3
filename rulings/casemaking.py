"""A resolved dispute as a case of the register: the moment, the move, and what follows from either reading."""

from collections.abc import Iterator
from typing import Any

import msgspec

from events.canonical import canonical
from games.kernel import MoveRefused
from projections.disputes import Dispute
from projections.history import TableHistory
from projections.table import Table
from rulings.cases import Act, Case, Disputed, Given, Happened, Outcome, Script, as_json, decide
from rulings.replay import Batch, Decider, World, made_at
from rulings.rulebook import rule, rulings

HELD = "the reading that was held"
OTHER = "the other reading"
NOWHERE = object()


class NoCaseError(Exception):
    """A dispute that makes no case: it does not exist, was not resolved, or its table is not finished."""


def case_of(history: TableHistory, dispute: str) -> Case:
    """The case that a resolved dispute of a finished table makes, without naming anybody.

    Raises `NoCaseError`.
    """
    found = _resolved(history.table, dispute)
    batch = made_at(history, found.version)
    if batch is None:
        raise NoCaseError("no move led to what is disputed")
    before = history.at(batch.correction.version if batch.correction else batch.first - 1)
    try:
        (*earlier, disputed), luck = _made(before, batch, found.version)
    except MoveRefused as refusal:
        raise NoCaseError(f"today's rules refuse the disputed move: {refusal}") from None
    case = Case(
        rule=found.rule,
        title=_title(history.table.opened.game, found.rule),
        dispute=Disputed(found.version, str(found.outcome), str(found.by)),
        given=Given(before.opened.players, _chosen(before), luck, _state(before), tuple(earlier)),
        when=disputed,
        then=(),
    )
    then = [_outcome(before, case, says, options) for says, options in _readings(history, found, before)]
    return msgspec.structs.replace(case, then=tuple(then))


def _resolved(table: Table, dispute: str) -> Dispute:
    found = next((one for one in table.disputes if one.is_named(dispute)), None)
    if found is None:
        raise NoCaseError(f"the table has no dispute {dispute!r}")
    if not table.over:
        raise NoCaseError("the game is not over: its secrets are not told yet")
    if found.outcome not in ("upheld", "overturned"):
        raise NoCaseError(f"the dispute is {found.outcome}: nobody has decided it")
    return found


def _made(before: Table, batch: Batch, version: int) -> tuple[list[Act], dict[str, list[list[Any]]]]:
    """The moves of the batch up to the one that caused the event `version`, and what was drawn for them, by kind."""
    decider, world, end, moves = Decider(before), World(before.state, before.draws), batch.played[0].version, []
    luck: dict[str, list[list[Any]]] = {}
    for seat, move in batch.moves:
        moves.append(Act(seat, move))
        decided = decider.play(world, seat, move)
        for draw in decided.draws:
            luck.setdefault(draw.kind, []).append(list(draw.outcome))
        world, end = decided.world, end + len(decided.new_events)
        if version < end:
            break
    return moves, luck


def _chosen(before: Table) -> dict[str, Any]:
    """The house rules in force that are not the defaults."""
    defaults = as_json(before.game.read_options({}, before.opened.players))
    return {name: value for name, value in before.options.items() if value != defaults[name]}


def _state(before: Table) -> dict[str, Any]:
    game, players = before.game, before.opened.players
    options = game.read_options(_chosen(before), players)
    began = game.start(players, options, Script({})).state
    return dict(differences(as_json(began), as_json(msgspec.structs.replace(before.state, options=options))))


def differences(was: Any, now: Any, place: str = "") -> Iterator[tuple[str, Any]]:
    """The places whose value changed, with the new value; lists of cards are given in full."""
    if isinstance(was, dict) and isinstance(now, dict) and was.keys() <= now.keys():
        for name, value in now.items():
            yield from differences(was.get(name, NOWHERE), value, f"{place}/{name}")
    elif _are_rows_alike(was, now):
        for number, (one, other) in enumerate(zip(was, now, strict=True)):
            yield from differences(one, other, f"{place}/{number}")
    elif was is NOWHERE or canonical(was) != canonical(now):
        yield place, now


def _are_rows_alike(was: Any, now: Any) -> bool:
    """Whether both are as many rows, so that each can be told apart from the one that it was."""
    return _are_rows(was) and _are_rows(now) and len(was) == len(now)


def _are_rows(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(item, dict | list) for item in value)


def _title(slug: str, rule_id: str) -> str:
    """The question of the ruling, or the title of another rule."""
    found = rulings(slug).get(rule_id)
    question = found.question if found else rule(slug, rule_id).title
    return f"Disputed at a table: {question or rule_id}"


def _readings(history: TableHistory, found: Dispute, before: Table) -> Iterator[tuple[str, dict[str, Any]]]:
    """The house rules in dispute: the reading that was applied, and the other one."""
    overturned = found.outcome == "overturned"
    asked = _amended(history, found) if overturned else found.options
    was = {name: before.options[name] for name in asked}
    yield HELD, asked if overturned else was
    if asked != was:
        yield OTHER, was if overturned else asked


def _amended(history: TableHistory, found: Dispute) -> dict[str, Any]:
    resolutions = (event.payload for event in history.events if event.envelope.type == "DisputeResolved")
    return dict(next(payload["options"] for payload in resolutions if payload["dispute"] == found.dispute))


def _outcome(before: Table, case: Case, says: str, options: dict[str, Any]) -> Outcome:
    try:
        decided, _ = decide(before.game, case, options)
    except MoveRefused as refusal:
        return Outcome(says, options, refused=refusal.rule)
    shown = [row for row in decided if "rules" in row["payload"]] or decided
    return Outcome(says, options, events=tuple(Happened(row["type"], as_json(row["payload"])) for row in shown))
