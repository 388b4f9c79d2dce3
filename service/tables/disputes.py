"""Disputes: a seated person contests a ruling; the arbiter, or the people seated by vote, uphold or overturn it.

A dispute asks for a remedy: another reading of a rule, or a correction of a trial or an award. While it is open, play
pauses or goes on, as the table's rules say. The game cannot end before all disputes are resolved, because the end
reveals every secret. An overturned ruling takes play back to before the move that caused it, amends the house rule, and
plays that move again if it is still legal, with the corrected outcome. Other disputes of undone rulings become moot.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

import msgspec

from events.envelopes import NewEvent, Recorded
from events.lifecycle import DisputeRules, Remedy, Text
from events.log import VersionRange
from events.times import millis, stamp
from games.kernel import OptionsRefused
from games.payloads import as_json, payload_of
from projections.disputes import Dispute, Vote
from projections.event_conversion import new_lifecycle_event
from projections.history import TableHistory, effective_events
from projections.table import Table
from rulings import other_readings
from service.accounts.callers import Caller
from service.command_handler import CommandContext, Decision, Outcome, TableHandler, by_clock, command
from service.errors import Refused, option_refused
from service.tables.authorisation import arbitrates, check_seat
from service.tables.playing import check_holds, people
from service.tables.table_documents import is_ruling
from service.tables.takebacks import Recording, Undoing, take_back
from service.tables.time_travel import event_at

AskedRemedy = Mapping[str, Any]
"""A remedy as requests have it: `reading` with house rules by name, or `correction` with a payload or its number."""


class Contested(NamedTuple):
    """The claim of a seat: rule `rule` of the ruling `version` is wrong, and `remedy` would set it right."""

    seat: int
    version: int
    rule: str
    claim: str
    remedy: AskedRemedy


class Verdict(NamedTuple):
    """An outcome (`upheld`, `overturned`), the reason, and the remedy, by default that which the dispute asks for."""

    outcome: str
    text: str
    remedy: AskedRemedy | None = None


class Voice(NamedTuple):
    """Who resolves a dispute (`arbiter`, `vote`, `clock`, `correction`), and the sealed reason in each event type."""

    by: str
    player: str | None = None
    text: Text = ""
    reason: Text = ""


RESOLVED, CORRECTED = "DisputeResolved", "RulingCorrected"


@command
def dispute(
    handler: TableHandler,
    history: TableHistory,
    sent: CommandContext,
    contested: Contested,
    check_quota: Callable[[Table], None] = lambda _: None,
) -> Decision:
    """Opens a dispute; raises `Refused`."""
    table, now_ms = history.table, handler.now_ms()
    rules = _rules(table)
    check_holds(table, contested.seat, sent.player.id)
    ruling = _contestable(history, contested.version, contested.rule, now_ms)
    mine = (one for one in table.disputes if one.seat == contested.seat and one.outcome is None)
    if any(one.version == contested.version for one in mine):
        raise Refused("conflict", f"seat {contested.seat} disputes this ruling already")
    remedy = _checked_remedy(ruling, contested.rule, contested.remedy)
    check_quota(table)
    payload = contested._asdict() | {
        "dispute": f"d{table.version + 1}",
        "claim": handler.texts.seal_in_event(table.id, "DisputeOpened", sent.player.id, contested.claim),
        "remedy": remedy,
        "deadline": stamp(now_ms + rules.answer_s * 1000),
    }
    return Decision((new_lifecycle_event("DisputeOpened", payload),), sent.by, now_ms=now_ms)


def _rules(table: Table) -> DisputeRules:
    if table.opened.disputes is None:
        raise Refused("not_allowed", "this table was opened without disputes")
    if table.state is None:
        raise Refused("table_not_started", "the game begins when every seat is taken")
    if table.over:
        raise Refused("table_finished", "the game is over: readjudicate it under the other reading instead")
    return table.opened.disputes


def _contestable(history: TableHistory, version: int, rule: str | None, now_ms: int | None) -> other_readings.Ruling:
    """Returns the ruling of that version; raises `Refused` if nobody may dispute it, or that rule of it, any more.

    Without a time it may be late: those who decide an open dispute have longer.
    """
    rules, event = _rules(history.table), ruling_event(history, version)
    applied = event.envelope.payload["rules"]
    if rule not in (None, *applied):
        detail = f"event {version} applied {', '.join(applied)}, not {rule!r}"
        raise Refused("no_such_rule", detail, version=version, rules=applied)
    ruling = other_readings.ruling_at(history, version)
    if ruling is None or event not in effective_events(history.events):
        raise Refused("no_such_ruling", f"event {version} belongs to the set-up, or is undone")
    if now_ms is not None and now_ms > millis(event.envelope.counted_from) + rules.window_s * 1000:
        raise Refused("too_late", f"a ruling may be disputed for {rules.window_s} seconds", version=version)
    return ruling


def ruling_event(history: TableHistory, version: int) -> Recorded:
    """Returns the ruling of that version; raises `Refused` if there is none."""
    event = event_at(history, version)
    if not is_ruling(event):
        raise Refused("no_such_ruling", f"event {version} is {event.envelope.type}, which decides nothing")
    return event


def _checked_remedy(ruling: other_readings.Ruling, rule: str, asked: AskedRemedy) -> Remedy:
    """Returns the remedy that is asked for; raises `Refused` if there is none such, or it would change nothing."""
    remedy = _read_remedy(ruling, rule, asked)
    if remedy.reading is not None and other_readings.judge(ruling, rule, remedy).differs is False:
        first, last = ruling.batch.played[0].version, ruling.batch.last
        named = ", ".join(f"{name} {msgspec.json.encode(value).decode()}" for name, value in remedy.reading.items())
        detail = f"with {named} the move is decided as it was: events {first} to {last} were compared"
        raise Refused("remedy_changes_nothing", detail, version=ruling.event.version, compared=[first, last])
    return remedy


def _read_remedy(ruling: other_readings.Ruling, rule: str, asked: AskedRemedy) -> Remedy:
    reading, correction = asked.get("reading"), asked.get("correction")
    if (reading is None) is (correction is None):
        raise Refused("contradictory", "a remedy is either a `reading` or a `correction`")
    if reading is not None:
        _check_reading(ruling, rule, reading)
        return Remedy(reading=dict(reading))
    offered = other_readings.alternatives(ruling)
    found = [one for number, one in enumerate(offered, 1) if correction in (number, one)]
    if not found or correction is True:
        detail = f"{ruling.event.envelope.type} has {len(offered)} corrections"
        if not offered:
            detail = f"{ruling.event.envelope.type} is set right by another reading or a takeback, not by a correction"
        raise Refused("no_such_remedy", detail, version=ruling.event.version)
    return Remedy(correction=found[0])


def _check_reading(ruling: other_readings.Ruling, rule: str, options: Mapping[str, Any]) -> None:
    """Raises `Refused` unless tables may choose these options by the disputed rule."""
    table, choices = ruling.history.table, {option.name for option in other_readings.readings(ruling.game, rule)}
    for name in options:
        if name not in choices:
            raise Refused("option_refused", f"{rule} has no option {name!r}", option=name)
    try:
        table.game.read_options(table.options | dict(options), table.opened.players)
    except OptionsRefused as refusal:
        raise option_refused(refusal) from None


def preview(
    handler: TableHandler, history: TableHistory, version: int, rule: str | None, asked: AskedRemedy | None
) -> list[other_readings.Judgement]:
    """Returns what the remedies of a ruling lead to, or the one that is asked for, as everybody may know it."""
    is_open = any(one.version == version and one.outcome is None for one in history.table.disputes)
    ruling = _contestable(history, version, rule, None if is_open else handler.now_ms())
    if asked is None:
        return [one for one in other_readings.remedies(ruling) if rule in (None, one.rule)]
    named = rule or _rule_of(ruling, asked)
    return [other_readings.judge(ruling, named, _read_remedy(ruling, named, asked))]


def _rule_of(ruling: other_readings.Ruling, asked: AskedRemedy) -> str:
    """Returns the rule that a reading is of; for any other remedy, the first that was applied."""
    applied: list[str] = ruling.event.envelope.payload["rules"]
    names = set(asked.get("reading") or ())
    return next(
        (rule for rule in applied if names & {one.name for one in other_readings.readings(ruling.game, rule)}),
        applied[0],
    )


@command
def comment(handler: TableHandler, history: TableHistory, sent: CommandContext, dispute_id: str, text: str) -> Decision:
    """Records a comment by a seated player or the arbiter."""
    table = history.table
    found = _open_dispute(table, dispute_id)
    seat = table.seat_of(sent.player.id)
    if seat is None and not arbitrates(table, sent.caller):
        raise Refused("not_allowed", "only seated players and the arbiter can comment on a dispute")
    said = handler.texts.seal_in_event(table.id, "DisputeCommented", sent.player.id, text)
    payload = {"dispute": found.dispute, "player": sent.player.id, "seat": seat, "text": said}
    return Decision((new_lifecycle_event("DisputeCommented", payload),), sent.by)


class _LookedBefore(Exception):
    """The arbiter looks through this seat already."""


def look(handler: TableHandler, table: str, sent: CommandContext, dispute_id: str, seat: int) -> Outcome:
    """Records publicly that the arbiter looks through a seat, up to the disputed version and until the dispute ends.

    A second look records nothing.
    """

    def decide(history: TableHistory) -> Decision:
        table = history.table
        found = _open_dispute(table, dispute_id)
        _check_decides(table, sent.caller, "looks")
        check_seat(table, seat)
        if any(one.seat == seat for one in found.looks):
            raise _LookedBefore
        payload = {"dispute": found.dispute, "seat": seat, "player": sent.player.id, "until": found.version}
        return Decision((NewEvent("ArbiterLooked", payload, {}),), sent.by)

    try:
        return handler.change(table, decide, sent.request)
    except _LookedBefore:
        history = handler.history(table)
        return Outcome(history, VersionRange(history.table.version, history.table.version, repeated=True))


def _check_decides(table: Table, caller: Caller, does: str) -> None:
    if table.opened.disputes is None or table.opened.disputes.by != "arbiter":
        raise Refused("not_allowed", "the seats of this table decide its disputes by vote")
    if not arbitrates(table, caller):
        raise Refused("not_allowed", f"only the table's arbiter {does}, with a token of scope arbitrate")


@command
def vote(_: TableHandler, history: TableHistory, sent: CommandContext, dispute_id: str, ballot: Vote) -> Decision:
    """Records a seat's vote; more than half of the seated people resolve the dispute, all of them a correction."""
    table = history.table
    found = _open_dispute(table, dispute_id)
    if table.opened.disputes is None or table.opened.disputes.by != "vote":
        raise Refused("not_allowed", "the arbiter decides the disputes of this table")
    check_holds(table, ballot.seat, sent.player.id)
    payload = {"dispute": found.dispute, "seat": ballot.seat, "overturn": ballot.overturn}
    cast = NewEvent("DisputeVoted", payload, {})
    votes = {one.seat: one.overturn for one in found.votes} | {ballot.seat: ballot.overturn}
    persons = people(table)
    outcome = _outcome([votes[seat] for seat in persons if seat in votes], len(persons), found.remedy)
    if outcome is None:
        return Decision((cast,), sent.by)
    new_events, sealed = _resolve(history, found, Verdict(outcome, ""), Voice("vote"))
    return Decision((cast, *new_events), sent.by, sealed)


def _outcome(votes: list[bool], persons: int, remedy: Remedy) -> str | None:
    """Returns `overturned` after votes enough, `upheld` as soon as that can no longer happen.

    Enough are more than half for another reading, and all for a correction, which no rule leads to.
    """
    needed = persons // 2 + 1 if remedy.correction is None else persons
    if sum(votes) >= needed:
        return "overturned"
    return "upheld" if persons - votes.count(False) < needed else None


@command
def resolve(
    handler: TableHandler, history: TableHistory, sent: CommandContext, dispute_id: str, verdict: Verdict
) -> Decision:
    """Records the arbiter's verdict."""
    table = history.table
    found = _open_dispute(table, dispute_id)
    _check_decides(table, sent.caller, "resolves its disputes")
    types = (RESOLVED, CORRECTED) if _corrects(found, verdict) else (RESOLVED,)
    said = [handler.texts.seal_in_event(table.id, type_, sent.player.id, verdict.text) for type_ in types]
    new_events, sealed = _resolve(history, found, verdict, Voice("arbiter", sent.player.id, *said))
    return Decision(new_events, sent.by, sealed)


def _corrects(found: Dispute, verdict: Verdict) -> bool:
    by_default = verdict.remedy is None and found.remedy.correction is not None
    return verdict.outcome == "overturned" and (by_default or "correction" in (verdict.remedy or {}))


def lapse(handler: TableHandler, table: str, dispute_id: str) -> Outcome | None:
    """Records that the time for a dispute is over and the ruling stands; returns None if that no longer matters."""

    def decide(history: TableHistory, now_ms: int) -> tuple[NewEvent, ...]:
        found = _open_dispute(history.table, dispute_id)
        if now_ms < millis(found.deadline):
            raise Refused("dispute_closed", "there is still time")
        return (_resolution(found, "lapsed", Voice("clock")),)

    return by_clock(handler, table, f"lapse|{dispute_id}", decide, "dispute_closed", "no_such_dispute")


def _open_dispute(table: Table, dispute_id: str) -> Dispute:
    found = next((one for one in table.disputes if one.is_named(dispute_id)), None)
    if found is None:
        raise Refused("no_such_dispute", f"the table has no dispute {dispute_id!r}")
    if found.outcome is not None:
        raise Refused("dispute_closed", f"it was {found.outcome} by event {found.resolved}")
    return found


def _resolve(history: TableHistory, found: Dispute, verdict: Verdict, voice: Voice) -> Recording:
    """Returns the resolution; if overturned, after the return of play and before the disputes that become moot.

    A move that comes out as before under another reading stands, and so does the ruling.
    """
    if verdict.outcome != "overturned":
        return (_resolution(found, verdict.outcome, voice),), {}
    ruling, remedy = other_readings.ruling_at(history, found.version), found.remedy
    if ruling is None:
        raise Refused("no_such_ruling", "the ruling belongs to the set-up")
    if verdict.remedy is not None:
        remedy = _checked_remedy(ruling, found.rule, verdict.remedy)
    corrections = _corrections(ruling, found, remedy, voice)
    why = Undoing(found.seat, "dispute", found.dispute, remedy.reading or {}, corrections)
    back = take_back(history, ruling.batch.before, why, ruling.batch.moves)
    if remedy.correction is not None and len(back.corrections) < len(corrections):
        raise Refused("no_such_remedy", "under the house rules now in force the ruling does not come up again")
    if other_readings.first_difference(ruling.game, other_readings.recorded_events(ruling), back.played) is None:
        return (_resolution(found, "upheld", voice),), {}
    undone = [
        one for one in history.table.disputes if one.dispute != found.dispute and one.version > ruling.batch.before
    ]
    resolutions = (_resolution(found, "overturned", voice, remedy), *moot(undone, "correction"))
    return (back.begins, *back.corrections, *resolutions, *back.played), back.sealed


def _corrections(
    ruling: other_readings.Ruling, found: Dispute, remedy: Remedy, voice: Voice
) -> list[Mapping[str, Any]]:
    """Returns the corrections that hold when the move is played again: those of other rulings, then the dispute's."""
    options = ruling.history.table.options | (remedy.reading or {})
    if remedy.correction is None:
        return other_readings.kept_corrections(ruling, options)
    move, event = other_readings.place_of(ruling)
    corrected = {
        "dispute": found.dispute,
        "version": found.version,
        "rule": found.rule,
        "ruling": ruling.event.envelope.type,
        "move": move,
        "event": event,
        "decided": as_json(payload_of(other_readings.decided_by_rules(ruling))),
        "corrected": remedy.correction,
        "player": voice.player,
        "reason": voice.reason,
    }
    return other_readings.kept_corrections(ruling, options, corrected)


def moot(disputes: Iterable[Dispute], by: str) -> list[NewEvent]:
    """Returns the resolutions of those that are open and no longer matter: after a `correction`, or at the `end`."""
    return [_resolution(one, "moot", Voice(by)) for one in disputes if one.outcome is None]


def _resolution(found: Dispute, outcome: str, voice: Voice, remedy: Remedy | None = None) -> NewEvent:
    payload = {"dispute": found.dispute, "outcome": outcome, "remedy": remedy}
    return new_lifecycle_event(RESOLVED, payload | {"by": voice.by, "player": voice.player, "text": voice.text})
