"""A finished table from one form into another: archive or notation in, notation or the game's events out."""

from collections.abc import Iterator
from pathlib import Path

import msgspec

from games.payloads import event_type, payload_of
from rulings.archive_file import history_of, lines_in, opened
from rulings.notation import document_of, parse, replay, write
from rulings.notation.document import Document
from wintercount.operations.offline import text_in


def converted(path: str, form: str) -> Iterator[str]:
    """The lines of a file in another form; raises `ArchiveRefused`, `NotationError` or `LogDamaged`.

    A text in notation is replayed to its end first, so that what comes out is a game by the rules.
    """
    document = _document(path)
    played = replay(document)
    if form == "notation":
        yield from write(document).splitlines()
        return
    for turn in played.turns:
        for event in turn.events:
            yield msgspec.json.encode({"type": event_type(event), "payload": payload_of(event)}).decode()


def _document(path: str) -> Document:
    with opened(Path(path)) as file:
        first = file.read(1)
    if first != b"{":
        return parse(text_in(path))
    with opened(Path(path)) as archive:
        return document_of(history_of(lines_in(archive)), None, over=True)
