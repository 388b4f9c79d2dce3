"""A text as a table: the game that was recorded, at each version, with nothing that proves it."""

from typing import Any

import msgspec
import pytest

from events.envelopes import Recorded
from projections.history import TableHistory, effective_events
from rulings.notation import NotationError, parse, write
from rulings.notation.document import Tag
from rulings.notation.transcript import Transcript, TranscriptDetails
from tests import corpus
from tests.corpus import text_of

AS = TranscriptDetails("x_aaaabbbbccccddddeeee", "p_ann", "2026-11-22T12:00:00.000Z", "private")
replace = msgspec.structs.replace
HEADER = "[Format 1]\n[Game manitou]\n[Rules 1]\n[Players 2]\n"


def transcript_of(text: str) -> Transcript:
    """A text as a table."""
    return Transcript(parse(text), AS)


def game_events(history: TableHistory) -> list[Recorded]:
    """The game's own events that stand."""
    kinds = history.table.game.kinds
    return [event for event in effective_events(history.events) if event.envelope.type in kinds]


def states_of(history: TableHistory) -> dict[int, Any]:
    """The state at every version."""
    return {table.version: table.state for table in history.walk(1, history.table.version)}


def same(one: object, other: object) -> bool:
    """Whether both are the same JSON."""
    return msgspec.json.encode(one, order="deterministic") == msgspec.json.encode(other, order="deterministic")


@corpus.by_name
def test_a_recorded_game_is_the_same_as_a_transcript(name: str) -> None:
    """Events, who may read what of them, the state before each and the scores, and the end."""
    recorded = corpus.history_of(name)
    told, game = transcript_of(text_of(name)).history(0), recorded.table.game
    pairs = list(zip(game_events(recorded), game_events(told), strict=True))
    assert len(pairs) > 100
    recorded_states, told_states = states_of(recorded), states_of(told)
    for was, now in pairs:
        before, then = recorded_states[max(was.version - 1, 1)], told_states[now.version - 1]
        assert then == before
        assert before is None or game.scores(then) == game.scores(before)
        assert same(was.payload, now.payload)
        assert same(was.envelope.readers, now.envelope.readers)
    assert (told.table.state, told.table.over) == (recorded.table.state, True)


def test_an_amendment_holds_from_where_it_stands() -> None:
    """The table before the next move has the new house rule, that before has not."""
    transcript = transcript_of(text_of("plenty-coups-3-overturned"))
    options = [table.options.get("empty_herd_coup") for table in transcript.history(0).marks]
    changed = options.index(False)
    assert set(options[changed:]) == {False}
    assert False not in options[:changed]
    assert transcript.history(0).marks[changed].state.options.empty_herd_coup is False


def test_a_text_may_begin_with_a_state_and_end_before_the_game() -> None:
    """The first version has the state, and who is to act."""
    history = corpus.history_of("manitou-2-greedy")
    kept = msgspec.to_builtins(history.at(60).state)
    header = parse(HEADER)
    text = write(
        replace(header, tags=(*header.tags, Tag("Options", named=history.table.opened.options), Tag("State", (kept,))))
    )
    told = transcript_of(text).history(0)
    assert told.at(1).state == history.at(60).state
    assert [decision.seat for decision in told.at(1).decisions] == list(told.table.game.to_act(told.table.state))
    assert (told.table.version, told.table.closed) == (2, "end_of_text")


SEATS = {
    "[Seat 3 name=Ann]": "the tag Seat must name a seat from 1 to 2",
    "[Seat name=Ann]": "the tag Seat must name a seat from 1 to 2",
    "[Seat 1 name=[Ann]]": "is written as name=Ann",
}


@pytest.mark.parametrize("tag", SEATS)
def test_a_seat_that_cannot_be_is_refused(tag: str) -> None:
    """Where its tag stands."""
    with pytest.raises(NotationError, match=SEATS[tag]) as refused:
        transcript_of(HEADER + tag)
    assert refused.value.place == (5, 1)
