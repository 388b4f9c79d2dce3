"""Names and texts that others are shown: what hides, what turns the text around it, and who passes for the operator."""

import re

import pytest
from marshmallow import ValidationError

from service.accounts.allowed_names import NAME, TEXT, checked_name, checked_text, passes_for

HIDING = {
    "Ann\u202e": "U+202E (RIGHT-TO-LEFT OVERRIDE), which is its character 4",
    "A\u200bnn": "U+200B (ZERO WIDTH SPACE), which is its character 2",
    "\ufeffAnn": "U+FEFF (ZERO WIDTH NO-BREAK SPACE), which is its character 1",
    "A\u2066nn": "U+2066",
    "A\u200dnn": "U+200D",
    "A\u200fnn": "U+200F",
    "A\u00adnn": "U+00AD (SOFT HYPHEN)",
    "A\u034fnn": "U+034F",
    "\u3164": "U+3164 (HANGUL FILLER)",
    "\u2800": "U+2800 (BRAILLE PATTERN BLANK)",
    "A\ufe0f": "U+FE0F",
    "A\U000e0041": "U+E0041 (TAG LATIN CAPITAL LETTER A)",
    "A\ue000": "U+E000 (a sign without a name)",
    "A\nB": "U+000A",
    "A\u2028B": "U+2028",
    "A\x85": "U+0085",
    "A\u2065": "U+2065",
    "\ufff0": "U+FFF0",
    "A\ufffcnn": "U+FFFC (OBJECT REPLACEMENT CHARACTER)",
    "A\U0001d159nn": "U+1D159 (MUSICAL SYMBOL NULL NOTEHEAD)",
    "A\ufffe": "U+FFFE (a sign without a name)",
    "A\ufdd0": "U+FDD0",
    "A\U0010ffff": "U+10FFFF",
}
FINE = [
    "Ann",
    "José",
    "Jose\u0301",
    "Åsa Öberg",
    "Иван",
    "田中さくら",
    "אבי",
    "محمد",
    "Kim 3",
    "🐎 Rob",
    "O'Neill",
    "opera",
    "Mirko",
    "Administrative",
    "Supporter",
    "Søren Łukasz",
    "Đorđe ②",
    "Ωmega",
    "Claude (Paris)",
    "Δημήτρης",
    "Людмила 8",
    "Þór Ægisson",
    "△ Tipi ○",
    "Admiral!",
    "Ann+Ben",
    "€uro",
    "Euclid",
    "Stafford",
    "Systemic",
    "McAdam",
    "Яна",
    "ᐃᓄᒃ",
    "🇫🇷 Zoé",
    "Winter",
    "Winter Countess",
    "Sup Porter",
    "Kaʻahumanu",
    "Chad Minter",
    "M. Odera",
    "a b c d e f g h i j k l m n o p q r s t",
]
OPERATORS = {
    "operator": "operator",
    "Operator": "operator",
    "0perator": "operator",
    "Operator 2": "operator",
    "operator1": "operator",
    "The Operator!": "operator",
    "o p e r a t o r": "operator",
    "ореrаtоr": "operator",  # Cyrillic
    "ｏｐｅｒａｔｏｒ": "operator",  # of full width
    "𝐨𝐩𝐞𝐫𝐚𝐭𝐨𝐫": "operator",
    "ᴏᴘᴇʀᴀᴛᴏʀ": "operator",
    "Ⓞperator": "operator",
    "Opérateur": "operateur",
    "Operators": "operator",
    "The Admins": "admin",
    "Modérateurs": "moderateur",
    "Staff": "staff",
    "adrnin": "admin",
    "ADМIN": "admin",  # Cyrillic M
    "ΑDMΙΝ": "admin",  # Greek
    "adm|n": "admin",
    "ádmın": "admin",
    "vvintercount": "wintercount",
    "Wіntеrсount": "wintercount",
    "w.i.n.t.e.r.c.o.u.n.t": "wintercount",
    "5ystem": "system",
    "Somebody": "somebody",  # what people are called whose names were erased
    "ѕ0mebody": "somebody",  # Cyrillic s
    "Quelqu’un": "quelquun",
    "operator²": "operator",  # its figure is no digit, but one like it
    "wintercount①": "wintercount",
    "øperator": "operator",  # strokes and hooks are no accents that come off
    "ađmin": "admin",
    "operaŧor": "operator",
    "aɗmin": "admin",
    "🅐dmin": "admin",
    "🅰dmin": "admin",
    "ωintercount": "wintercount",  # Greek
    "winterϲount": "wintercount",  # a sigma that looks like a c
    "Winterϲount 2": "wintercount",
    "Modératrice": "moderatrice",
    "OPERΑΤØR": "operator",
    "adm!n": "admin",
    "opera+or": "operator",
    "win+er(ount": "wintercount",
    "Op€rator": "operator",
    "adm¡n": "admin",
    "aclmin": "admin",
    "opǝɹator": "operator",  # turned
    "mod€rator!": "moderator",
    "ᗩᗪᗰIᑎ": "admin",  # syllables of Canada
    "ᗯIᑎTEᖇᑕOᑌᑎT": "wintercount",
    "ᔕTᗩᖴᖴ": "staff",
    "🇦🇩🇲🇮🇳": "admin",  # of which flags are made
    "\U0001ccd6\U0001ccd9\U0001cce2\U0001ccde\U0001cce3": "admin",  # outlined
    "ADMIꟻ ᴙ StaꟻꟻS": "staff",  # of inscriptions
    "аdмiи": "admin",
    "ᎪᎠᎷᏆΝ": "admin",  # Cherokee
    "₳dmi₦": "admin",
    "߀perator": "operator",  # a nought of N'Ko
    "TheOperator": "operator",
    "WintercountTeam": "wintercount",
    "officialwintercount": "wintercount",
    "The a\u200ad\u200am\u200ai\u200an": "admin",  # blanks as thin as a hair
    "Your mod\u2006erator": "moderator",
    "Our sys\u202ftem 2": "system",
    "Win tercount HQ": "wintercount",
    "The a.d.m.i.n": "admin",
    "ad·min Kim": "admin",
    "The adʼmin": "admin",  # an apostrophe that is a letter
    "The ad\u0363min": "admin",  # with an a above it
    "ΛDMIN": "admin",  # Greek, as posters write it
    "ΔDMIΠ": "admin",
    "opεraτor": "operator",
    "SYSTΣM": "system",
    "Wintercouпt": "wintercount",  # Cyrillic
    "Шintercoцnt": "wintercount",
    "Дdmin": "admin",
    "ⲁdmiⲛ": "admin",  # Coptic
    "sⲩsⲧⲉⲙ": "system",
    "aðϻin": "admin",
    "△dmin": "admin",
    "m●derator": "moderator",
    "some8ody": "somebody",
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
    with pytest.raises(ValidationError, match="must not begin with a mark"):
        checked_name(name)


@pytest.mark.parametrize("name", FINE)
def test_names_of_all_alphabets_are_fine(name: str) -> None:
    checked_name(name)
    assert re.match(NAME, name)


@pytest.mark.parametrize("name", OPERATORS)
def test_nobody_passes_for_the_operator(name: str) -> None:
    """By a name that is the operator's or looks like it, nor for whoever has a name no more."""
    assert passes_for(name) == OPERATORS[name]
    with pytest.raises(ValidationError, match=f"looks like '{OPERATORS[name]}'"):
        checked_name(name)


@pytest.mark.parametrize("text", ["a\u202eb", "a\u2066b", "a\u200eb", "a\u061cb", "a\x00b", "a\nb", "a\u2029b", " a"])
def test_a_text_turns_nothing_around_it(text: str) -> None:
    with pytest.raises(ValidationError):
        checked_text(text)
    assert not re.match(TEXT, text)


@pytest.mark.parametrize("text", ["می\u200cخواهم", "👩\u200d🚀 won", "operator!", "שלום", "BM-R6: no legal move."])
def test_texts_of_all_languages_are_fine(text: str) -> None:
    """Joiners belong to some; and a text may speak of the operator."""
    checked_text(text)
    assert re.match(TEXT, text)
