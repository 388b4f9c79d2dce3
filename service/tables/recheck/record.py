"""Makes every batch of a table again with the use case that recorded it, and compares the record byte for byte.

Who may do it, what is recorded of it and behind it, for whom it is secret, and which draws it took: all of it follows
from what was brought. What neither an input nor an event before determines is listed in docs/log.md.
"""

from collections.abc import Iterator
from itertools import groupby
from typing import Any, NamedTuple

from events.canonical import canonical
from events.lifecycle import TEXTS, PersonalText
from events.recorded import Envelope, NewEvent, Recorded
from events.times import millis, stamp
from games.kernel import MoveRefused, OptionsRefused
from projections.checked_folding import FAULTS, MARK
from projections.folding import fold
from projections.history import History
from projections.recording import as_of_today, lifecycle_of
from service.accounts.personal_texts import is_well_formed
from service.commands import Decided
from service.errors import Refused
from service.levels import NEWEST
from service.tables.opening import game_of
from service.tables.playing import Provenance
from service.tables.recheck.ai_moves import moved
from service.tables.recheck.batch import CASES, SLACK_MS
from service.tables.recheck.opening import OPENINGS
from service.tables.recheck.recorded import Taken, Wrong

OURS = ("ai|", "clock|", "lapse|")  # how the requests begin that the service itself makes


class Seen(NamedTuple):
    """What the batches before had: their requests, and the newest form of each type of event."""

    requests: set[str | None]
    forms: dict[str, int]


def rerun_faults(history: History) -> Iterator[str]:
    """The first batch that would be recorded differently, with its version; nothing if there is none."""
    before: History | None = None
    seen = Seen(set(), {})
    for _, group in groupby(history.events, key=lambda event: event.envelope.batch):
        batch = Taken(before, tuple(group))
        if fault := _fault_of(batch, seen):
            yield fault
            return
        seen.requests.add(batch.first.envelope.request)
        before = _grown(batch)


def _grown(batch: Taken) -> History:
    """The history with the batch."""
    known, table, marks = (
        (batch.before.events, batch.before.table, batch.before.marks) if batch.before else ((), None, ())
    )
    after = fold(table, batch.events)
    if after is None:
        raise ValueError("a batch has events")
    far = after.version >= (marks[-1].version if marks else 0) + MARK
    return History(known + batch.events, after, (*marks, after) if far else marks)


def _fault_of(batch: Taken, seen: Seen) -> str | None:
    """The fault of a batch, with its version; None if there is none."""
    where = f"version {batch.first.version}"
    try:
        _check_form(batch, seen.requests)
        decided = _as_recorded(_decided(batch), batch)
        _check_request(batch)
        _check_options(batch)
        _check_texts(batch)
        return _difference(batch, decided)
    except Wrong as wrong:
        return f"{where}: {wrong}"
    except (Refused, MoveRefused, OptionsRefused) as refusal:
        return f"{where}: {batch.named} would be refused: {refusal}"
    except FAULTS as error:
        return f"{where}: {batch.named} makes no sense there ({type(error).__name__})"


def _check_form(batch: Taken, requests: set[str | None]) -> None:
    """Checks what is true of every batch; raises `Wrong`."""
    first = batch.first.envelope
    _check_versions(batch)
    if stamp(millis(first.at)) != first.at or (batch.before and first.at < batch.table.at):
        raise Wrong("`at` is no time behind the one before, as the record writes it")
    if first.now is not None and not _is_behind(batch, first.now):
        raise Wrong("`now` is no time of a machine behind a table's time that stood still")
    if not first.request or first.request in requests:
        raise Wrong("`request` names none, or one that was answered before")
    for event in batch.events:
        _check_envelope(event.envelope, batch)


def _check_versions(batch: Taken) -> None:
    first, last = batch.first.envelope, batch.events[-1].envelope
    due = (batch.before.table.version if batch.before else 0) + 1
    if first.version != due or first.batch != (first.version, last.version):
        raise Wrong("the batch is torn")


def _check_envelope(envelope: Envelope, batch: Taken) -> None:
    if type(envelope.schema) is not int or envelope.schema < 1:
        raise Wrong("`schema` is no number of a form")
    if batch.before and envelope.table != batch.table.id:
        raise Wrong("it belongs to another table")
    if _common(envelope) != _common(batch.first.envelope):
        raise Wrong(f"version {envelope.version} of the same batch has another `at`, `now`, `by` or `request`")


def _common(envelope: Envelope) -> bytes:
    """The fields that all events of a batch share."""
    return canonical([envelope.at, envelope.now, envelope.by, envelope.request])


def _is_behind(batch: Taken, now: str) -> bool:
    """Whether a machine's clock can have said this: then the table's time stood still."""
    at = batch.first.envelope.at
    return batch.before is not None and at == batch.table.at and stamp(millis(now)) == now < at


def _check_options(batch: Taken) -> None:
    """Checks that the game starts with the table's house rules, each of them named; raises `Wrong`."""
    opened = batch.events[0].payload.get("options") if batch.before is None else batch.table.opened.options
    for event in batch.events:
        if event.envelope.type == "GameStarted" and sorted(event.payload["options"]) != sorted(opened or {}):
            raise Wrong("`options` of GameStarted are not those that the table was opened with")


def _check_texts(batch: Taken) -> None:
    """Checks that who sits down has a name, and that encrypted texts are their writers' own; raises `Wrong`."""
    for event in batch.events:
        if (type_ := event.envelope.type) not in TEXTS:
            continue
        told, name = lifecycle_of(event), TEXTS[type_]
        text, writer = getattr(told, name), getattr(told, "player", batch.by.get("player"))
        if type_ == "SeatTaken" and writer is not None and not text:
            raise Wrong("`name` of a person is missing")
        if isinstance(text, PersonalText) and (text.of != writer or not is_well_formed(text.text)):
            raise Wrong(f"`{name}` is not what {writer} can be called or have written")


def _decided(batch: Taken) -> Decided:
    """The decision of the use case that records such a batch."""
    if batch.named in OPENINGS:
        return OPENINGS[batch.named](batch)
    if batch.named in CASES:
        return CASES[batch.named](batch)
    if batch.named in batch.table.game.kinds:
        return moved(batch)
    raise Wrong(f"no batch begins with {batch.named}")


def _as_recorded(decided: Decided, batch: Taken) -> Decided:
    """The batch with the recorded version of each AI player that sits down, as its level may have a later one today."""
    new_events = tuple(
        _kind_as_recorded(new_event, event) for new_event, event in zip(decided.new_events, batch.events, strict=False)
    )
    return Decided(new_events + decided.new_events[len(new_events) :], decided.by, decided.sealed, decided.draws)


def _kind_as_recorded(new_event: NewEvent, event: Recorded) -> NewEvent:
    will, was = new_event.payload.get("ai"), event.payload.get("ai")
    if not isinstance(will, dict) or not isinstance(was, dict) or type(was.get("version")) is not int:
        return new_event
    if not 1 <= was["version"] <= NEWEST[will["player"]]:
        return new_event
    return NewEvent(new_event.type, new_event.payload | {"ai": will | {"version": was["version"]}}, new_event.readers)


def _check_request(batch: Taken) -> None:
    """Checks that the service's own requests are named after what they do; raises `Wrong`."""
    request, payload = str(batch.first.envelope.request), batch.first.payload
    if "ai" in batch.by:
        decision = batch.table.decision_of(batch.by["seat"])
        right = decision is not None and request == f"ai|{decision.recorded_id}"
    elif batch.by.get("kind") == "clock":
        kind, _, rest = request.partition("|")
        name, _, ms = rest.rpartition("|")
        what = {"ClockExpired": ("clock", payload.get("decision"))}.get(batch.named, ("lapse", payload.get("dispute")))
        right = (kind, name) == what and ms.isdecimal() and ms.isascii() and _is_then(batch, int(ms))
    else:
        right = not request.startswith(OURS)
    if not right:
        raise Wrong("`request` is not what this is named")


def _is_then(batch: Taken, ms: int) -> bool:
    """Whether a time is that of recording, which stands still while the machine's clock is behind."""
    return ms <= batch.now_ms and (batch.stands_still or ms >= batch.now_ms - SLACK_MS)


def _difference(batch: Taken, decided: Decided) -> str | None:
    """Where the record differs from the decision, field by field."""
    will = [
        _row(new_event.type, new_event.payload, new_event.readers, decided, first=n == 0)
        for n, new_event in enumerate(decided.new_events)
    ]
    if len(will) != len(batch.events):
        return f"version {batch.first.version}: the batch has {len(batch.events)} events, and would have {len(will)}"
    game = batch.before.table.game if batch.before else game_of(batch.first.payload["game"])
    for event, row in zip(batch.events, will, strict=True):
        was = _told(event, as_of_today(game, event))
        if other := [name for name in row if canonical(was[name]) != canonical(row[name])]:
            return f"version {event.version}: `{other[0]}` of {was['type']} would be recorded otherwise"
    return None


def _told(event: Recorded, today: NewEvent) -> dict[str, Any]:
    """What an event records, all secrets opened, and its payload as of today."""
    envelope = event.envelope
    sealed = {name: seal.value for name, seal in event.sealed.items() if name not in envelope.readers}
    as_decided = Decided((), envelope.by, sealed, envelope.draws)
    return _row(envelope.type, today.payload, today.readers, as_decided, first=True)


def _row(type_: str, payload: Any, readers: Any, decided: Decided, *, first: bool) -> dict[str, Any]:
    """An event in the form that is compared: the same whether the record of an AI player is public or sealed."""
    sealed = decided.sealed if first else {}
    ai = {name: value for name, value in sealed.items() if name in Provenance.__struct_fields__}
    by = decided.by | {"ai": decided.by["ai"] | ai} if "ai" in decided.by and first and sealed else decided.by
    return {
        "type": type_,
        "by": by,
        "payload": payload,
        "readers": readers,
        "sealed": {name: value for name, value in sealed.items() if name not in ai},
        "draws": decided.draws if first else {},
    }
