"""Checks names and texts that others see: no misleading characters, and no name that looks like the operator's."""

import re
import unicodedata
from collections.abc import Iterator
from functools import cache
from itertools import combinations

from confusable_homoglyphs.confusables import confusables_data
from idna import valid_contextj
from marshmallow import ValidationError

# Characters that are invisible though their category does not say so: Default_Ignorable_Code_Point of Unicode, the
# blank of Braille, placeholders and noncharacters.
INVISIBLE = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2065\u2800\u3164\uffa0\ufffc\U0001d159").union(
    *(map(chr, range(0x180B, 0x1810)), map(chr, range(0xFE00, 0xFE10))),
    *(map(chr, range(0xFFF0, 0xFFF9)), map(chr, range(0xE0000, 0xE1000))),
    *(map(chr, range(0xFDD0, 0xFDF0)), (chr(plane << 16 | 0xFFFE | last) for plane in range(17) for last in (0, 1))),
)
PICTURE = (  # blocks that hold emoji
    r"[\u00a9\u00ae\u203c\u2049\u2122\u2139\u2190-\u21ff\u2300-\u23ff\u24c2\u25a0-\u27bf\u2900-\u297f\u2b00-\u2bff"
    r"\u3030\u303d\u3297\u3299\U0001f000-\U0001faff]"
)
TINTED = rf"{PICTURE}[\U0001f3fb-\U0001f3ff\ufe0f]?"
EMOJI = re.compile(  # of several characters, some invisible: flags of regions, key caps, and joined pictures
    rf"\U0001f3f4[\U000e0030-\U000e007a]+\U000e007f|[0-9#*]\ufe0f?\u20e3|{TINTED}(?:\u200d{TINTED})*"
)
JOINERS = re.compile("[\u200c\u200d\ufe0f\U000e0030-\U000e007f]")
HIDDEN = ("Cc", "Cf", "Co", "Cs", "Zl", "Zp")  # categories: controls, formats, private use, surrogates, line ends
CONTROLS = r"\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff"  # with bidirectional ones
MISLEADING = re.compile(f"[{CONTROLS}]")

OWN = "wintercount"
RESERVED = (
    *(OWN, "admin", "administrateur", "administrator", "administratrice", "moderateur", "moderator", "moderatrice"),
    *("monitoring", "operateur", "operator", "operatrice", "staff", "support", "system"),
    *("somebody", "quelquun"),  # shown in place of erased names
)
LOOKALIKES = {"rn": "m", "vv": "w", "cl": "d", "0": "o", "1": "l", "|": "l", "i": "l", "3": "e", "4": "a"} | {
    **{"5": "s", "7": "t", "8": "b", "$": "s", "@": "a", "ω": "w", "€": "e", "£": "l", "¢": "c", "¥": "y"}
}
DRAWN_ALIKE = {  # that the table of confusable characters lacks
    sign: letter
    for letter, signs in {
        "a": "ᗩΛ△ⲁ",
        "c": "ᑕ",
        "e": "Є",
        "i": "ᎥᏆ",
        "n": "ᑎиИпⲛ",
        "o": "߀",
        "r": "яЯ",
        "w": "ᗯ",
    }.items()
    for sign in signs
}
MODIFIED = "(?:(?:TURNED|REVERSED|OPEN|SIDEWAYS|BARRED|CLOSED|DOTLESS|INSULAR|LONG) )*"
LETTER = re.compile(  # with a stroke or a hook, turned, or in a circle: by its name in Unicode
    r"(?:LATIN (?:SMALL|CAPITAL|EPIGRAPHIC) LETTER|LATIN LETTER SMALL CAPITAL|INDICATOR SYMBOL LETTER) "
    rf"{MODIFIED}([A-Z])\b"
)
EXCLAMATION_WITHIN = re.compile(r"(?<=\w)!(?=\w)")
NUMBER = re.compile(r"\d+(?!\w)")
CAPITAL_WITHIN = re.compile(r"(?<=[a-z])(?=[A-Z])")


def checked_name(name: str) -> None:
    """Raises `ValidationError` for a name with invisible characters, or one that looks like a reserved name.

    Joiners may stand where a script or an emoji needs them.
    """
    needed = {place for found in EMOJI.finditer(name) for place in range(*found.span())}
    for place, sign in enumerate(name):
        hidden = unicodedata.category(sign) in HIDDEN or sign in INVISIBLE
        if hidden and place not in needed and not _joins(name, place):
            raise _refused(place + 1, sign)
    if name != name.strip():
        raise ValidationError("must not begin or end with a blank")
    if unicodedata.category(name[:1] or " ").startswith("M"):
        raise ValidationError("must not begin with a combining mark")
    if word := impersonated(name):
        raise ValidationError(f"looks like {word!r}, which is reserved for the service")


def _joins(name: str, place: int) -> bool:
    """Whether a character is a joiner that its script needs there (RFC 5892 A.1 and A.2)."""
    try:
        return valid_contextj(name, place)
    except ValueError:  # beside a character that Unicode does not have yet
        return False


def comparable(name: str) -> str:
    """Returns what of a name counts in a search: not its case, form of Unicode or joiners."""
    plain = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())
    return JOINERS.sub("", plain)


def checked_text(text: str) -> None:
    """Raises `ValidationError` for a text with control characters, or that changes the direction of text around it."""
    if found := MISLEADING.search(text):
        raise _refused(found.start() + 1, found[0])
    if text[:1].isspace():
        raise ValidationError("must not begin with a blank")


def _refused(place: int, sign: str) -> ValidationError:
    name = unicodedata.name(sign, "unnamed")
    return ValidationError(f"must not contain U+{ord(sign):04X} ({name}), which is its character {place}")


def impersonated(name: str) -> str | None:
    """Returns the reserved name that a name, or consecutive words of it, can be mistaken for."""
    readings = [reading.split() for reading in _readings(name)]
    for words in readings:
        for first, last in combinations(range(len(words) + 1), 2):
            if word := _reserved().get("".join(words[first:last])):
                return word
    return OWN if any(_skeleton(OWN) in word for words in readings for word in words) else None


def _readings(name: str) -> Iterator[str]:
    """The ways to read a name: split at capitals or not, with and without numbers, each as a skeleton."""
    unmarked = _without_marks(JOINERS.sub("", name))
    for spaced in (unmarked, CAPITAL_WITHIN.sub(" ", unmarked)):
        for text in (spaced, NUMBER.sub("", unicodedata.normalize("NFKD", spaced))):
            yield from (_skeleton(text), _skeleton(text.casefold()))


@cache
def _reserved() -> dict[str, str]:
    """Reserved names by their skeletons, in the singular and plural."""
    return {_skeleton(form): word for word in RESERVED for form in (word, f"{word}s")}


def _skeleton(text: str) -> str:
    """The text in small ASCII letters that look like its own, as far as there are any."""
    plain = unicodedata.normalize("NFKD", "".join(map(_ascii_like, text)))
    folded = unicodedata.normalize("NFKD", "".join(map(_ascii_like, plain))).casefold()
    folded = EXCLAMATION_WITHIN.sub("l", folded)
    for sign, alike in LOOKALIKES.items():
        folded = folded.replace(sign, alike)
    words = (sign if sign.isalnum() and unicodedata.category(sign) != "Lm" else " " for sign in _without_marks(folded))
    return "".join(words)


def _without_marks(text: str) -> str:
    return "".join(sign for sign in text if unicodedata.category(sign) not in ("Mn", "Me"))


def _ascii_like(sign: str) -> str:
    """The one or two ASCII letters that a character looks like; the character itself if there are none."""
    if sign.isascii():
        return sign
    named = unicodedata.name(sign, "")
    alike = [
        DRAWN_ALIKE.get(sign, ""),
        *(str(row["c"]) for row in confusables_data.get(sign, ())),
        *(named.removeprefix("LATIN LETTER SMALL CAPITAL "), *LETTER.findall(named)),
    ]
    return next((text for text in alike if text.isascii() and text.isalnum() and len(text) <= 2), sign)
