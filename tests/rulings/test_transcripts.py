"""A text as a table: the game that was recorded, at each version, with nothing that proves it."""

from typing import Any

import msgspec
import pytest

from events.recorded import Recorded, as_read
from projections.history import History, effective_events
from rulings.notation import NotationError, document_of, parse, write
from rulings.notation.document import Tag
from rulings.notation.tabling import UNPROVEN, Keeping, Transcript
from tests import corpus

AS = Keeping("x_aaaabbbbccccddddeeee", "p_ann", "2026-11-22T12:00:00.000Z", "private")
replace = msgspec.structs.replace
HEADER = "[Format 1]\n[Game manitou]\n[Rules 1]\n[Players 2]\n"


def text_of(name: str) -> str:
    """A recorded game in notation."""
    return write(document_of(corpus.history_of(name), None, over=True))


def transcript_of(text: str) -> Transcript:
    """A text as a table."""
    return Transcript(parse(text), AS)


def game_events(history: History) -> list[Recorded]:
    """The game's own events that stand."""
    kinds = history.table.game.kinds
    return [event for event in effective_events(history.events) if event.envelope.type in kinds]


def states_of(history: History) -> dict[int, Any]:
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


@pytest.mark.parametrize("name", ["manitou-2-greedy", "tomahawk-2-greedy"])
def test_the_moves_stand_beside_their_events(name: str) -> None:
    """As in the record of a finished game, for everybody to read."""
    tables = corpus.history_of(name), transcript_of(text_of(name)).history(0)
    moves = [
        [as_read(event, None, over=True)["move"] for event in table.events if "move" in event.sealed]
        for table in tables
    ]
    assert len(moves[0]) > 10
    assert same(*moves)


def test_a_transcript_has_no_chain_no_seals_and_no_players() -> None:
    """Its hashes are zeros, it commits to nothing, no account holds a seat; it counts nowhere and is closed."""
    history = transcript_of(text_of("manitou-2-greedy")).history(0)
    assert {event.hash for event in history.events} == {UNPROVEN} == {bytes(32)}
    assert all(not event.envelope.secrets and event.envelope.request is None for event in history.events)
    assert all(as_read(event, 1, over=True)["opened"] == {} for event in history.events)
    table = history.table
    assert (table.transcribed, table.laid_open, table.counted, table.status) == (True, True, False, "finished")
    assert [seat.player for seat in table.seats] == [None, None]
    assert {event.envelope.by.get("player") for event in history.events} <= {None, "p_ann"}


def test_every_version_is_there_in_any_order() -> None:
    """Folded from nothing, forwards and backwards alike."""
    history = transcript_of(text_of("plenty-coups-3-overturned")).history(0)
    last = history.table.version
    forwards = list(history.walk(1, last))
    assert [table.version for table in forwards] == list(range(1, last + 1))
    assert forwards == list(history.walk_back(last, 1))[::-1] == [history.at(version) for version in range(1, last + 1)]


def test_an_amendment_holds_from_where_it_stands() -> None:
    """The table before the next move has the new house rule, that before has not."""
    transcript = transcript_of(text_of("plenty-coups-3-overturned"))
    options = [table.options.get("empty_herd_coup") for table in transcript.history(0).marks]
    changed = options.index(False)
    assert set(options[changed:]) == {False}
    assert False not in options[:changed]
    assert transcript.history(0).marks[changed].state.options.empty_herd_coup is False


def test_a_variation_is_a_branch() -> None:
    """Of the line that it parts from, at the version before the move that was made instead."""
    transcript = transcript_of(text_of("manitou-2-taken-back"))
    main, (first, second) = transcript.history(0), (transcript.history(1), transcript.history(2))
    assert [table.table.id for table in (main, first, second)] == [AS.table, f"{AS.table}-1", f"{AS.table}-2"]
    fork = first.table.fork
    assert fork is not None
    assert (fork.parent, fork.parent_version) == (AS.table, 5)
    assert main.at(5).state == first.at(1).state
    assert first.at(1).decisions
    assert first.table.closed == "end_of_text"
    assert first.table.status == "finished"
    assert transcript.branches(0) == [1, 2]


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
    "[Seat 3 name=Ann]": "the tag Seat names a seat from 1 to 2",
    "[Seat name=Ann]": "the tag Seat names a seat from 1 to 2",
    "[Seat 1 name=[Ann]]": "told by texts",
}


@pytest.mark.parametrize("tag", SEATS)
def test_a_seat_that_cannot_be_is_refused(tag: str) -> None:
    """Where its tag stands."""
    with pytest.raises(NotationError, match=SEATS[tag]) as refused:
        transcript_of(HEADER + tag)
    assert refused.value.place == (5, 1)


def test_comments_stand_at_their_versions() -> None:
    """In the line that they are written in."""
    text = text_of("manitou-2-greedy").replace("\n2. ", "\n{A bold choice.}\n2. ", 1)
    transcript = transcript_of(text)
    (comment,) = transcript.lines[0].comments
    assert comment[1] == "A bold choice."
    at = transcript.version(0, comment[0])
    assert [event.envelope.by.get("seat") for event in transcript.history(0).events[at - 1 : at + 1]][1] is not None
