"""Events and rulings as a reader may read them: with words, people's names and texts, and the rules applied."""

from collections.abc import Iterator, Mapping
from typing import Any

from events.lifecycle import TEXTS
from events.recorded import Recorded, event_as_read
from projections.history import TableHistory
from projections.table import Table
from rulings.rulebook import rule, rules
from rulings.words import explanation, sentence
from service.accounts.names import PLAIN, Presenter
from service.accounts.personal_texts import as_text
from service.tables.clocks import used_ms_of
from service.tables.viewing import Viewer

SAT = "SeatTaken"
OF_PEOPLE = {SAT, *TEXTS}  # the types of events that are shown with a name or a text


def event_rows(
    events: tuple[Recorded, ...],
    table: Table,
    viewer: Viewer,
    language: str | None = None,
    presenter: Presenter = PLAIN,
) -> list[dict[str, Any]]:
    """Events as the viewer may read them; with a language, each of the game's own has a sentence in `words`."""
    _expect(events, presenter)
    return [event_row(event, table, viewer, language, presenter) for event in events]


def _expect(events: tuple[Recorded, ...], presenter: Presenter) -> None:
    """Looks up in one go what the events show of people: it is remembered for longer than the answer takes."""
    of_people = [event.envelope for event in events if event.envelope.type in OF_PEOPLE]
    if not of_people:
        return
    presenter.names_of(one.payload["player"] for one in of_people if one.type == SAT)
    presenter.names.texts.prefetch(as_text(one.payload[TEXTS[one.type]]) for one in of_people if one.type in TEXTS)


def event_row(
    event: Recorded, table: Table, viewer: Viewer, language: str | None = None, presenter: Presenter = PLAIN
) -> dict[str, Any]:
    """One event as the viewer may read it, with the game by which its form is known; `table` is as it is after it.

    `texts` has people's names and texts, beside the payload that is hashed; `used_ms` how long a person took for the
    decision that begins with this event.
    """
    game = table.opened.game
    row = {"game": game} | event_as_read(event, viewer.seat, over=viewer.over)
    if (used_ms := used_ms_of(event, table)) is not None:
        row["used_ms"] = used_ms
    type_ = event.envelope.type
    if type_ in OF_PEOPLE and (told := texts_of(event.envelope.table, type_, event.envelope.payload, presenter)):
        row["texts"] = told
    if language is None:
        return row
    payload = row["payload"] | row.get("texts", {})
    return row | {"words": sentence(game, type_, payload, language)}


def texts_of(table: str, type_: str, payload: Mapping[str, Any], presenter: Presenter) -> dict[str, str | None]:
    """What somebody is called or wrote in an event with this payload, by field; nothing in most."""
    if type_ == SAT:
        player = payload["player"]
        return {"name": presenter.names_of([player])[player]} if player else {}
    field = TEXTS.get(type_)
    return {field: presenter.text(table, type_, as_text(payload[field]))} if field and payload[field] else {}


def is_ruling(event: Recorded) -> bool:
    """Whether the event is a ruling: it names the rules that it applied."""
    return "rules" in event.envelope.payload


def ruling_row(event: Recorded, table: Table, viewer: Viewer, language: str) -> dict[str, Any]:
    """A ruling with its figures, its reason in words, and its rules with the house rules that shaped them."""
    row = event_as_read(event, viewer.seat, over=viewer.over)
    return {
        "version": event.version,
        "type": event.envelope.type,
        "at": event.envelope.at,
        "figures": row["payload"],
        "words": explanation(table.opened.game, event.envelope.type, row["payload"], language),
        "rules": [rule_row(table, rule_id) for rule_id in row["payload"]["rules"]],
    }


def rule_row(table: Table, rule_id: str) -> dict[str, Any]:
    """A rule with its text, and if it is a ruling with options: the value in force and those a table may choose."""
    found = rule(table.opened.game, rule_id)
    options = [option for option in table.game.options if option.ruling == rule_id]
    now = table.options
    return {
        "id": found.id,
        "title": found.title,
        "text": found.text,
        "options": [
            {"option": option.name, "in_force": now[option.name], "values": list(option.values)} for option in options
        ],
    }


def rule_text(game: str, rule_id: str) -> str | None:
    """The text of a rule, if the game has it."""
    return rules(game)[rule_id].text if rule_id in rules(game) else None


def concerning(history: TableHistory, player: str, presenter: Presenter) -> dict[str, Any]:
    """Where the player sat at a table, and what they are called and wrote there."""
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


def _texts(history: TableHistory, player: str, presenter: Presenter) -> Iterator[dict[str, Any]]:
    for event in history.events:
        if event.writer == player:
            kept = event.envelope
            for text in texts_of(kept.table, kept.type, kept.payload, presenter).values():
                yield {"version": kept.version, "type": kept.type, "at": kept.at, "text": text}
