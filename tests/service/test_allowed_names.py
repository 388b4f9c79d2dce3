"""Names and texts that others are shown: what hides, what turns the text around it, and who passes for the operator."""

import re

import pytest
from marshmallow import ValidationError

from service.accounts.allowed_names import checked_name, checked_text, impersonated

HIDING = {
    "Ann\u202e": "U+202E (RIGHT-TO-LEFT OVERRIDE), which is its character 4",
    "A\u200bnn": "U+200B (ZERO WIDTH SPACE), which is its character 2",
    "\ufeffAnn": "U+FEFF (ZERO WIDTH NO-BREAK SPACE), which is its character 1",
    "A\u00adnn": "U+00AD (SOFT HYPHEN)",
    "\u3164": "U+3164 (HANGUL FILLER)",
    "\u2800": "U+2800 (BRAILLE PATTERN BLANK)",
    "A\ufe0f": "U+FE0F",
    "A\u200dnn": "U+200D (ZERO WIDTH JOINER), which is its character 2",  # neither behind a virama nor in an emoji
    "\u0645\u200c": "U+200C (ZERO WIDTH NON-JOINER)",  # nothing to keep apart
    "\u0378\u200d": "U+200D",  # there is no such letter yet
    "🚀\u200d": "U+200D",
    "🏴\U000e0067": "U+E0067 (TAG LATIN SMALL LETTER G)",
    "A\U000e0041": "U+E0041 (TAG LATIN CAPITAL LETTER A)",
    "A\ue000": "U+E000 (unnamed)",
    "A\nB": "U+000A",
    "A\ufffcnn": "U+FFFC (OBJECT REPLACEMENT CHARACTER)",
    "A\U0001d159nn": "U+1D159 (MUSICAL SYMBOL NULL NOTEHEAD)",
}
FINE = (
    "Ann|José|Jose\u0301|Иван|田中さくら|אבי|محمد|🐎 Rob|opera|Administrative|Søren Łukasz|Δημήτρης|Þór Ægisson|"
    "△ Tipi ○|€uro|ᐃᓄᒃ|🇫🇷 Zoé|Winter Countess|M. Odera|a b c d e f g h i j k l m n o p q r s t"
)
JOINED = [
    "می\u200cخواهم",
    "क\u094d\u200dष",
    "ශ\u0dca\u200dරී",
    "क\u094d\u200cष",
    "👩\u200d🚀 Ada",
    "👨🏽\u200d🚀",
    "❤\ufe0f\u200d🔥",
    "🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f",
    "1\ufe0f\u20e3",
    "🏳\ufe0f\u200d🌈",
]
OPERATORS = {
    "operator": "operator",
    "Operator 2": "operator",
    "The Operator!": "operator",
    "ореrаtоr": "operator",  # Cyrillic
    "ｏｐｅｒａｔｏｒ": "operator",  # of full width
    "ᴏᴘᴇʀᴀᴛᴏʀ": "operator",
    "Opérateur": "operateur",
    "Staff": "staff",
    "adrnin": "admin",
    "ΑDMΙΝ": "admin",  # Greek
    "adm|n": "admin",
    "vvintercount": "wintercount",
    "w.i.n.t.e.r.c.o.u.n.t": "wintercount",
    "Somebody": "somebody",  # what people are called whose names were erased
    "Quelqu’un": "quelquun",
    "operator²": "operator",  # its figure is no digit, but one like it
    "øperator": "operator",  # strokes and hooks are no accents that come off
    "🅐dmin": "admin",
    "winterϲount": "wintercount",  # a sigma that looks like a c
    "adm!n": "admin",
    "aclmin": "admin",
    "opǝɹator": "operator",  # turned
    "ᗯIᑎTEᖇᑕOᑌᑎT": "wintercount",
    "🇦🇩🇲🇮🇳": "admin",  # of which flags are made
    "ADMIꟻ ᴙ StaꟻꟻS": "staff",  # of inscriptions
    "ᎪᎠᎷᏆΝ": "admin",  # Cherokee
    "߀perator": "operator",  # a nought of N'Ko
    "TheOperator": "operator",
    "The a\u200ad\u200am\u200ai\u200an": "admin",  # blanks as thin as a hair
    "The a.d.m.i.n": "admin",
    "The adʼmin": "admin",  # an apostrophe that is a letter
    "The ad\u0363min": "admin",  # with an a above it
    "ΛDMIN": "admin",  # Greek, as posters write it
    "Wintercouпt": "wintercount",  # Cyrillic
    "ⲁdmiⲛ": "admin",  # Coptic
    "△dmin": "admin",
    "some8ody": "somebody",
    "ad\u094d\u200cmin": "admin",  # a joiner, where a script may need one
    "oper\u0345ator": "operator",  # with an iota below it, which in small letters stands behind it
}


@pytest.mark.parametrize("name", HIDING)
def test_a_name_hides_nothing(name: str) -> None:
    """It is told which sign is refused, and where."""
    with pytest.raises(ValidationError, match=re.escape(HIDING[name])):
        checked_name(name)


@pytest.mark.parametrize("name", ["\u0301", "\u0338\u0338", "\u20e3", "\u064bAnn", "\u0903", "\ufe20"])
def test_a_name_begins_with_no_mark(name: str) -> None:
    """It would be drawn on whatever stands before the name, or be nothing that can be seen."""
    with pytest.raises(ValidationError, match="must not begin with a combining mark"):
        checked_name(name)


@pytest.mark.fault
@pytest.mark.parametrize("name", [*FINE.split("|"), *JOINED])
def test_names_of_all_alphabets_are_fine(name: str) -> None:
    checked_name(name)


@pytest.mark.parametrize("name", OPERATORS)
def test_nobody_passes_for_the_operator(name: str) -> None:
    """By a name that is, or looks like, the operator's or that of an erased person."""
    assert impersonated(name) == OPERATORS[name]
    with pytest.raises(ValidationError, match=f"looks like '{OPERATORS[name]}'"):
        checked_name(name)


@pytest.mark.parametrize("text", ["a\u202eb", "a\u2066b", "a\u200eb", "a\u061cb", "a\x00b", "a\nb", "a\u2029b", " a"])
def test_a_text_turns_nothing_around_it(text: str) -> None:
    with pytest.raises(ValidationError):
        checked_text(text)


@pytest.mark.parametrize("text", ["می\u200cخواهم", "👩\u200d🚀 won", "operator!", "שלום", "BM-R6: no legal move."])
def test_texts_of_all_languages_are_fine(text: str) -> None:
    """Joiners belong to some; and a text may speak of the operator."""
    checked_text(text)
