"""The page's modules in node: unit tests, and the recorded games: each legal move composed, each event told."""

import json
import re
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path

import msgspec
import pytest

from games import GAMES
from rulings.sentences import LANGUAGES, card_name
from service.tables.authorisation import Viewer
from service.tables.table_documents import event_rows, open_decisions
from tests import corpus
from tests.long import long_but_for
from tools.node import NODE

FOLDER = Path(__file__).parent
SLOW = {"big-manitou-5-disputed", "plenty-coups-3-overturned"}
CARD = re.compile(r"(?!warrior-[0-9]$)[a-z_-]+(-[0-9]+)+|[abxT][0-9]+")  # `warrior-1` are all of that value
by_name = pytest.mark.parametrize(
    "name", long_but_for(corpus.OF_EACH_GAME.__contains__, corpus.NAMES, is_slow=SLOW.__contains__)
)


def node(*arguments: str | Path, given: bytes = b"") -> str:
    """What node writes; fails with what it said if it fails."""
    found = subprocess.run([NODE, *arguments], input=given, capture_output=True, check=False)
    assert found.returncode == 0, (found.stdout + found.stderr).decode()
    return found.stdout.decode()


def decisions(name: str) -> Iterator[bytes]:
    """The decisions of a recorded game as the API gives them, with the name of the game; none twice."""
    history = corpus.history_of(name)
    seen: set[bytes] = set()
    for table in history.walk(1, history.table.version):
        for decision in () if table.paused else table.decisions:
            (row,) = open_decisions(table, decision.seat)
            moves = msgspec.json.encode(row["moves"])
            if moves not in seen:
                seen.add(moves)
                yield msgspec.json.encode({"game": table.opened.game, **row})


def sentences(name: str) -> Iterator[bytes]:
    """The events of a recorded game, as everybody reads them when it is over, in both languages."""
    history = corpus.history_of(name)
    game, viewer = history.table.opened.game, Viewer(None, over=history.table.over)
    for language in LANGUAGES:
        for row in event_rows(history.events, history.table, viewer, language):
            names = sorted({card_name(game, card, language) for card in _cards(row["payload"])})
            yield msgspec.json.encode({"language": language, "event": row, "names": names})


def _cards(payload: object) -> Iterator[str]:
    """The ids of cards and tiles that a payload holds, but for those that are common words too."""
    if isinstance(payload, str):
        yield from [payload] if CARD.fullmatch(payload) else []
    elif isinstance(payload, Mapping):
        yield from (card for value in payload.values() for card in _cards(value))
    elif isinstance(payload, (list, tuple)):
        yield from (card for value in payload for card in _cards(value))


def final_scores(name: str) -> bytes:
    """The rows of the scores with which a recorded game ended, with the name of the game."""
    history = corpus.history_of(name)
    ended = [event for event in history.events if event.envelope.type == "GameEnded"]
    rows = ended[-1].envelope.payload["scores"] if ended else []
    return msgspec.json.encode({"game": history.table.opened.game, "scores": rows})


def contests(name: str) -> Iterator[bytes]:
    """Each ground or territory that a recorded game judged and each force penalty: the view before, and the ruling."""
    history = corpus.history_of(name)
    game = history.table.opened.game
    for table, event in zip(history.walk(1, history.table.version), history.events[1:], strict=False):
        if event.envelope.type in {"GroundEvaluated", "ForcePenaltyAssessed", "TerritoryJudged"}:
            view = GAMES[game].view(table.state, None)
            yield msgspec.json.encode({"view": view, "ruled": event.envelope.payload})


def test_the_unit_tests_of_the_modules_pass() -> None:
    """`tests/page/*.test.js`, by node's own runner."""
    assert "# fail 0" in node("--test", "--test-reporter=tap", *sorted(FOLDER.glob("*.test.js")))


@by_name
def test_every_legal_move_can_be_composed(name: str) -> None:
    """By the picks that the drawing offers, in the order of its slots and backwards; each part can then be changed."""
    given = b"\n".join(decisions(name))
    found = json.loads(node(FOLDER / "drive.js", given=given))
    assert found["unreached"] == []
    assert found["reached"] > 50


@by_name
def test_every_sentence_names_people_and_draws_cards(name: str) -> None:
    """In both languages nothing is called 'seat 2', no card by its id; and each total is the sum of its parts."""
    given = b"\n".join([*sentences(name), final_scores(name)])
    found = json.loads(node(FOLDER / "recorded-sentences.js", given=given))
    assert found["left"] == []
    assert found["told"] > 100
    assert found["cards"] > 100


@pytest.mark.parametrize(
    "name",
    long_but_for(corpus.OF_EACH_GAME.__contains__, [name for name in corpus.NAMES if "plenty-coups" not in name]),
)
def test_a_ground_stands_as_it_is_ruled_then(name: str) -> None:
    """What the page shows of each ground or territory, as if it were decided now, is what the judgement comes to."""
    found = json.loads(node(FOLDER / "ruled-grounds.js", given=b"\n".join(contests(name))))
    assert found["wrong"] == []
    assert found["grounds"] >= 9


def test_what_sounds_is_an_event() -> None:
    """Each type that has a sound is one of some game, and of each game some type has one."""
    text = (FOLDER.parents[1] / "page/static/js/state/sounds.js").read_text()
    sounding = set(re.findall(r"\b((?:[A-Z][a-z]+){2,})\b", text))
    types = {game: {event.__name__ for event in each.events} for game, each in GAMES.items()}
    every: set[str] = set().union(*types.values())
    assert sounding - every == set()
    assert [game for game, names in types.items() if not names & sounding - {"GameEnded"}] == []
