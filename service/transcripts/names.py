"""The ids of transcripts: that of a text by itself, and with a number behind it those of its variations."""

import base64
import hashlib
import re
from typing import NamedTuple

SLOT, OWN = 4, 16  # letters: where it lies, and what tells it from all others there
NAME = re.compile(rf"(x_[a-z2-7]{{{SLOT + OWN}}})(?:-([1-9][0-9]{{0,3}}))?")


class TranscriptName(NamedTuple):
    """The id of a transcript, and the number of a line of it: 0 is the main line."""

    transcript: str
    line: int


def is_transcript(table: str) -> bool:
    """Whether this can be the id of a transcript or of one of its lines."""
    return NAME.fullmatch(table) is not None


def named(table: str) -> TranscriptName | None:
    """What an id names; None if it is no transcript's."""
    found = NAME.fullmatch(table)
    return TranscriptName(found[1], int(found[2] or 0)) if found else None


def slot_of_keeper(player: str) -> str:
    """Where the transcripts of a player lie: all in one slot, so that one script may touch what it needs."""
    return _letters(hashlib.sha256(player.encode()).digest(), SLOT)


def slot_of(transcript: str) -> str:
    """Where a transcript lies."""
    return transcript[2 : 2 + SLOT]


def name_of(player: str, fingerprint: bytes) -> str:
    """The id of a player's transcript with this fingerprint."""
    return f"x_{slot_of_keeper(player)}{_letters(fingerprint, OWN)}"


def _letters(digest: bytes, count: int) -> str:
    return base64.b32encode(digest).decode().lower()[:count]
