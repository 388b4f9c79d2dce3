"""What a text may hold before it is kept: signs and names that do not mislead, and a state that the game can show."""

import re
import unicodedata
from collections.abc import Iterator
from typing import Any

import msgspec
from marshmallow import ValidationError

from projections.checked_folding import FAULTS
from projections.history import History
from rulings.notation import NotationError
from rulings.notation.document import Tag, TextPosition
from rulings.notation.tabling import Transcript
from rulings.words import LANGUAGES, TABLE, name_of, sentence
from service.accounts.allowed_names import CONTROLS, checked_name, checked_text
from service.accounts.callers import OPERATOR
from service.levels import LEVELS

MOST_CHARACTERS = 40  # of a name
MOST_LINES = 1000  # of a text: an id has as many digits
MOST_BYTES = 2_000_000  # of the states with which lines begin: 200 variations of the game whose states are largest
MOST_OF_STATE = 20_000  # bytes of the state with which a text begins: no recorded game has half of it
MISLEADING = re.compile(rf"(?![\t\r\n])[{CONTROLS}]")  # as no text may hold them that others read: comments are shown
# Names that texts of this service hold, though no account may have them: the operator's, and of whoever was erased.
WRITTEN = {OPERATOR.name, *(name_of(TABLE, "somebody", language) for language in LANGUAGES)}


def check_signs(text: str) -> None:
    """Raises `NotationError` for a control, or a sign that turns the direction of what is around it, wherever it is."""
    if found := MISLEADING.search(text):
        before = text[: found.start()]
        raise _misleading(TextPosition(before.count("\n") + 1, len(before) - before.rfind("\n")), found[0])


def _misleading(place: TextPosition, sign: str) -> NotationError:
    told = unicodedata.name(sign, "a sign without a name")
    return NotationError(place, f"a text must not hold U+{ord(sign):04X} ({told})")


def check(transcript: Transcript) -> None:
    """Raises `NotationError` where a text holds what people cannot be shown."""
    for tag in transcript.document.tags:
        _check_escaped(tag)
        if tag.name == "Seat":
            _check_seat(tag)
    if len(transcript.lines) > MOST_LINES:
        place = transcript.document.tags[0].place
        raise NotationError(place, f"a text has at most {MOST_LINES - 1} variations, not {len(transcript.lines) - 1}")
    _check_weight(transcript)
    if state := transcript.document.tag("State"):
        _check_states(transcript, state)


def _check_escaped(tag: Tag) -> None:
    """Raises `NotationError` for such a sign in a string that is written in JSON: a state names cards as it likes."""
    for text in _texts((tag.values, tag.named)):
        if found := MISLEADING.search(text):
            raise _misleading(tag.place, found[0])


def _texts(value: Any) -> Iterator[str]:
    """All texts in a value, those that name others too."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        yield from _texts((*value, *value.values()))
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _texts(item)


def _check_weight(transcript: Transcript) -> None:
    """Each variation is a table that begins with a state, which is kept in memory and shown."""
    tag = transcript.document.tag("State") or transcript.document.tags[0]
    try:
        of_state, of_all = len(msgspec.json.encode(transcript.lines[0].state)), transcript.weight
    except FAULTS as error:
        raise _senseless(tag, error) from None
    if of_state > MOST_OF_STATE:
        raise NotationError(tag.place, f"the state takes {of_state} bytes of JSON, and may take {MOST_OF_STATE}")
    if of_all > MOST_BYTES:
        told = f"the states with which variations begin take {of_all} bytes of JSON, and may take {MOST_BYTES}"
        raise NotationError(tag.place, f"{told}: leave some variations out")


def _check_seat(tag: Tag) -> None:
    for name in ("name", "ai", "level"):
        text = tag.named.get(name) or ""
        if len(text) > MOST_CHARACTERS:
            raise NotationError(tag.place, f"{name} has at most {MOST_CHARACTERS} characters")
        try:
            if name != "level":
                _check_name(text)
            checked_text(text)
        except ValidationError as error:
            raise NotationError(tag.place, f"{name} {error.messages[0]}") from None
    if (level := tag.named.get("level")) and level not in LEVELS:
        raise NotationError(tag.place, f"there is no level {level!r}, but {', '.join(LEVELS)}")


def _check_name(name: str) -> None:
    """Raises `ValidationError` for a name that no account may take: it stands at a seat as others' names do.

    So does that of an AI player, which the text names.
    """
    if name not in WRITTEN:
        checked_name(name)


def _check_states(transcript: Transcript, tag: Tag) -> None:
    """A state that a text begins with may be none that a game leads to: then the game falls over it."""
    try:
        for number in range(len(transcript.lines)):
            _look(transcript.history(number))
    except FAULTS as error:
        raise _senseless(tag, error) from None


def _senseless(tag: Tag, error: Exception) -> NotationError:
    return NotationError(tag.place, f"the state makes no sense: {type(error).__name__}")


def _look(history: History) -> None:
    """Shows what anybody could ask for."""
    game, players = history.table.game, history.table.opened.players
    for table in history.walk(1, history.table.version):
        if table.state is not None:
            seen = [game.view(table.state, seat) for seat in (None, *range(1, players + 1))]
            msgspec.json.encode([*seen, game.open_view(table.state), game.scores(table.state)])
    for event in history.events:
        for language in LANGUAGES:
            sentence(game.slug, event.envelope.type, event.payload, language)
