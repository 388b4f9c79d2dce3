"""Events as they are told to a reader: with a sentence, and with people's names and texts beside the payload."""

from collections.abc import Mapping
from typing import Any

from events.lifecycle import TEXTS
from events.recorded import Recorded, as_read
from projections.table import Table
from rulings.words import sentence
from service.accounts.personal_texts import NOBODYS, Teller, as_kept
from service.tables.showing_clocks import used_ms_of
from service.tables.viewing import Viewer


def event_rows(
    events: tuple[Recorded, ...], table: Table, viewer: Viewer, language: str | None = None, tell: Teller = NOBODYS
) -> list[dict[str, Any]]:
    """Events as the viewer may read them; with a language, each of the game's own has a sentence in `words`."""
    kept = (_text_in(event.envelope.type, event.envelope.payload) for event in events)
    tell.expect(text for texts in kept for text in texts.values())
    return [event_row(event, table, viewer, language, tell) for event in events]


def event_row(
    event: Recorded, table: Table, viewer: Viewer, language: str | None = None, tell: Teller = NOBODYS
) -> dict[str, Any]:
    """One event as the viewer may read it, with the game by which its form is known; `table` is as it is after it.

    `texts` has people's names and texts, beside the payload that is hashed; `used_ms` how long a person took for the
    decision that begins with this event.
    """
    game = table.opened.game
    row = {"game": game} | as_read(event, viewer.seat, over=viewer.over)
    if (used_ms := used_ms_of(event, table)) is not None:
        row["used_ms"] = used_ms
    if told := texts_of(event.envelope.table, event.envelope.type, event.envelope.payload, tell):
        row["texts"] = told
    if language is None:
        return row
    payload = row["payload"] | row.get("texts", {})
    return row | {"words": sentence(game, event.envelope.type, payload, language)}


def texts_of(table: str, type_: str, payload: Mapping[str, Any], tell: Teller) -> dict[str, str | None]:
    """What somebody is called or wrote in an event with this payload, by field; nothing in most."""
    return {field: tell(table, type_, text) for field, text in _text_in(type_, payload).items()}


def _text_in(type_: str, payload: Mapping[str, Any]) -> dict[str, Any]:
    """The encrypted text of an event with this payload, by its field; most have none."""
    field = TEXTS.get(type_)
    return {field: as_kept(payload[field])} if field and payload[field] else {}
