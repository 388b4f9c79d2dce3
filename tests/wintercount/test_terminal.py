"""What the terminal draws, and how a move is chosen in it by numbers and words."""

import json
import random
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from freezegun.api import FrozenDateTimeFactory
from msgspec import inspect
from rich.console import Console

from games import GAMES
from tests.fixtures import START
from tests.long import tables_of_each_game
from wintercount import Match
from wintercount.cli.terminal.choosing import Chooser
from wintercount.cli.terminal.drawing import OMITTED, drawn
from wintercount.cli.terminal.playing import place_of
from wintercount.cli.terminal.words import LANGUAGES, Words, language_of, plain, words_in

ENGLISH, FRENCH = map(words_in, LANGUAGES)
CASES = [(slug, players) for slug, game in GAMES.items() for players in game.players]

AnyMatch = Match[Any, Any, Any, Any]


class Person:
    """Somebody who answers prompts with these lines, and remembers what was shown."""

    def __init__(self, *lines: str, words: Words = ENGLISH) -> None:
        self.words, self.lines = words, list(lines)
        self.shown: list[str] = []
        self.asked: list[str] = []

    def say(self, text: str) -> None:
        self.shown.append(text)

    def ask(self, prompt: str) -> str:
        self.asked.append(prompt)
        return self.lines.pop(0)

    def choose(self, game: str, moves: list[dict[str, Any]]) -> dict[str, Any]:
        return Chooser(game, self.words, self.say, self.ask).choose(moves)


def table_of(match: AnyMatch, seat: int) -> dict[str, Any]:
    """A table as `getTable` tells it to a seat."""
    seats = [{"seat": n, "player": "p_x", "name": f"Player {n}", "level": None} for n in range(1, match.players + 1)]
    view = json.loads(msgspec.json.encode(match.view(seat)))
    return {"game": match.game.slug, "version": 7, "seat": seat, "seats": seats, "view": view}


def text_of(shown: Any, width: int = 100) -> str:
    console = Console(width=width, record=True, file=None, quiet=False, force_terminal=False)
    with console.capture() as captured:
        console.print(shown)
    return captured.get()


def moments(slug: str, players: int, seed: int = 1) -> Iterator[AnyMatch]:
    """A game played at random, before each of its moves."""
    match = Match(GAMES[slug], players, seed=seed)
    while match.to_act:
        yield match
        seat = match.to_act[0]
        match.play(seat, match.random_move(seat))


def listed(match: AnyMatch, seat: int) -> list[dict[str, Any]]:
    return [json.loads(msgspec.json.encode(move)) for move in match.legal_moves(seat)]


@pytest.mark.parametrize(("slug", "players"), tables_of_each_game(CASES))
def test_every_move_of_a_game_can_be_chosen(slug: str, players: int) -> None:
    """At each decision, by its kind and its number; what comes out is the move that was meant."""
    rng = random.Random(players)
    for match in moments(slug, players):
        seat = match.to_act[0]
        moves = listed(match, seat)
        entry = rng.randrange(len(moves))
        person = Person(*answers(moves, entry, rng))
        chosen = person.choose(slug, moves)
        if "choose" not in moves[entry]:
            assert chosen == moves[entry]
        match.game.play(match.state, seat, match.game.read_move(chosen), no_luck)
        assert person.lines == []


def answers(moves: list[dict[str, Any]], entry: int, rng: random.Random) -> Iterator[str]:
    """What somebody types who means that entry."""
    wanted, kinds = moves[entry], list(dict.fromkeys(move["type"] for move in moves))
    alike = [move for move in moves if move["type"] == wanted["type"]] if len(moves) > 20 and len(kinds) > 1 else moves
    if alike is not moves:
        yield str(kinds.index(wanted["type"]) + 1)
    if len(alike) > 1:
        yield str(alike.index(wanted) + 1)
    if "choose" in wanted:
        yield " ".join(str(n) for n in rng.sample(range(1, len(wanted["from"]) + 1), wanted["choose"]))
    elif len(alike) == 1:
        yield ""


def no_luck(kind: str, population: Any, count: int) -> Any:
    """Luck that gives what comes first: what follows from a move is not looked at."""
    return tuple(population[:count])


@pytest.mark.parametrize(("slug", "players"), tables_of_each_game(CASES))
def test_a_table_can_be_drawn_at_every_moment(slug: str, players: int) -> None:
    """With the seats' names, and nothing of the machine's own way of writing."""
    for number, match in enumerate(moments(slug, players)):
        if number % 10 == 0:
            text = text_of(drawn(table_of(match, 1), ENGLISH))
            assert "seat 1 (you)" in text
            assert not any(sign in text for sign in ("{", "}", "'", "_"))


def test_what_lies_face_down_is_told_apart() -> None:
    """In brackets; a card that the seat may not know has no name."""
    table = {"game": "manitou", "version": 3, "seat": None, "seats": []}
    side = {"seat": 1, "cards": [{"card": "chief-1", "face_up": False}, {"card": "hunter-7", "face_up": True}]}
    text = text_of(drawn(table | {"view": {"grounds": [{"ground": 2, "sides": [side]}]}}, ENGLISH))
    assert "ground 2" in text
    assert "[chief 1], hunter 7" in text


def test_an_empty_hand_is_drawn_as_a_dash() -> None:
    table = {"game": "manitou", "version": 3, "seat": None, "seats": [], "view": {"hands": [[], ["chief-1"], []]}}
    assert "hands: –, chief 1, –" in text_of(drawn(table, ENGLISH))


MOVES = [{"type": "play_card", "card": card, "ground": ground} for card in ("chief-1", "scout-2") for ground in (1, 2)]


def test_words_narrow_a_list() -> None:
    """Until one is left; the numbers stay what they were."""
    person = Person("scout", "4")
    assert person.choose("manitou", MOVES) == MOVES[3]
    assert person.shown[-2:] == ["   3  Lay scout 2 on ground 1.", "   4  Lay scout 2 on ground 2."]
    assert Person("scout 2 on ground 2").choose("manitou", MOVES) == MOVES[3]


def test_nonsense_is_asked_again() -> None:
    """Numbers that there are not, words that nothing has, cards that are too few or named twice."""
    person = Person("0", "5", "bison", "1")
    assert person.choose("manitou", MOVES) == MOVES[0]
    assert "Nothing here is called 'bison'." in person.shown
    entry = {"type": "choose_party", "choose": 2, "from": ["chief-1", "scout-1", "scout-2"]}
    person = Person("", "1", "1 1", "1 4", "3, 1")
    assert person.choose("manitou", [entry]) == {"type": "choose_party", "cards": ["scout-2", "chief-1"]}
    assert len(person.asked) == 5


def test_cards_are_placed_in_the_order_in_which_they_are_named() -> None:
    entry = {"type": "play_cards", "choose": 2, "from": ["a", "b", "c"], "piles": [2, 5]}
    chosen = Person("3 1").choose("tomahawk", [entry])
    assert chosen["cards"] == [{"pile": 2, "card": "c"}, {"pile": 5, "card": "a"}]


@pytest.mark.parametrize(
    ("text", "server"),
    [
        ("t_fk3ab2c5d7efghij", None),
        ("http://127.0.0.1:8000/#/tables/t_fk3ab2c5d7efghij/57", "http://127.0.0.1:8000"),
        ("https://play.example/v1/tables/t_fk3ab2c5d7efghij", "https://play.example"),
    ],
)
def test_a_table_is_named_by_its_id_or_an_address(text: str, server: str | None) -> None:
    assert place_of(text) == (server, "t_fk3ab2c5d7efghij")


@pytest.mark.parametrize("slug", GAMES)
def test_a_french_table_has_no_english_field(slug: str) -> None:
    """All that can be drawn of it, and every column of its points, has a word in French."""
    found = fields_in(inspect.type_info(GAMES[slug].view_type)) - OMITTED
    english = {name for name in found if not has_word(name)}
    assert english == set()


def has_word(name: str) -> bool:
    """Whether the words of French name a field themselves, or it is the same in both languages."""
    return FRENCH.field(name) != plain(name) or name in SAME.split()


SAME = "actions bonus camps face phase pile piles points raids scalps terrain territories total tribes value"


def fields_in(kind: Any) -> set[str]:
    """The fields of a type and of all within it, but for the house rules, which are not drawn."""
    if isinstance(kind, inspect.StructType):
        named = {field.encode_name: field.type for field in kind.fields if field.encode_name not in OMITTED}
        return set(named).union(*map(fields_in, named.values()))
    within = [getattr(kind, name, None) for name in ("item_type", "value_type")]
    several = [one for name in ("types", "item_types") for one in getattr(kind, name, ())]
    return set().union(*[fields_in(one) for one in (*within, *several) if one is not None])


@pytest.mark.parametrize(
    ("said", "language"),
    [
        ({"LANG": "fr_FR.UTF-8"}, "fr"),
        ({"LC_ALL": "C", "LANG": "fr_FR.UTF-8"}, "en"),
        ({"LC_ALL": "", "LC_MESSAGES": "fr_CA", "LANG": "en_GB"}, "fr"),
        ({"LANG": "de_DE"}, "en"),
        ({}, "en"),
    ],
)
def test_the_locale_says_which_language(said: dict[str, str], language: str) -> None:
    assert language_of(said) == language


@pytest.mark.parametrize(
    ("words", "said"), [(ENGLISH, "time left: seat 1 (you) 4:32"), (FRENCH, "temps restant : place 1 (vous) 4:32")]
)
def test_a_table_with_a_clock_tells_the_time_left(words: Words, said: str, now: FrozenDateTimeFactory) -> None:
    """Of a clock that runs until its deadline, of another what is in its bank; of an AI nothing."""
    now.move_to("2026-11-22T12:00:00Z")
    table = table_of(Match(GAMES["manitou"], players=3), 1)
    assert said not in text_of(drawn(table, words))
    table |= {"clock": {"kind": "fischer", "initial_s": 300, "increment_s": 5}}
    runs = {"used_ms": 0, "bank_ms": 300_000, "running_since": START, "deadline": "2026-11-22T12:04:32.000Z"}
    stands = {"used_ms": 0, "bank_ms": 93_784_000, "running_since": None, "deadline": None}
    for row, clock in zip(table["seats"], (runs, stands, None), strict=True):
        row["clock"] = clock
    shown = text_of(drawn(table, words))
    assert said in shown
    assert "(Player 2) 1 d 02:03" in shown
    assert "(Player 3)" not in shown.partition(said)[2].splitlines()[0]
