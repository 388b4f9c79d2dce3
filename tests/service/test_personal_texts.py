"""What people are called and write is encrypted where it is recorded, and told while its key is there."""

import base64
import random

import pytest

from events.lifecycle import PersonalText
from service.accounts import personal_texts
from service.accounts.key_store import KeysUnavailable
from service.accounts.personal_texts import NO_TEXTS, Texts, is_well_formed
from service.accounts.shown_names import PLAIN
from tests.tables import NAMED_KEYS, TELL

FOUND = Texts(NAMED_KEYS)
CLAIMED, SAID = "DisputeOpened", "DisputeCommented"


def encrypted(text: str, table: str = "t_1", type_: str = CLAIMED, of: str = "p_ann") -> PersonalText:
    """A text as it is recorded."""
    found = FOUND.seal_in_event(table, type_, of, text)
    assert isinstance(found, PersonalText)
    return found


@pytest.mark.parametrize("text", ["Ann", "", "Bén ✪ 😀", "ends in a zero\0", "x" * 4000, "\x80"])
def test_a_text_is_told_as_it_was_written(text: str) -> None:
    assert TELL("t_1", CLAIMED, encrypted(text)) == text


def test_what_was_not_encrypted_is_told_as_it_is() -> None:
    """A verdict need not give reasons."""
    assert (TELL("t_1", "DisputeResolved", None), TELL("t_1", "DisputeResolved", "")) == (None, "")


def test_a_text_passes_for_no_other() -> None:
    """It is bound to its table, its type of event and its person."""
    claim = encrypted("It says otherwise.")
    forged = PersonalText("p_ben", claim.text)
    assert TELL("t_2", CLAIMED, claim) == TELL("t_1", CLAIMED, forged) == TELL("t_1", SAID, claim) == "(removed)"


def test_a_length_tells_little() -> None:
    """Texts of up to 63 bytes are of one length, and then lengths double."""
    sizes = [len(base64.urlsafe_b64decode(encrypted("x" * size).text + "==")) - 28 for size in (0, 3, 63, 64, 127, 128)]
    assert sizes == [64, 64, 64, 128, 128, 256]


def test_ciphertexts_are_of_one_form() -> None:
    """So that what cannot have been written is found without a key."""
    rng = random.Random(1)
    for size in (0, 63, 64, 1000):
        found = encrypted("x" * size).text
        assert is_well_formed(found)
        assert not is_well_formed(found[:-4]), "shorter"
        assert not is_well_formed(found + "A" * 4), "longer"
        assert not is_well_formed(found + "="), "padded"
    raw = rng.randbytes(personal_texts.NONCE + 3 * personal_texts.STEP + personal_texts.TAG)
    assert not is_well_formed(base64.urlsafe_b64encode(raw).decode().rstrip("=")), "of a length that is no step"


def test_who_has_no_keys_shows_everybody_as_somebody_and_writes_nothing() -> None:
    """Workers, the dispatcher, projections and what checks archives."""
    assert PLAIN.text("t_1", CLAIMED, encrypted("It says otherwise.")) == "(removed)"
    assert PLAIN.names_of(["p_ann", None]) == {"p_ann": "somebody"}
    with pytest.raises(KeysUnavailable):
        NO_TEXTS.seal_in_event("t_1", CLAIMED, "p_ann", "It says otherwise.")
