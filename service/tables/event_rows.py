"""Events as they are told to a reader: with a sentence, and with people's names and texts beside the payload."""

from collections.abc import Mapping
from typing import Any

from events.lifecycle import TEXTS
from events.recorded import Recorded, as_read
from projections.table import Table
from rulings.words import sentence
from service.accounts.names import PLAIN, Presenter
from service.accounts.personal_texts import as_kept
from service.tables.showing_clocks import used_ms_of
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
    presenter.named(one.payload["player"] for one in of_people if one.type == SAT)
    presenter.names.texts.expect(as_kept(one.payload[TEXTS[one.type]]) for one in of_people if one.type in TEXTS)


def event_row(
    event: Recorded, table: Table, viewer: Viewer, language: str | None = None, presenter: Presenter = PLAIN
) -> dict[str, Any]:
    """One event as the viewer may read it, with the game by which its form is known; `table` is as it is after it.

    `texts` has people's names and texts, beside the payload that is hashed; `used_ms` how long a person took for the
    decision that begins with this event.
    """
    game = table.opened.game
    row = {"game": game} | as_read(event, viewer.seat, over=viewer.over)
    if (used_ms := used_ms_of(event, table)) is not None:
        row["used_ms"] = used_ms
    if told := texts_of(event.envelope.table, event.envelope.type, event.envelope.payload, presenter):
        row["texts"] = told
    if language is None:
        return row
    payload = row["payload"] | row.get("texts", {})
    return row | {"words": sentence(game, event.envelope.type, payload, language)}


def texts_of(table: str, type_: str, payload: Mapping[str, Any], presenter: Presenter) -> dict[str, str | None]:
    """What somebody is called or wrote in an event with this payload, by field; nothing in most."""
    if type_ == SAT:
        player = payload["player"]
        return {"name": presenter.named([player])[player]} if player else {}
    field = TEXTS.get(type_)
    return {field: presenter.text(table, type_, as_kept(payload[field]))} if field and payload[field] else {}
