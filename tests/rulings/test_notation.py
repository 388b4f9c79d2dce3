"""The notation: what is written replays to the same result, reads back to the same text, and tells no secret."""

import random
import re
from dataclasses import replace as with_changes
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from events.envelopes import event_from_fields, fields_from_event
from games import GAMES
from games.kernel import AnyGame, Chance, Move, MoveRefused, T
from projections.history import TableHistory
from rulings.notation import NotationError, document_of, parse, replay, write
from rulings.notation.document import Amended, Document, Drawn, Item, Played, Tag, Variation
from rulings.notation.from_record import LEFT_OUT, number_moves
from rulings.notation.text import move_of, move_words, words_of
from tests import corpus
from tests.long import long_but_for
from tests.tables import ANN, BEN, Visit
from wintercount.testing.random_games import chance_from, random_move, random_options

HEADER = "[Format 1]\n[Game manitou]\n[Rules 1]\n[Players 2]\n"
BEGUN = (
    HEADER
    + """= shuffle_small_buffalo buffalo-1 buffalo-2-1 buffalo-2-2 buffalo-3 buffalo-5-1 buffalo-5-2
    buffalo-6 buffalo-7 buffalo-4-1
= shuffle_large_buffalo buffalo-9 buffalo-10-1 buffalo-10-2 buffalo-11 buffalo-12 buffalo-13
"""
)


@corpus.by_name
def test_a_recorded_game_replays_to_its_end(name: str) -> None:
    """Moves and luck of the text lead to the recorded state, through everything that was undone."""
    history = corpus.history_of(name)
    text = write(document_of(history, None, over=True))
    played = replay(parse(text))
    assert played.state == history.table.state
    assert write(parse(text)) == text


@corpus.by_name
def test_every_reader_of_a_running_game_gets_a_text(name: str) -> None:
    """It reads back as it is, has the reader's own moves, and cannot be replayed."""
    history = corpus.history_of(name)
    running = history.until(history.events[history.table.version // 2].envelope.batch[1])
    for seat in (None, *range(1, history.table.opened.players + 1)):
        text = write(document_of(running, seat, over=False))
        document = parse(text)
        assert write(document) == text
        assert {item.seat for item in document.items if isinstance(item, Played) and item.move} <= {seat}
        assert all(draw.items is None for draw in draws_of(document))
        assert "[Winners" not in text
        assert "[State" not in text
        with pytest.raises(NotationError, match=r"does not give|missing"):
            replay(document)


def draws_of(document: Document) -> list[Drawn]:
    played = [item for item in document.items if isinstance(item, Played)]
    return [*document.setup, *(draw for item in played for draw in item.draws)]


class Noting:
    """Chance that notes what it draws."""

    def __init__(self, chance: Chance) -> None:
        self._chance, self.draws = chance, list[Drawn]()

    def __call__(self, kind: str, population: Any, count: int) -> tuple[T, ...]:
        found: tuple[T, ...] = self._chance(kind, population, count)
        self.draws.append(Drawn(kind, tuple(map(msgspec.to_builtins, found))))
        return found

    def taken(self) -> tuple[Drawn, ...]:
        self.draws, draws = [], self.draws
        return tuple(draws)


def played_at_random(game: AnyGame, players: int, seed: int) -> tuple[Document, Any]:
    """A whole game, with variations and comments here and there, and the state at its end."""
    rng = random.Random(seed)
    options, chance = random_options(game, rng), Noting(chance_from(rng))
    state = game.start(players, game.read_options(options, players), chance).state
    setup, items = chance.taken(), list[Item]()
    while seats := game.to_act(state):
        seat = rng.choice(seats)
        if rng.random() < 0.1:
            other = random_move(game, state, seat, rng)
            game.play(state, seat, other, chance)
            items.append(Variation((LEFT_OUT, Played(0, seat, other, chance.taken()))))
        move = random_move(game, state, seat, rng)
        state = game.play(state, seat, move, chance).state
        items.append(Played(0, seat, move, chance.taken()))
    tags = (
        Tag("Format", (1,)),
        Tag("Game", (game.slug,)),
        Tag("Rules", (game.rules_version,)),
        Tag("Players", (players,)),
        Tag("Options", named=msgspec.to_builtins(options)),
    )
    return Document(tags, setup, tuple(number_moves(items, 1))), state


@pytest.mark.parametrize("examples", long_but_for({5}.__contains__, [5, 25]))
def test_any_game_replays(examples: int) -> None:
    """Of every game, number of seats and house rule."""
    tables = st.sampled_from([(game, n) for game in GAMES.values() for n in game.players])
    settings(max_examples=examples, deadline=None)(given(tables, st.integers(0, 2**32))(replays))()


def replays(table: tuple[AnyGame, int], seed: int) -> None:
    document, state = played_at_random(*table, seed)
    text = write(document)
    assert write(parse(text)) == text
    assert replay(parse(text)).state == state


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


@pytest.mark.slow
@pytest.mark.parametrize("examples", long_but_for({60}.__contains__, [60, 300]))
def test_any_value_reads_back(examples: int) -> None:
    """Whatever JSON can say: numbers that look like words, words that look like numbers, every sign."""
    settings(max_examples=examples, deadline=None)(given(VALUES)(reads_back))()


def reads_back(value: Any) -> None:
    text = f"{HEADER}[Note {' '.join(words_of(value))}]\n"
    found = parse(text).value("Note")
    assert (found, type(found)) == (value, type(value))


class Trade(Move, frozen=True):
    """A move such as a new game may bring: nested, and with fields that may be left out."""

    give: tuple[str, ...]
    terms: dict[str, int]
    to: int = 1
    note: str | None = None


@pytest.mark.parametrize(
    ("move", "text"),
    [
        (Trade(("a", "b c"), {"x": 1}), 'trade [a "b c"] <x=1>'),
        (Trade((), {}, 2, "true"), 'trade [] <> to=2 note="true"'),
    ],
)
def test_a_new_game_needs_nothing(move: Trade, text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The short form follows from the struct."""
    game = msgspec_game(monkeypatch)
    assert " ".join(move_words(move)) == text
    document = parse(f"[Format 1][Game trading][Rules 1][Players 2]\n1. 1: {text}")
    assert document.items == (Played(1, 1, move, place=document.items[0].place),)  # type: ignore[union-attr]
    with pytest.raises(NotationError, match="trade takes 2 values"):
        move_of(game, "trade", (1,), {}, document.tags[0].place)


def msgspec_game(monkeypatch: pytest.MonkeyPatch) -> AnyGame:
    """A game of one move."""

    def read_move(raw: Any) -> Trade:
        try:
            return msgspec.convert(raw, Trade)
        except msgspec.ValidationError as error:
            raise MoveRefused("TR-4.1a", str(error)) from None

    game: AnyGame = with_changes(GAMES["manitou"], slug="trading", title="Trading", moves=(Trade,), read_move=read_move)
    monkeypatch.setitem(GAMES, "trading", game)
    return game


REFUSED = {
    "": (1, 1, r"no tag \[Format …\]"),
    "[Format 2]\n[Game manitou]\n[Rules 1]\n[Players 2]": (1, 1, "reads format 1"),
    "[Format 1]\n[Game chess]\n[Rules 1]\n[Players 2]": (2, 1, "'chess' is not hosted here"),
    "[Format 1]\n[Game manitou]\n[Rules 9]\n[Players 2]": (3, 1, "versions 1 to"),
    "[Format 1]\n[Game manitou]\n[Rules 1]\n[Players true]": (4, 1, "is for 2 to 4 players"),
    HEADER + "[Players 2]": (5, 1, "occurs twice"),
    HEADER + "[Note 1": (5, 8, r"expected `\]` at the end of the tag, not the end of the text"),
    HEADER + "[Note [1 2>]": (5, 11, "expected `]` or another value"),
    HEADER + "1. 2: play_card hunter-1 1\n3. 1: pass_turn": (6, 1, "should be 2, not 3"),
    HEADER + "1. 2: fly": (5, 7, "Manitou has no move 'fly'; its moves are choose_party, play_card, pass_turn"),
    HEADER + "1. 2: play_card hunter-1": (5, 7, r"play_card takes 2 values \(card, ground\), not 1"),
    HEADER + "1. 2: play_card hunter-1 7": (5, 7, r"play_card: .*ground"),
    HEADER + "1. 2: pass_turn at=1": (5, 7, "pass_turn: .*at"),
    HEADER + "1. 2: pass_turn 1": (5, 7, "pass_turn takes no value, not 1"),
    HEADER + "1. 2 pass_turn": (5, 6, "expected `:` after the seat"),
    HEADER + "(\n1. 2: pass_turn\n": (7, 1, r"`\)` at the end of the variation"),
    HEADER + ")": (5, 1, "expected a move number"),
    HEADER + "{ open": (5, 1, "unexpected character '{'"),
    HEADER + '[Note "\\x"]': (5, 7, "not valid JSON"),
    HEADER + r'[Note "\ud800"]': (5, 7, "not valid JSON: .*surrogates"),
    HEADER + r'[Note "\udfff"=1]': (5, 7, "not valid JSON: .*surrogates"),
    HEADER + "[Note -1e400]": (5, 7, "too large"),
    HEADER + "[Note a=1 a=2]": (5, 11, "a occurs twice"),
    HEADER + "(" * 51: (5, 51, "more than 50"),
    HEADER + "[Note " + "[" * 5000: (5, 57, "more than 50"),
    HEADER + "[Note " + "1" * 5000 + "]": (5, 7, "too long"),
    HEADER + "12345678901. 1: pass_turn": (5, 1, "unexpected character"),
}


@pytest.mark.parametrize("text", REFUSED)
def test_an_error_names_line_and_column(text: str) -> None:
    """Of the word that is wrong, both counted from 1."""
    line, column, detail = REFUSED[text]
    with pytest.raises(NotationError, match=detail) as refused:
        parse(text)
    assert refused.value.place == (line, column)
    assert str(refused.value).startswith(f"line {line}, column {column}: ")


UNPLAYABLE = {
    HEADER: (2, 1, "the draw `= shuffle_small_buffalo …` is missing"),
    HEADER + "= shuffle_large_buffalo": (5, 1, "expected the draw shuffle_small_buffalo"),
    HEADER + "= shuffle_small_buffalo ?": (5, 1, "does not give this draw"),
    HEADER + "= shuffle_small_buffalo buffalo-1": (5, 1, "shuffle_small_buffalo draws 9, not 1"),
    BEGUN.replace("buffalo-7", "buffalo-6"): (5, 1, "buffalo-6 cannot be drawn here, or not that often"),
    BEGUN + "= more 1": (8, 1, "no draw happens here, but the text has more"),
    BEGUN + "1. 1: ?": (8, 1, "the text does not give this move"),
    BEGUN + "1. 1: play_card hunter-1 1": (8, 1, "MA-4.1d"),
    BEGUN + "1. 9: play_card hunter-1 1": (8, 1, "MA-4.1b"),
    BEGUN + "! edition=other": (8, 1, "edition"),
    BEGUN + "! edition=zoch": (8, 1, "edition"),
    BEGUN + "! nothing=1": (8, 1, "there is no option 'nothing'"),
    HEADER + "[Options nothing=1]": (5, 1, "there is no option 'nothing'"),
    HEADER + "[State <>]": (5, 1, "the state is unreadable"),
    HEADER + "[State 1]": (5, 1, "the state is unreadable"),
}


@pytest.mark.parametrize("text", UNPLAYABLE)
def test_what_cannot_be_played_is_refused_where_it_stands(text: str) -> None:
    """At the move, the draw or the tag."""
    line, column, detail = UNPLAYABLE[text]
    with pytest.raises(NotationError, match=detail) as refused:
        replay(parse(text))
    assert refused.value.place == (line, column)


def test_undone_play_stands_beside_what_took_its_place() -> None:
    """As a variation, before the move that was made instead; house rules that were amended stand behind `!`."""
    taken_back = document_of(corpus.history_of("manitou-2-taken-back"), None, over=True)
    assert [type(item).__name__ for item in taken_back.items[:3]] == ["Variation", "Comment", "Played"]
    overturned = document_of(corpus.history_of("plenty-coups-3-overturned"), None, over=True)
    assert [item.options for item in overturned.items if isinstance(item, Amended)] == [{"empty_herd_coup": False}]


def test_the_documents_moves_are_moves() -> None:
    """Each row of its table, in its game."""
    page = (Path(__file__).parent.parent.parent / "docs" / "notation.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| ([A-Z][\w ]+) \| .* \| `(\d+)\.( \d: .*)` \|$", page, re.M)
    assert {title for title, _, _ in rows} >= {"Manitou", "Big Manitou", "Tomahawk", "Plenty Coups"}
    slugs = {game.title: game for game in GAMES.values()}
    for title, _, move in rows:
        game = slugs[title]
        head = f"[Format 1]\n[Game {game.slug}]\n[Rules 1]\n[Players {game.players[0]}]\n"
        (played,) = parse(f"{head}1.{move}").items
        assert " ".join(move_words(played.move)) == move.partition(": ")[2]  # type: ignore[union-attr,arg-type]


def test_a_text_is_the_same_whoever_decided() -> None:
    """Luck stands in the order of its kinds' names, as the record has it, and not in that in which it was drawn."""
    visit = Visit()
    table = visit.open("tomahawk", "ann ben")
    visit.sit(table, 2, BEN)
    for player in (ANN, BEN):
        visit.play(table, player)
    decided = visit.history(table)
    read = TableHistory(tuple(event_from_fields(fields_from_event(event)) for event in decided.events), decided.table)
    for seat in (None, 1, 2):
        assert write(document_of(decided, seat, over=False)) == write(document_of(read, seat, over=False))


@pytest.mark.fault
def test_a_text_is_free_in_its_lines() -> None:
    """However mail or a chat breaks it, or an editor marks it: only its words and their order count."""
    text = write(document_of(corpus.history_of("manitou-2-greedy"), None, over=True))
    assert write(parse(" ".join(text.split()))) == text == write(parse(f"\ufeff{text}"))
