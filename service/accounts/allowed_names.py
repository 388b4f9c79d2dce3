"""Names and texts that others see: which characters they may not contain, and which names nobody may take."""

import re
import unicodedata
from collections.abc import Callable
from functools import cache
from itertools import combinations

from confusable_homoglyphs.confusables import confusables_data
from marshmallow import ValidationError

# Signs that leave no trace of their own, or turn the text around them, though their category does not tell
# (Default_Ignorable_Code_Point of Unicode, and a blank of Braille, and what stands for an object or for no note).
UNSEEN = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2065\u2800\u3164\uffa0\ufffc\U0001d159").union(
    *(map(chr, range(0x180B, 0x1810)), map(chr, range(0xFE00, 0xFE10))),
    *(map(chr, range(0xFFF0, 0xFFF9)), map(chr, range(0xE0000, 0xE1000))),
    *(map(chr, range(0xFDD0, 0xFDF0)), (chr(plane << 16 | 0xFFFE | last) for plane in range(17) for last in (0, 1))),
)
HIDDEN = frozenset({"Cc", "Cf", "Co", "Cs", "Zl", "Zp"})  # controls, formats, private ones, halves, and ends of lines
TURNING = frozenset(
    "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
)  # bidirectional controls

# What the document tells of this; not all that is refused can be told by a pattern.
CONTROLS = r"\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069"
_HIDDEN = CONTROLS + r"\xad\u034f\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u115f\u1160\u17b4\u17b5\u180b-\u180f"
_HIDDEN += r"\u200b-\u200d\u2060-\u206f\u2800\u3164\ue000-\uf8ff\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb"
_HIDDEN += "\U000110bd\U000110cd\U00013430-\U0001345f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U0010ffff"
LABEL = rf"^([^\s{CONTROLS}][^{CONTROLS}]*)?\Z"
TEXT = rf"^[^\s{CONTROLS}][^{CONTROLS}]*\Z"
NAME = rf"^[^\s{_HIDDEN}][^{_HIDDEN}]*\Z"

OWN = "wintercount"
RESERVED = (
    OWN,
    "admin",
    "administrateur",
    "administrator",
    "administratrice",
    "moderateur",
    "moderator",
    "moderatrice",
    "monitoring",
    "operateur",
    "operator",
    "operatrice",
    "quelquun",  # with "somebody", what people are called whose names were erased
    "somebody",
    "staff",
    "support",
    "system",
)
ALIKE = {"rn": "m", "vv": "w", "0": "o", "1": "l", "|": "l", "i": "l", "3": "e", "4": "a", "5": "s", "7": "t", "8": "b"}
ALIKE |= {"$": "s", "@": "a", "ω": "w", "cl": "d", "€": "e", "£": "l", "¢": "c", "¥": "y", "₽": "p", "†": "t", "¡": "l"}
WITHIN = {"!": "l", "+": "t", "(": "c", "<": "c", "{": "c"}  # letters between letters, and elsewhere what they are
# Signs that are drawn like our letters, and stand in no table of such.
SIGNS_OF = {  # by letter, of Greek, Cyrillic, Coptic and Canadian ones, currencies and shapes
    "a": "ᗅᗩ₳ΛʌɅᴧ∆Δ▲△Ддѧᐃᗄⲁ",
    "b": "вьßβƅ",
    "c": "ᑕ©⊂",
    "d": "Ðð",
    "e": "ᗴΣξЄє∈∊εⲉ",
    "f": "ϝ₣",
    "g": "ᘜ",
    "i": "ᎥᏆ׀ⲓ",
    "m": "мʍϻ₥ⲙ",
    "n": "ᑎиИ₦ŋηΠπПп∩ⲛ",
    "o": "߀Ѻ⊕⊙○◎●◯☉⚪",
    "p": "₱þƿ",
    "r": "яЯ®Γ",
    "s": "ᔕ§",
    "t": "т₮τͲ┬丅ⲧ",
    "u": "μцᵾʊ",
    "w": "ᗯ₩ШшЩщѿⲱ",
    "y": "ⲩ",
}
DRAWN_ALIKE = {sign: letter for letter, signs in SIGNS_OF.items() for sign in signs}
OUTLINED = {chr(0x1CCD6 + place): letter for place, letter in enumerate("abcdefghijklmnopqrstuvwxyz")}  # of Unicode 16
BETWEEN = re.compile(rf"(?<=\w)[{re.escape(''.join(WITHIN))}](?=\w)")
FIGURES = re.compile(r"\d+(?!\w)")
HUMPS = re.compile(r"(?<=[a-z])(?=[A-Z])")  # between words that are told apart by a large letter alone
TURNED = r"(?:(?:TURNED|REVERSED|OPEN|SIDEWAYS|BARRED|CLOSED|DOTLESS|INSULAR|LONG) )*"
KINDS = "LATIN SMALL LETTER|LATIN CAPITAL LETTER|LATIN EPIGRAPHIC LETTER|LATIN LETTER SMALL CAPITAL"
LETTER = re.compile(
    rf"(?:{KINDS}|INDICATOR SYMBOL LETTER) {TURNED}([A-Z])\b"
)  # with a stroke or a hook, or in a circle
LONGEST = 3  # letters that one sign may look like


def checked_name(name: str) -> None:
    """Raises `ValidationError` for a name with invisible characters or one that the service keeps for itself."""
    _refuse(name, lambda sign: unicodedata.category(sign) in HIDDEN or sign in UNSEEN)
    if name[:1].isspace():
        raise ValidationError("must not begin with a blank")
    if unicodedata.category(name[:1] or " ").startswith("M"):
        raise ValidationError("must not begin with a mark, which would stand on the sign before the name")
    if word := passes_for(name):
        raise ValidationError(f"looks like {word!r}, which people would take for a name of the service")


def checked_text(text: str) -> None:
    """Raises `ValidationError` for a text with controls, or with signs that turn the direction of what is around it."""
    _refuse(text, lambda sign: unicodedata.category(sign) in ("Cc", "Cs", "Zl", "Zp") or sign in TURNING)
    if text[:1].isspace():
        raise ValidationError("must not begin with a blank")


def _refuse(text: str, is_refused: Callable[[str], bool]) -> None:
    for place, sign in enumerate(text, 1):
        if is_refused(sign):
            told = unicodedata.name(sign, "a sign without a name")
            raise ValidationError(f"must not hold U+{ord(sign):04X} ({told}), which is its character {place}")


def passes_for(name: str) -> str | None:
    """The reserved word that a name or some of its words look like, with figures behind it or not.

    Words that follow each other count as one too: between letters a blank may be as thin as a hair. That of the service
    itself is one wherever it stands, as no other word holds it. A name counts as its signs look by themselves, and as
    what they are made of: a lunate sigma looks like a c, and is made of another sigma.
    """
    seen = [text.split() for text in dict.fromkeys(_seen(name))]
    words = ["".join(some[first:last]) for some in seen for first, last in combinations(range(len(some) + 1), 2)]
    return next(filter(None, map(_reserved().get, words)), None) or _own_within(seen)


def _seen(name: str) -> list[str]:
    """What the words of a name look like, in each way in which they may be read, and without figures behind them."""
    name = _unmarked(name)  # there are marks that are letters, and stand above others all the same
    drawn = (name, HUMPS.sub(" ", name), "".join(map(_look, name)))
    plain = [unicodedata.normalize("NFKD", text) for text in drawn]
    bare = [FIGURES.sub("", text) for text in plain]
    return [seen for text in (*plain, *bare) for seen in skeletons(text)]


def _own_within(seen: list[list[str]]) -> str | None:
    """The service's own name, if one of these words holds it."""
    looks, _ = skeletons(OWN)
    return OWN if any(looks in word for words in seen for word in words) else None


@cache
def _reserved() -> dict[str, str]:
    """The words by what they look like, one of several as well as one alone."""
    return {seen: word for word in RESERVED for form in (word, f"{word}s") for seen in skeletons(form)}


def skeletons(text: str) -> tuple[str, str]:
    """The words that a text looks like, in small letters without accents.

    As it is written, and in small letters: a large letter may look like one of ours where its small one does not.
    """
    plain = unicodedata.normalize("NFKD", text)
    return _skeleton(plain), _skeleton(plain.casefold())


def _skeleton(plain: str) -> str:
    folded = unicodedata.normalize("NFKD", "".join(map(_look, plain))).casefold()
    folded = BETWEEN.sub(lambda sign: WITHIN[sign[0]], folded)
    for sign, alike in ALIKE.items():
        folded = folded.replace(sign, alike)
    return "".join(sign if _is_in_word(sign) else " " for sign in _unmarked(folded))


def _unmarked(text: str) -> str:
    return "".join(sign for sign in text if unicodedata.category(sign) not in ("Mn", "Me"))


def _is_in_word(sign: str) -> bool:
    """Whether it is a letter or a figure, and no apostrophe, colon or the like that stands between letters as one."""
    return sign.isalnum() and unicodedata.category(sign) != "Lm"


def _look(sign: str) -> str:
    """The ASCII letters that a character of another alphabet can be mistaken for, if any."""
    if sign.isascii():
        return sign
    alike = [kept[sign] for kept in (DRAWN_ALIKE, OUTLINED) if sign in kept]
    alike += [str(row["c"]) for row in confusables_data.get(sign, ())]
    named = unicodedata.name(sign, "")
    alike += [named.removeprefix("LATIN LETTER SMALL CAPITAL "), *LETTER.findall(named)]
    return next((text for text in alike if text.isascii() and text.isalnum() and len(text) < LONGEST), sign)
