"""What the page's modules are driven over: the decisions of the recorded games with their legal moves, the events with
their sentences, and the scores at the end; a line each.
"""

import re
from collections.abc import Iterator, Mapping

import msgspec

from games import GAMES
from rulings.sentences import LANGUAGES, card_name
from service.tables.authorisation import Viewer
from service.tables.table_documents import event_rows, open_decisions
from tests import corpus

CARD = re.compile(r"(?!warrior-[0-9]$)[a-z_-]+(-[0-9]+)+|[abxT][0-9]+")  # `warrior-1` are all of that value


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
