"""Whatever is changed in a text, it is a table or a refusal that names line and column; never anything else."""

import pytest
from hypothesis import HealthCheck, given, settings

from rulings.notation import parse, write
from rulings.notation.transcript import Transcript, TranscriptDetails
from service.errors import Refused
from service.transcripts import replayed, row_of
from tests.long import long_but_for
from tests.rulings import mutated

AS = TranscriptDetails("x_aaaabbbbccccddddeeee", "p_ann", "2026-11-22T12:00:00.000Z", "private")
SHORT, LONG = 30, 6000


def read(text: str) -> Transcript | Refused:
    """A text as a table, or why it is none."""
    try:
        return replayed(text, AS)
    except Refused as refusal:
        return refusal


def check_refused(text: str, refusal: Refused) -> None:
    """It says where, within the text, and can be told."""
    line, column = refusal.members["line"], refusal.members["column"]
    lines = text.split("\n")
    assert refusal.code == "notation_refused"
    assert refusal.detail.startswith(f"line {line}, column {column}: ")
    assert 1 <= line <= len(lines)
    assert 1 <= column <= len(lines[line - 1]) + 1
    refusal.detail.encode()


def check_shown(text: str, transcript: Transcript) -> None:
    """Every line is a table at every version, and the text that is written of it reads back as it is."""
    row_of(transcript)
    for number in range(len(transcript.lines)):
        history = transcript.history(number)
        assert [table.version for table in history.walk(1, history.table.version)][-1] == history.table.version
    again = write(parse(text))
    assert write(parse(again)) == again
    again.encode()


@pytest.mark.slow
@pytest.mark.parametrize("examples", long_but_for({SHORT}.__contains__, [SHORT, LONG]))
def test_a_changed_text_is_a_table_or_a_refusal(examples: int) -> None:
    """Of every game, finished and running, with branches and comments, from its start or from a state on."""

    @settings(max_examples=examples, deadline=None, suppress_health_check=list(HealthCheck))
    @given(mutated.TEXTS)
    def holds(text: str) -> None:
        found = read(text)
        if isinstance(found, Refused):
            check_refused(text, found)
        else:
            check_shown(text, found)

    holds()


@pytest.mark.parametrize("number", long_but_for(lambda number: number < 4, range(len(mutated.ORIGINALS)), str))
def test_the_originals_are_tables(number: int) -> None:
    """Unless they are those of running games, in which moves are not told."""
    form, _ = mutated.ORIGINALS[number]
    found = read(mutated.original(number))
    assert isinstance(found, Refused) == (form is mutated.running)
