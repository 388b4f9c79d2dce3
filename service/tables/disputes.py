"""Disputes: a seated person contests a ruling; the arbiter, or the people seated by vote, uphold or overturn it.

While a dispute is open, play pauses or goes on, as the table's rules say. The game cannot end before all disputes are
resolved, because the end reveals every secret. An overturned ruling takes play back to before the move that caused it,
amends the house rule, and plays that move again if it is still legal. Other disputes of undone rulings become moot.
"""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from events.lifecycle import DisputeRules
from events.log import VersionRange
from events.recorded import NewEvent, Recorded
from events.times import millis, stamp
from games.kernel import OptionsRefused
from projections.disputes import Dispute, Vote
from projections.history import TableHistory, effective_events
from projections.recording import new_lifecycle_event
from projections.table import Table
from rulings.replay import batch_at
from service.accounts.callers import Caller
from service.commands import CallerContext, CommandContext, Decision, Outcome, Request, TableHandler
from service.errors import Refused, option_refused
from service.tables.authorisation import arbitrates, check_seat
from service.tables.playing import check_holds, people
from service.tables.presentation import is_ruling
from service.tables.takebacks import Undoing, take_back
from service.tables.time_travel import check_version


class Contested(NamedTuple):
    """The claim of a seat: rule `rule` of the ruling `version` is wrong, and `options` are the right house rules."""

    seat: int
    version: int
    rule: str
    claim: str
    options: Mapping[str, Any]


class Verdict(NamedTuple):
    """An outcome (`upheld`, `overturned`), the reason, and the amended house rules, by default those claimed."""

    outcome: str
    text: str
    options: Mapping[str, Any] | None = None


RESOLVED = "DisputeResolved"


def dispute(
    handler: TableHandler,
    table: str,
    sent: CommandContext,
    contested: Contested,
    check_quota: Callable[[Table], None] = lambda _: None,
) -> Outcome:
    """Opens a dispute; raises `Refused`."""

    def decide(history: TableHistory) -> Decision:
        table, now_ms = history.table, handler.now_ms()
        rules = _rules(table)
        check_holds(table, contested.seat, sent.player.id)
        _check_ruling(history, contested, rules, now_ms)
        _check_reading(table, contested.rule, contested.options)
        check_quota(table)
        payload = contested._asdict() | {
            "dispute": f"d{table.version + 1}",
            "claim": handler.texts.seal_in_event(table.id, "DisputeOpened", sent.player.id, contested.claim),
            "options": dict(contested.options),
            "deadline": stamp(now_ms + rules.answer_s * 1000),
        }
        return Decision((new_lifecycle_event("DisputeOpened", payload),), sent.by, now_ms=now_ms)

    return handler.change(table, decide, sent.request)


def _rules(table: Table) -> DisputeRules:
    if table.opened.disputes is None:
        raise Refused("not_allowed", "this table was opened without disputes")
    if table.state is None:
        raise Refused("table_not_started", "the game begins when every seat is taken")
    if table.over:
        raise Refused("table_finished", "the game is over: readjudicate it under the other reading instead")
    return table.opened.disputes


def _check_ruling(history: TableHistory, contested: Contested, rules: DisputeRules, now_ms: int) -> None:
    event, version = _ruling_at(history, contested.version), contested.version
    applied = event.envelope.payload["rules"]
    if contested.rule not in applied:
        detail = f"event {version} applied {', '.join(applied)}, not {contested.rule!r}"
        raise Refused("no_such_rule", detail, version=version)
    if batch_at(history, version) is None or event not in effective_events(history.events):
        raise Refused("no_such_ruling", f"event {version} belongs to the set-up, or is undone")
    if now_ms > millis(event.envelope.counted_from) + rules.window_s * 1000:
        raise Refused("too_late", f"a ruling may be disputed for {rules.window_s} seconds", version=version)
    mine = (one for one in history.table.disputes if one.seat == contested.seat and one.outcome is None)
    if any(one.version == version for one in mine):
        raise Refused("conflict", f"seat {contested.seat} disputes this ruling already")


def _ruling_at(history: TableHistory, version: int) -> Recorded:
    """Returns the ruling of that version; raises `Refused` if there is none."""
    check_version(history, version)
    event = history.events[version - 1]
    if not is_ruling(event):
        raise Refused("no_such_ruling", f"event {version} is {event.envelope.type}, which decides nothing")
    return event


def _check_reading(table: Table, rule: str, options: Mapping[str, Any]) -> None:
    """Raises `Refused` unless tables may choose these options by the disputed rule."""
    choices = {option.name for option in table.game.options if option.ruling == rule}
    for name in options:
        if name not in choices:
            raise Refused("option_refused", f"{rule} has no option {name!r}", option=name)
    try:
        table.game.read_options(table.options | dict(options), table.opened.players)
    except OptionsRefused as refusal:
        raise option_refused(refusal) from None


def comment(handler: TableHandler, table: str, asked: CallerContext, dispute_id: str, text: str) -> Outcome:
    """Records a comment by a seated player or the arbiter."""

    def decide(history: TableHistory) -> Decision:
        table = history.table
        found = _open_dispute(table, dispute_id)
        seat = table.seat_of(asked.player.id)
        if seat is None and not arbitrates(table, asked.caller):
            raise Refused("not_allowed", "only seated players and the arbiter can comment on a dispute")
        said = handler.texts.seal_in_event(table.id, "DisputeCommented", asked.player.id, text)
        payload = {"dispute": found.dispute, "player": asked.player.id, "seat": seat, "text": said}
        return Decision((new_lifecycle_event("DisputeCommented", payload),), asked.by)

    return handler.change(table, decide, asked.request)


class _LookedBefore(Exception):
    """The arbiter looks through this seat already."""


def look(handler: TableHandler, table: str, asked: CallerContext, dispute_id: str, seat: int) -> Outcome:
    """Records publicly that the arbiter looks through a seat, up to the disputed version and until the dispute ends.

    A second look records nothing.
    """

    def decide(history: TableHistory) -> Decision:
        table = history.table
        found = _open_dispute(table, dispute_id)
        _check_decides(table, asked.caller, "looks")
        check_seat(table, seat)
        if any(one.seat == seat for one in found.looks):
            raise _LookedBefore
        payload = {"dispute": found.dispute, "seat": seat, "player": asked.player.id, "until": found.version}
        return Decision((NewEvent("ArbiterLooked", payload, {}),), asked.by)

    try:
        return handler.change(table, decide, asked.request)
    except _LookedBefore:
        history = handler.history(table)
        return Outcome(history, VersionRange(history.table.version, history.table.version, repeated=True))


def _check_decides(table: Table, caller: Caller, does: str) -> None:
    if table.opened.disputes is None or table.opened.disputes.by != "arbiter":
        raise Refused("not_allowed", "the seats of this table decide its disputes by vote")
    if not arbitrates(table, caller):
        raise Refused("not_allowed", f"only the table's arbiter {does}, with a token of scope arbitrate")


def vote(handler: TableHandler, table: str, sent: CommandContext, dispute_id: str, ballot: Vote) -> Outcome:
    """Records a seat's vote; more than half of the seated people resolve the dispute."""

    def decide(history: TableHistory) -> Decision:
        table = history.table
        found = _open_dispute(table, dispute_id)
        if table.opened.disputes is None or table.opened.disputes.by != "vote":
            raise Refused("not_allowed", "the arbiter decides the disputes of this table")
        check_holds(table, ballot.seat, sent.player.id)
        payload = {"dispute": found.dispute, "seat": ballot.seat, "overturn": ballot.overturn}
        cast = NewEvent("DisputeVoted", payload, {})
        votes = {one.seat: one.overturn for one in found.votes} | {ballot.seat: ballot.overturn}
        persons = people(table)
        outcome = _outcome([votes[seat] for seat in persons if seat in votes], len(persons))
        if outcome is None:
            return Decision((cast,), sent.by)
        decided = _resolve(history, found, Verdict(outcome, ""), {"by": "vote", "player": None})
        return Decision((cast, *decided.new_events), sent.by, decided.sealed)

    return handler.change(table, decide, sent.request)


def _outcome(votes: list[bool], persons: int) -> str | None:
    """Returns `overturned` after more than half of the votes, `upheld` as soon as that can no longer happen."""
    if 2 * sum(votes) > persons:
        return "overturned"
    return "upheld" if 2 * (persons - votes.count(False)) <= persons else None


def resolve(handler: TableHandler, table: str, asked: CallerContext, dispute_id: str, verdict: Verdict) -> Outcome:
    """Records the arbiter's verdict."""

    def decide(history: TableHistory) -> Decision:
        table = history.table
        found = _open_dispute(table, dispute_id)
        _check_decides(table, asked.caller, "resolves its disputes")
        _check_reading(table, found.rule, verdict.options or {})
        said = handler.texts.seal_in_event(table.id, RESOLVED, asked.player.id, verdict.text)
        by = {"by": "arbiter", "player": asked.player.id, "text": said}
        decided = _resolve(history, found, verdict, by)
        return Decision(decided.new_events, asked.by, decided.sealed)

    return handler.change(table, decide, asked.request)


def lapse(handler: TableHandler, table: str, dispute_id: str) -> Outcome | None:
    """Records that the time for a dispute is over and the ruling stands; returns None if that no longer matters."""
    now_ms = handler.now_ms()

    def decide(history: TableHistory) -> Decision:
        found = _open_dispute(history.table, dispute_id)
        if now_ms < millis(found.deadline):
            raise Refused("dispute_closed", "there is still time")
        lapsed = _resolution(found, Verdict("lapsed", "", {}), {"by": "clock", "player": None})
        return Decision((lapsed,), {"kind": "clock"}, now_ms=now_ms)

    try:
        return handler.change(table, decide, Request(f"lapse|{dispute_id}|{now_ms}"))
    except Refused as refusal:
        if refusal.code in ("dispute_closed", "no_such_dispute"):
            return None
        raise


def _open_dispute(table: Table, dispute_id: str) -> Dispute:
    found = next((one for one in table.disputes if one.is_named(dispute_id)), None)
    if found is None:
        raise Refused("no_such_dispute", f"the table has no dispute {dispute_id!r}")
    if found.outcome is not None:
        raise Refused("dispute_closed", f"it was {found.outcome} by event {found.resolved}")
    return found


def _resolve(history: TableHistory, found: Dispute, verdict: Verdict, by: dict[str, Any]) -> Decision:
    """Returns the resolution; if overturned, after the correction and before the disputes that become moot."""
    if verdict.outcome != "overturned":
        return Decision((_resolution(found, verdict, by),), {})
    made = batch_at(history, found.version)
    if made is None:
        raise Refused("no_such_ruling", "the ruling belongs to the set-up")
    options = found.options if verdict.options is None else verdict.options
    why = Undoing(found.seat, "dispute", found.dispute, options)
    (taken_back, *played), sealed = take_back(history, made.before, why, made.moves)
    moot = [
        _resolution(one, Verdict("moot", "", {}), {"by": "correction", "player": None})
        for one in history.table.disputes
        if one.outcome is None and one.dispute != found.dispute and one.version > made.before
    ]
    resolution = _resolution(found, verdict._replace(options=options), by)
    return Decision((taken_back, resolution, *moot, *played), {}, sealed)


def _resolution(found: Dispute, verdict: Verdict, by: dict[str, Any]) -> NewEvent:
    """Returns the event; `by` has who resolves the dispute, and their encrypted text."""
    payload = {
        "dispute": found.dispute,
        "outcome": verdict.outcome,
        "text": verdict.text,
        "options": dict(verdict.options or {}) if verdict.outcome == "overturned" else {},
    }
    return new_lifecycle_event(RESOLVED, payload | by)
