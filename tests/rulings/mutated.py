"""Texts in notation that real games were written as, with something changed that nobody would write."""

import re
from collections.abc import Callable, Sequence
from functools import cache

import msgspec
from hypothesis import strategies as st

from games import GAMES
from rulings.notation import document_of, write
from rulings.notation.document import Document, Tag
from tests import corpus
from tests.rulings.test_notation import played_at_random

PIECE = re.compile(r"\s+|[\w.-]+|.", re.DOTALL)
JUNK = (
    *"[]<>()=:!?{}\"\\/,;'\n\t\0é🂡",
    *("true", "null", "0", "-1", "1.5", "1e400", "9" * 20, "9" * 400, "1.", "999999.", "a=1", '"a b"', '"a"=<>', "[]"),
    *(
        r'"\ud800"',
        r'"\u0000"',
        "= ?",
        "1. 1: ?",
        "( )",
        "! edition=online",
        "! tie_break=1",
        "{a comment}",
        "[Seat 1]",
    ),
    *("[Format 2]", "[Clock fischer initial_s=1 increment_s=1e400]", "[State <>]", "[Winners 9]", "[Seat 2 ai=1]"),
    *("(" * 60, "[" * 60, "[a " * 60, "\u2028", "\r", "\ufeff"),
)
Pieces = list[str]
replace = msgspec.structs.replace


def _drop(pieces: Pieces, here: int, there: int) -> None:
    del pieces[here : here + 1 + there % 3]


def _cut(pieces: Pieces, here: int, there: int) -> None:
    del pieces[min(here, there) : max(here, there)]


def _repeat(pieces: Pieces, here: int, there: int) -> None:
    pieces[here:here] = pieces[here : here + 1 + there % 40]


def _swap(pieces: Pieces, here: int, there: int) -> None:
    pieces[here], pieces[there] = pieces[there], pieces[here]


def _copy(pieces: Pieces, here: int, there: int) -> None:
    pieces[here] = pieces[there]


def _add(pieces: Pieces, here: int, there: int) -> None:
    pieces.insert(here, f" {JUNK[there % len(JUNK)]} ")


def _replace(pieces: Pieces, here: int, there: int) -> None:
    pieces[here] = JUNK[there % len(JUNK)]


def _count(pieces: Pieces, here: int, there: int) -> None:
    """Another number in the first word that has one."""
    for place in range(here, len(pieces)):
        if re.search(r"\d", pieces[place]):
            pieces[place] = re.sub(r"\d", str(there % 10), pieces[place], count=1)
            return


def _exchange(pieces: Pieces, here: int, there: int) -> None:
    """Two words everywhere: cards that change places are still a game, for a while."""
    names = {pieces[here]: pieces[there], pieces[there]: pieces[here]}
    pieces[:] = [names.get(piece, piece) for piece in pieces]


EDITS = (_drop, _cut, _repeat, _swap, _copy, _add, _replace, _count, _exchange)


def mutated(text: str, edits: Sequence[tuple[int, int, int]]) -> str:
    """A text after edits: which, and two places each."""
    pieces: Pieces = PIECE.findall(text)
    for edit, here, there in edits:
        if pieces:
            EDITS[edit](pieces, here % len(pieces), there % len(pieces))
    return "".join(pieces)


def whole(name: str) -> Document:
    """A recorded game."""
    return document_of(corpus.history_of(name), None, over=True)


def begun(name: str) -> Document:
    """Its beginning."""
    document = whole(name)
    return replace(document, items=document.items[:12])


def running(name: str) -> Document:
    """What seat 1 was told of it when it was half over."""
    history = corpus.history_of(name)
    middle = history.events[history.table.version // 2].envelope.batch[1]
    return document_of(history.until(middle), 1, over=False)


def stopped(name: str) -> Document:
    """The state in which it was after three quarters, and nothing more."""
    history = corpus.history_of(name)
    named = {tag.name: tag for tag in whole(name).tags}
    kept = msgspec.to_builtins(history.at(history.table.version * 3 // 4).state)
    tags = [named[wanted] for wanted in ("Format", "Game", "Rules", "Players", "Options")]
    return Document((*tags, Tag("State", (kept,))), (), ())


def at_random(slug: str) -> Document:
    """A game with variations and comments here and there, played at random."""
    return played_at_random(GAMES[slug], min(GAMES[slug].players), 7)[0]


ORIGINALS: Sequence[tuple[Callable[[str], Document], str]] = (
    *((form, name) for name in corpus.NAMES for form in (whole, begun, running, stopped)),
    *((at_random, slug) for slug in GAMES),
)


@cache
def original(number: int) -> str:
    """The text of one of them, of every game."""
    form, name = ORIGINALS[number % len(ORIGINALS)]
    return write(form(name))


PLACES = st.integers(0, 10**6)
TEXTS = st.builds(
    lambda number, edits: mutated(original(number), edits),
    st.integers(0, len(ORIGINALS) - 1),
    st.lists(st.tuples(st.integers(0, len(EDITS) - 1), PLACES, PLACES), min_size=1, max_size=4),
)
