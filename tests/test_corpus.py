"""Games recorded before are decided today as they were: chain, seals, heads, luck and every decision."""

import pytest

from events.canonical import canonical
from events.verify import archive_faults
from games import GAMES
from projections.history import TableHistory
from rulings.archive_format import lines
from rulings.replay import replay
from tests import corpus
from tests.corpus import renew

MOST_BYTES = 1_500_000
by_name = pytest.mark.parametrize("name", corpus.NAMES)


@by_name
def test_a_recorded_game_verifies(name: str) -> None:
    """Every hash fits its event, every secret its commitment."""
    assert list(archive_faults(corpus.lines_of(name))) == []


@by_name
def test_a_recorded_game_folds_to_its_head(name: str) -> None:
    """The game is over, the stream closed, and written out again it is the same file."""
    history = corpus.history_of(name)
    assert (history.table.over, history.table.closed) == (True, "game_over")
    assert tuple(lines(history, None, over=True)) == corpus.lines_of(name)


@by_name
def test_a_recorded_game_is_decided_again_as_it_was(name: str) -> None:
    """Today's rules come to the same events, byte for byte, with the luck that was drawn and the same scores."""
    history = corpus.history_of(name)
    report = replay(history)
    assert (report.divergence, report.stop, report.counterfactual_from) == (None, None, None)
    assert (report.draws_other, report.over) == (0, True)
    assert report.draws_recorded > 0
    assert report.scores_decided == report.scores_recorded


def test_the_corpus_is_what_it_is_said_to_be() -> None:
    """All games, several numbers of seats, rulings overturned and moves taken back; small enough to be kept."""
    histories = [corpus.history_of(name) for name in corpus.NAMES]
    assert sorted([*renew.GAMES, *renew.KEPT]) == corpus.NAMES
    assert {event.envelope.schema for history in histories for event in history.events} == {1}
    assert {history.table.opened.game for history in histories} == set(GAMES)
    assert {history.table.opened.players for history in histories} == {2, 3, 4, 5, 6}
    assert sum(corpus.path_of(name).stat().st_size for name in corpus.NAMES) < MOST_BYTES
    reasons = {
        event.envelope.payload["reason"]
        for history in histories
        for event in history.events
        if event.envelope.type == "PlayTakenBack"
    }
    assert reasons == {"dispute", "takeback"}


def new_events(history: TableHistory) -> list[bytes]:
    """What happened and by which luck, whatever the requests were called."""
    return [
        canonical([event.envelope.type, event.payload, event.envelope.draws, event.envelope.at])
        for event in history.events
    ]


def test_a_game_is_recorded_anew_as_it_was() -> None:
    """`python -m tests.corpus.renew` changes no fact as long as the rules are the same."""
    name = "manitou-2-moves-taken-back"
    assert new_events(renew.recorded(name)) == new_events(corpus.history_of(name))
