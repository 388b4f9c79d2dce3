"""Who sees what (section 7), and worlds imagined from it."""

import random
from collections import Counter
from typing import Any

import msgspec
import pytest

from games.kernel import Chance
from games.payloads import as_read
from games.plenty_coups import game as plenty_coups
from games.plenty_coups.components import WORTHY
from tests.games.plenty_coups.spec import card, cards, given
from wintercount.testing.random_games import chance_of


class Feeds:
    """A game from its start, with the feed of every seat (0: a spectator)."""

    def __init__(self, players: int, tribes: str, seed: int = 1, **options: Any) -> None:
        self.chance: Chance = chance_of(seed)
        self.feeds: dict[int, list[Any]] = {seat: [] for seat in range(players + 1)}
        self.state: Any = None
        self._read(plenty_coups.start(players, plenty_coups.read_options(options, players), self.chance).events)
        for tribe in tribes.split():
            self.play(type="choose_tribe", tribe=tribe)

    def play(self, **move: Any) -> None:
        """The seat that must act makes a move."""
        self._read(plenty_coups.play(self.state, plenty_coups.to_act(self.state)[0], move, self.chance).events)

    def play_at_random(self, moves: int, but: tuple[str, ...] = ()) -> None:
        """So many moves by luck, none of the types named."""
        rng = random.Random(moves)
        for _ in range(moves):
            acting = plenty_coups.to_act(self.state)
            if not acting:
                return
            listed = plenty_coups.legal_moves(self.state, acting[0])
            kept = [move for move in listed if move.__struct_config__.tag not in but] or listed
            self._read(plenty_coups.play(self.state, acting[0], rng.choice(kept), self.chance).events)

    def _read(self, events: Any) -> None:
        for event in events:
            readers = plenty_coups.readers(self.state, event)
            for seat, feed in self.feeds.items():
                feed.append(as_read(event, readers, seat))
            self.state = plenty_coups.evolve(self.state, event)

    def imagined(self, seat: int, chance: Chance | None = None) -> Any:
        """A world as the seat imagines it; it looks like the real one."""
        view = plenty_coups.view(self.state, seat or None)
        world = plenty_coups.imagine(view, self.feeds[seat], chance or self.chance)
        assert plenty_coups.view(world, seat or None) == view
        assert plenty_coups.census(world) == plenty_coups.census(self.state)
        return world


def hand(state: Any, tribe: str) -> tuple[str, ...]:
    held: tuple[str, ...] = state.camps[state.tribes.index(tribe)].hand
    return held


def test_what_was_taken_in_public_is_held() -> None:
    """PC-7.3: who takes cards from the display holds them until they are seen to leave."""
    game = Feeds(4, "black yellow green red")
    taken = game.state.display[:2]
    game.play(type="take_cards", cards=taken)
    for seat in (0, 2, 3, 4):
        for _ in range(10):
            assert not Counter(taken) - Counter(hand(game.imagined(seat), "black"))
    game.play(type="hunt", discard=taken[0])
    for _ in range(10):
        assert taken[1] in hand(game.imagined(3), "black")
        assert game.imagined(3).pile != game.state.pile


def test_a_card_shown_was_in_the_hand() -> None:
    """A card that a hand is not known to hold was one of its unseen ones; the others are still unseen."""
    game = Feeds(4, "black yellow green red")
    game.play(type="take_cards", cards=game.state.display[:2])
    hidden = next(c for c in hand(game.state, "black") if c not in game.feeds[2][-1].cards)
    game.play(type="hunt", discard=hidden)
    world = game.imagined(2)
    assert len(hand(world, "black")) == 6
    assert hidden in world.discards


def test_gifts_are_remembered_by_both_sides() -> None:
    """PC-7.2, PC-7.6: giver and taker know the cards; who looks on knows only that two cards changed hands."""
    game = Feeds(4, "black yellow green red")
    game.play(type="take_cards", cards=game.state.display[:2])
    give, discard = hand(game.state, "black")[:2]
    game.play(type="exchange_gifts", to="red", give=give, discard=discard)
    assert game.imagined(1).offer.give == give
    assert {game.imagined(4).offer.give for _ in range(40)} > {give}
    answer = hand(game.state, "red")[0]
    game.play(type="answer_gift", give=answer)
    for _ in range(10):
        assert answer in hand(game.imagined(4), "black")
        assert give in hand(game.imagined(1), "red")
        game.imagined(2)


def test_a_gift_unseen_is_one_that_was_there() -> None:
    """A card known to be in a hand may have been given away unseen, or not, until it is shown."""
    game = Feeds(4, "black yellow green red", seed=5)
    taken = game.state.display[:2]
    game.play(type="take_cards", cards=taken)
    given = next(c for c in hand(game.state, "black") if c not in taken)
    discard = next(c for c in hand(game.state, "black") if c not in taken and c != given)
    game.play(type="exchange_gifts", to="red", give=given, discard=discard)
    game.play(type="answer_gift", give=hand(game.state, "red")[0])
    held = [all(c in hand(game.imagined(2), "black") for c in taken) for _ in range(60)]
    assert 0 < sum(held) < 60
    game.play(type="hunt", discard=taken[0])
    for _ in range(20):
        game.imagined(2)


def test_the_new_pile_is_made_of_the_discards() -> None:
    """PC-5.2: after a reshuffle the pile is some order of the discards, whoever looks."""
    game = Feeds(3, "black yellow green", display_refresh="sweep")
    pile: Counter[str] = Counter()
    for _ in range(400):
        before = len(game.feeds[0])
        game.play_at_random(1, but=("exchange_gifts", "hunt"))
        new = [event for event in game.feeds[0][before:] if type(event).__name__ == "DeckReshuffled"]
        if new:
            pile = Counter(game.state.pile)
            break
    assert pile
    for seat in range(4):
        orders = {game.imagined(seat).pile for _ in range(5)}
        assert len(orders) == 5
        if len({len(order) for order in orders}) == 1 and game.state.display:
            assert all(Counter(order) == pile for order in orders)


def test_who_must_prove_worth_and_does_not_cannot() -> None:
    """PC-4.96: with `prove_worth: "forced"` who endures holds no coup-stick and nothing of value 4."""
    for seed in range(200):
        game = Feeds(4, "black yellow green red", seed=seed, prove_worth="forced")
        game.play(type="take_cards", cards=game.state.display[:2])
        if "coup-stick" not in hand(game.state, "black") or not WORTHY.isdisjoint(hand(game.state, "red")):
            continue
        game.play(type="disdain", target="red")
        game.play(type="endure_disdain")
        for seat in (0, 1, 2):
            for _ in range(20):
                assert WORTHY.isdisjoint(hand(game.imagined(seat), "red"))
        return
    pytest.fail("no such deal")


@pytest.mark.slow
@pytest.mark.parametrize("shared_hand", ["open", "controller"])
def test_the_shared_hand(shared_hand: str) -> None:
    """PC-R43: both players, or who plays it in the round, know the shared hand in every world they imagine."""
    game = Feeds(2, "yellow red", shared_hand=shared_hand)
    for _ in range(60):
        game.play_at_random(1, but=("exchange_gifts",))
        for seat in (1, 2):
            world = game.imagined(seat)
            if isinstance(plenty_coups.view(game.state, seat).camps[1].hand, tuple):
                assert hand(world, "black") == hand(game.state, "black")


def test_views_hide_hands_and_pile() -> None:
    """PC-7.1: others see the size of a hand; the view of a spectator holds no hidden card."""
    table = given(hands={"black": "B-1 B-2", "red": "stick"})
    view = plenty_coups.view(table.state, 1)
    assert [camp.hand_count for camp in view.camps] == [2, 0, 0, 1]
    assert view.camps[0].hand == cards("B-1 B-2")
    assert view.camps[3].hand is msgspec.UNSET
    assert view.pile is msgspec.UNSET
    assert card("B-1") not in msgspec.json.encode(plenty_coups.view(table.state, None)).decode()
