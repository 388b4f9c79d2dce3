"""Tables, events and disputes as JSON values, as a viewer sees them."""

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Any

import msgspec
from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from events.envelopes import Recorded, event_as_read
from events.lifecycle import TEXTS
from events.times import stamp
from games import GAMES
from projections.disputes import Dispute, Offer
from projections.history import TableHistory, effective_events, readable
from projections.lobby_rows import forked_from
from projections.table import OpenDecision, Table
from rulings.notation.transcript import UNPROVEN
from rulings.other_readings import Judgement, correction_of
from rulings.rulebook import rule
from rulings.sentences import explanation, sentence
from service.accounts.callers import Caller
from service.accounts.personal_texts import as_text
from service.accounts.shown_names import NOBODYS, PLAIN, SOMEBODY, Names, Presenter
from service.tables.authorisation import Viewer

BESIDE = ("options", "scores")  # parts of a view that the table document holds once for all seats
SAT = "SeatTaken"
OF_PEOPLE = {SAT, *TEXTS}  # events that are presented with a person's name or text

Row = dict[str, Any]


def present_table(table: Table, viewer: Viewer, names: Names = NOBODYS) -> Row:
    """Returns the table as JSON values, with the game as the viewer sees it."""
    opened, counted = table.opened, table.in_standings
    return {
        "id": table.id,
        "game": opened.game,
        "rules_version": opened.rules_version,
        "status": table.status,
        "visibility": opened.visibility,
        "forked_from": present_origin(forked_from(table)),
        "version": table.version,
        "at": table.at,
        "hash": table.head.hash.hex(),
        "options": dict(table.options),
        "opened_by": opened.opened_by,
        "arbiter": opened.arbiter,
        "clock": msgspec.to_builtins(opened.clock),
        "disputes": opened.disputes,
        "paused": table.paused,
        "seats": [_seat(table, number, names) for number in range(1, opened.players + 1)],
        "decisions": [decision_row(decision) for decision in table.decisions],
        "waiting_for": waiting_for(table),
        "seat": viewer.seat,
        "view": view_of(table, viewer),
        "scores": table.scores,
        "closed": table.closed,
        "offer": _fields(table.offer) if table.offer else None,
        "counted": counted,
        "rated": counted and not table.casual,
        "aids": opened.aids,
        "ratings": opened.ratings,
        "lesson": opened.lesson,
        "transcribed": table.transcribed,
    }


def view_of(table: Table, viewer: Viewer) -> Any:
    """Returns the game as the viewer sees it, without the parts in `BESIDE`; None before it begins."""
    if table.state is None:
        return None
    view = table.game.open_view(table.state) if viewer.everything else table.game.view(table.state, viewer.seat)
    return _bare(table, view)


def _public_view(table: Table, state: Any) -> Any:
    """Returns a state of a running game as everybody may see it; None if the game is over there, which reveals all."""
    view = state and table.game.view(state, None)
    return _bare(table, view) if view and not view.over else None


def _bare(table: Table, view: Any) -> Any:
    return replace(view, **_unset_beside(table.opened.game))


@cache
def _unset_beside(game: str) -> dict[str, UnsetType]:
    return {name: UNSET for name in BESIDE if name in GAMES[game].view_type.__struct_fields__}


def _seat(table: Table, number: int, names: Names) -> Row:
    seat, offer = table.seats[number - 1], table.opened.seats[number - 1]
    name = table.called[number - 1] if table.called else seat.player and names.get(seat.player, SOMEBODY)
    return {
        "seat": number,
        "kind": "ai" if seat.ai else "player" if seat.player else offer.kind,
        "level": seat.ai.level if seat.ai else None,
        "kept_for": offer.player,
        "player": seat.player,
        "name": name,
        "bot": seat.bot,
        "clock": seat_clock(table, number),
    }


def seat_clock(table: Table, number: int) -> Row | None:
    """Returns the time that a person has used and has left."""
    if table.seats[number - 1].player is None or table.transcribed:
        return None
    clock, decision = table.clocks[number - 1], table.decision_of(number)
    runs = clock.since_ms is not None
    return {
        "used_ms": clock.total_ms,
        "bank_ms": clock.bank_ms,
        "running_since": stamp(clock.since_ms) if clock.since_ms is not None else None,
        "deadline": decision.deadline if decision and runs else None,
    }


def decision_row(decision: OpenDecision) -> Row:
    """Returns an open decision as JSON values."""
    return {
        "id": decision.public_id,
        "seat": decision.seat,
        "since": decision.since,
        "deadline": decision.deadline,
        "expired": decision.expired,
    }


def waiting_for(table: Table) -> list[Row]:
    """Returns the seats that have to decide, whether a player or an AI holds each, and since when; none in a pause."""
    if table.paused:
        return []
    return [
        {"seat": one.seat, "kind": "ai" if table.seats[one.seat - 1].ai else "player", "since": one.since}
        for one in table.decisions
    ]


def waiting(table: Table, player: str) -> list[Row]:
    """Returns the decisions that wait for a player at a table, as the inbox lists them."""
    row = {"table": table.id, "game": table.opened.game, "version": table.version}
    seat = table.seat_of(player)
    return [row | decision_row(decision) for decision in table.decisions if decision.seat == seat]


def ends_wait(table: Table, caller: Caller) -> bool:
    """Whether a decision waits for the caller, or none can come any more."""
    seat = table.seat_of(caller.id)
    decides = seat is not None and not table.paused and bool(table.decision_of(seat))
    return decides or table.over or table.transcribed or bool(table.closed)


def open_decisions(table: Table, seat: int | None) -> list[Row]:
    """Returns the open decisions of a seat with its legal moves; none while a dispute pauses the table."""
    if table.state is None or seat is None or table.paused:
        return []
    return [
        decision_row(decision) | {"moves": table.game.legal_moves(table.state, decision.seat)}
        for decision in table.decisions
        if decision.seat == seat
    ]


def present_origin(origin: Mapping[str, Any] | None) -> Row | None:
    """Returns the parent of a branch; a transcript is one without a hash, since no record proves it."""
    return {**origin, "transcribed": origin["head"] == UNPROVEN.hex()} if origin else None


# Disputes


def present_dispute(table: Table, dispute: Dispute, presenter: Presenter) -> Row:
    """Returns a dispute with its texts."""
    comments = [
        msgspec.structs.asdict(comment) | {"text": presenter.text(table.id, "DisputeCommented", comment.text)}
        for comment in dispute.comments
    ]
    return _fields(dispute) | {
        "remedy": msgspec.to_builtins(dispute.remedy),
        "claim": presenter.text(table.id, "DisputeOpened", dispute.claim),
        "text": presenter.text(table.id, "DisputeResolved", dispute.text),
        "comments": comments,
    }


def _fields(one: Dispute | Offer) -> Row:
    """Returns the fields under the public id, which replaces the recorded name and the mark."""
    fields = msgspec.structs.asdict(one)
    return {"id": one.name} | {name: fields[name] for name in fields if name not in ("dispute", "offer", "mark")}


# Events and rulings


def event_rows(
    events: tuple[Recorded, ...],
    table: Table,
    viewer: Viewer,
    language: str | None = None,
    presenter: Presenter = PLAIN,
) -> list[Row]:
    """Returns events as the viewer may read them; looks up all names and texts at once."""
    of_people = [event.envelope for event in events if event.envelope.type in OF_PEOPLE]
    if of_people:
        presenter.names_of(one.payload["player"] for one in of_people if one.type == SAT)
        presenter.names.texts.prefetch(as_text(one.payload[TEXTS[one.type]]) for one in of_people if one.type in TEXTS)
    return [event_row(event, table, viewer, language, presenter) for event in events]


def event_row(
    event: Recorded, table: Table, viewer: Viewer, language: str | None = None, presenter: Presenter = PLAIN
) -> Row:
    """Returns an event as the viewer may read it, with a sentence in `words` if a language is given.

    Names and texts are in `texts`, beside the payload that is hashed.
    """
    game, type_ = table.opened.game, event.envelope.type
    row = {"game": game} | event_as_read(event, viewer.seat, over=viewer.over)
    if (used_ms := used_ms_of(event, table)) is not None:
        row["used_ms"] = used_ms
    if type_ in OF_PEOPLE and (texts := texts_of(event.envelope.table, type_, event.envelope.payload, presenter)):
        row["texts"] = texts
    if language is not None:
        row["words"] = sentence(game, type_, row["payload"] | row.get("texts", {}), language)
    return row


def used_ms_of(event: Recorded, table: Table) -> int | None:
    """Returns how long a person took for the decision that begins with this event, None if none does."""
    first, last = event.envelope.batch
    if event.version != first or event.envelope.table != table.id or table.transcribed:
        return None
    answer = table.answer_at(last)
    return answer.used_ms if answer else None


def texts_of(table: str, type_: str, payload: Mapping[str, Any], presenter: Presenter) -> dict[str, str | None]:
    """Returns the name or text of a person in an event with this payload, by field."""
    if type_ == SAT:
        player = payload["player"]
        return {"name": presenter.names_of([player])[player]} if player else {}
    field = TEXTS.get(type_)
    return {field: presenter.text(table, type_, as_text(payload[field]))} if field and payload[field] else {}


def is_ruling(event: Recorded) -> bool:
    """Whether the event is a ruling: it names the rules that it applied."""
    return "rules" in event.envelope.payload


def ruling_rows(events: Iterable[Recorded], history: TableHistory, viewer: Viewer, presenter: Presenter) -> list[Row]:
    """Returns rulings with their figures, reasons in words and rules, and whether each was undone."""
    effective = {event.version for event in effective_events(history.events)}
    return [
        _ruling_row(event, history, viewer, presenter) | {"undone": event.version not in effective} for event in events
    ]


def _ruling_row(event: Recorded, history: TableHistory, viewer: Viewer, presenter: Presenter) -> Row:
    table, type_ = history.table, event.envelope.type
    payload = event_as_read(event, viewer.seat, over=viewer.over)["payload"]
    reason = None
    if found := correction_of(history, event):
        reason = texts_of(table.id, found.envelope.type, found.envelope.payload, presenter).get("reason", "")
    return {
        "version": event.version,
        "type": type_,
        "at": event.envelope.at,
        "figures": payload,
        "words": explanation(table.opened.game, type_, payload, presenter.language, reason),
        "rules": [rule_row(table, rule_id) for rule_id in payload["rules"]],
    }


def present_remedy(table: Table, judged: Judgement, language: str) -> Row:
    """Returns a remedy as a dispute asks for it, and what it leads to."""
    event, game = judged.event, table.opened.game
    figures = None if event is None else readable(event.payload, event.readers, None)
    correction = {"correction": judged.number}
    was, then = (_public_view(table, state) for state in judged.states or (None, None))
    return {
        "rule": judged.rule,
        "remedy": msgspec.to_builtins(judged.remedy) if judged.number is None else correction,
        "differs": judged.differs,
        "version": judged.version,
        "type": event and event.type,
        "figures": figures,
        "words": None if event is None else sentence(game, event.type, figures or {}, language),
        "decided": was,
        "view": then,
        "refused": judged.refused,
    }


def rule_row(table: Table, rule_id: str) -> Row:
    """Returns a rule with its text, and its house rules: the value in force and those to choose from."""
    found, in_force = rule(table.opened.game, rule_id), table.options
    options = [
        {"option": option.name, "in_force": in_force[option.name], "values": list(option.values)}
        for option in table.game.options
        if option.ruling == rule_id
    ]
    return {"id": found.id, "title": found.title, "text": found.text, "options": options}


def table_export(history: TableHistory, player: str, presenter: Presenter) -> Row:
    """Returns what a table holds of a player: seats, name and texts."""
    table = history.table
    taken = [event.payload for event in history.events if event.envelope.type == SAT]
    return {
        "table": table.id,
        "game": table.opened.game,
        "status": table.status,
        "visibility": table.opened.visibility,
        "opened_at": table.opened_at,
        "seats": sorted({payload["seat"] for payload in taken if payload["player"] == player}),
        "texts": list(_texts(history, player, presenter)),
        "archive": f"/v1/tables/{table.id}/archive",
    }


def _texts(history: TableHistory, player: str, presenter: Presenter) -> Iterator[Row]:
    for event in history.events:
        if event.writer == player:
            envelope = event.envelope
            for text in texts_of(envelope.table, envelope.type, envelope.payload, presenter).values():
                yield {"version": envelope.version, "type": envelope.type, "at": envelope.at, "text": text}
